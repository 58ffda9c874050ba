package rank

import (
	"slices"

	"github.com/skillgate/skillgate/gate/index"
)

// bestRequest returns which group of a document's expansion meets most of the
// prompt and what each concept met there is worth, by position in the query: its
// idf and weights, times the weight of the kind "request". An expansion is a bag of
// words for BM25F; a prompt whose words stand together in one of its requests says
// more than one whose words are scattered over all of them. worth is valid until the
// next call.
func (r *Ranker) bestRequest(res *Result, doc uint32) (worth []float64, sum float64) {
	if r.Weights.Request == 0 || r.snapshot.Length(doc, index.Expansion) == 0 {
		return nil, 0
	}
	n := len(res.Query.Concepts)
	r.worth = slices.Grow(r.worth[:0], index.MaxGroups*n)
	all := r.worth[:index.MaxGroups*n]
	clear(all)
	var sums [index.MaxGroups]float64
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		if c.Weight == 0 {
			continue
		}
		scale := r.Weights.Request * c.Weight * c.IDF()
		for j := range c.Alts {
			a := &c.Alts[j]
			q, ok := a.In(doc)
			if !ok {
				continue
			}
			for g, groups := 0, q.Groups(); groups != 0; g, groups = g+1, groups>>1 {
				if w := scale * min(a.Weight, 1); groups&1 != 0 && w > all[g*n+i] {
					sums[g] += w - all[g*n+i]
					all[g*n+i] = w
				}
			}
		}
	}
	best := 0
	for g := range sums {
		if sums[g] > sums[best] {
			best = g
		}
	}
	return all[best*n : (best+1)*n], sums[best]
}
