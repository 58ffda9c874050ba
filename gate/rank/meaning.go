package rank

import (
	"cmp"
	"slices"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/meaning"
)

// Limits of a search by meaning.
const (
	alike       = 100 // number of documents whose cosines are computed: the nearest by the signs of their vectors
	near        = 20  // maximum number of documents added to those found by words
	leastCosine = 0.3 // documents with a lower cosine are not added
)

// nearest appends the documents with vectors nearest to the prompt's, even if they share no word with it.
func (r *Ranker) nearest(res *Result, hits []Hit, keep func(doc uint32) bool) []Hit {
	about := &res.Query.about
	if *about == (meaning.Vector{}) || r.Weights.Meaning == 0 || res.Cut {
		return hits
	}
	apart := make([]uint8, r.snapshot.Docs())
	var counts [index.NoMeaning + 1]int
	r.snapshot.Apart(about.Signs(), apart)
	for _, n := range apart {
		counts[n]++
	}
	most, found := 0, 0
	for ; most < meaning.Dim && found+counts[most] < alike; most++ {
		found += counts[most]
	}
	in := make(map[uint32]bool, len(hits))
	for _, h := range hits {
		in[h.Doc] = true
	}
	var others []Hit
	for doc, n := range apart {
		if doc := uint32(doc); int(n) <= most && !in[doc] {
			others = append(others, Hit{doc, r.cosine(res, doc)})
		}
	}
	slices.SortFunc(others, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
	added := 0
	for _, h := range others {
		if added == near || h.Score < leastCosine {
			break
		}
		if keep == nil || keep(h.Doc) {
			hits = append(hits, Hit{h.Doc, float64(r.scores[h.Doc])})
			added++
		}
	}
	return hits
}

// cosine returns the cosine of doc and the prompt, or 0 if it is negative.
func (r *Ranker) cosine(res *Result, doc uint32) float64 {
	return max(0, res.Query.about.Cosine(r.snapshot.Meaning(doc)))
}

// addMeaning adds the weighted cosines to the scores of hits. The more the best score by words exceeds the second, the
// less cosines weigh. It does nothing if a word of the prompt is in the user's dictionary and a skill has the word or
// one of its senses, because the dictionary then decides.
func (r *Ranker) addMeaning(res *Result, hits []Hit) {
	first, second := 0.0, 0.0
	for _, h := range hits {
		second = max(second, min(h.Score, first))
		first = max(first, h.Score)
	}
	if slices.ContainsFunc(res.Query.Concepts, func(c Concept) bool { return c.Own && c.docs() > 0 }) {
		return
	}
	res.meaning = r.Weights.Meaning * r.MaxIDF()
	if first > 0 && len(hits) > 1 {
		res.meaning *= second / first * second / first
	}
	for i := range hits {
		hits[i].Score += res.meaning * r.cosine(res, hits[i].Doc)
	}
}

// closest returns the concept of the prompt that contributes most to its cosine with doc.
func (r *Ranker) closest(res *Result, doc uint32) string {
	table, w := meaning.Default(), r.snapshot.Meaning(doc)
	best, closest := 0.0, ""
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		for j := range c.Alts {
			if share := table.Share(c.Alts[j].Term, w); share > best {
				best, closest = share, c.Text
			}
		}
	}
	return closest
}

// Nearest returns the phrase with the highest cosine to the prompt, or "" if no cosine is positive.
func (r *Ranker) Nearest(res *Result, phrases []string) string {
	best, nearest := 0.0, ""
	for _, phrase := range phrases {
		v := meaning.Default().Vector(r.analyzer.Senses(r.analyzer.Tokens(phrase)))
		if cos := v.CosineTo(&res.Query.about); cos > best {
			best, nearest = cos, phrase
		}
	}
	return nearest
}
