package gate

import (
	"cmp"
	"slices"

	"github.com/skillgate/skillgate/gate/family"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
)

const lenders = 48

// shareExpansions evens out families in which only some skills have an expansion. A hit without an expansion also gets
// the scores that the prompt earned in its closest sibling's expansion, minus the scores that it already has. Otherwise
// enriching one of two versions of a skill would decide between them. shareExpansions re-sorts hits and returns the
// added matches by document.
func (g *Gate) shareExpansions(res *rank.Result, hits []rank.Hit) map[uint32][]rank.Match {
	head := hits[:min(lenders, len(hits))]
	expanded := func(h rank.Hit) bool { return g.snapshot.Length(h.Doc, index.Expansion) > 0 }
	if !slices.ContainsFunc(head, expanded) {
		return nil
	}
	sketches := make([]string, len(head))
	for i, h := range head {
		if doc, err := g.snapshot.Doc(h.Doc); err == nil {
			sketches[i] = doc.Sketch
		}
	}
	lent := map[uint32][]rank.Match{}
	for b, poor := range head {
		best, near := -1, 0.0
		for a, rich := range head {
			if j := family.Jaccard(sketches[a], sketches[b]); j > near && expanded(rich) {
				best, near = a, j
			}
		}
		if best < 0 || expanded(poor) || !family.Same(sketches[best], sketches[b]) {
			continue
		}
		more := missing(g.ranker.Explain(res, head[best].Doc), g.ranker.Explain(res, poor.Doc))
		if len(more) == 0 {
			continue
		}
		lent[poor.Doc] = more
		for _, m := range more {
			head[b].Score += m.Score
		}
	}
	slices.SortStableFunc(hits, func(a, b rank.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return lent
}

// missing returns rich's expansion matches, merged by term. It limits the score of a term to rich's lead over poor in
// that term and drops terms without a lead.
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
