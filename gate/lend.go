package gate

import (
	"cmp"
	"slices"

	"github.com/skillgate/skillgate/gate/family"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
)

const lenders = 48

// shareExpansions evens out families in which only some skills have an expansion. A hit
// without one also gets the scores that the prompt earned in its closest sibling's
// expansion, minus what it already earned itself. Otherwise enriching one of two
// versions of a skill would decide between them. It re-sorts hits and returns the added
// matches by document.
func (g *Gate) shareExpansions(res *rank.Result, hits []rank.Hit) map[uint32][]rank.Match {
	var with, without []int
	for i := range hits[:min(lenders, len(hits))] {
		if g.snapshot.Length(hits[i].Doc, index.Expansion) > 0 {
			with = append(with, i)
		} else {
			without = append(without, i)
		}
	}
	if len(with) == 0 || len(without) == 0 {
		return nil
	}
	sketches := make([]string, min(lenders, len(hits)))
	for i := range sketches {
		if doc, err := g.snapshot.Doc(hits[i].Doc); err == nil {
			sketches[i] = doc.Sketch
		}
	}
	var lent map[uint32][]rank.Match
	for _, b := range without {
		best, near := -1, 0.0
		for _, a := range with {
			if j := family.Jaccard(sketches[a], sketches[b]); j > near {
				best, near = a, j
			}
		}
		if best < 0 || !family.Same(sketches[best], sketches[b]) {
			continue
		}
		more := missing(g.ranker.Explain(res, hits[best].Doc), g.ranker.Explain(res, hits[b].Doc))
		if len(more) == 0 {
			continue
		}
		if lent == nil {
			lent = map[uint32][]rank.Match{}
		}
		lent[hits[b].Doc] = more
	}
	for i := range hits {
		for _, m := range lent[hits[i].Doc] {
			hits[i].Score += m.Score
		}
	}
	if lent != nil {
		slices.SortStableFunc(hits, func(a, b rank.Hit) int { return cmp.Compare(b.Score, a.Score) })
	}
	return lent
}

// missing returns the matches in rich's expansion that poor lacks. For each concept it returns at most as much as makes
// both score the same.
func missing(rich, poor []rank.Match) []rank.Match {
	var out []rank.Match
	for _, m := range rich {
		if m.Field != index.Expansion || m.Score <= 0 {
			continue
		}
		at := slices.IndexFunc(out, func(o rank.Match) bool { return o.Term == m.Term })
		if at < 0 {
			out = append(out, m)
		} else {
			out[at].Score += m.Score
		}
	}
	for i := range out {
		lead := 0.0
		for _, m := range rich {
			if m.Term == out[i].Term {
				lead += m.Score
			}
		}
		for _, m := range poor {
			if m.Term == out[i].Term {
				lead -= m.Score
			}
		}
		out[i].Score = min(out[i].Score, lead)
	}
	return slices.DeleteFunc(out, func(m rank.Match) bool { return m.Score <= 0 })
}
