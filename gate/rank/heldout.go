package rank

import "github.com/skillgate/skillgate/gate/index"

// ScoreWithout returns the score that res would give doc had its expansion not held
// the texts of the groups in mask. Statistics of the collection and the field's
// length stay as they are.
func (r *Ranker) ScoreWithout(res *Result, doc uint32, mask uint16) float64 {
	one := Result{Query: Query{Tokens: res.Query.Tokens, Concepts: make([]Concept, len(res.Query.Concepts))}}
	for i, c := range res.Query.Concepts {
		alts := make([]Alt, len(c.Alts))
		for j, a := range c.Alts {
			alts[j] = a
			alts[j].list = list{}
			if q, ok := a.In(doc); ok {
				if q = q.WithoutGroups(mask); q != 0 {
					alts[j].Postings = index.PostingsOf(index.Posting{Doc: doc, Freq: q})
				}
			}
		}
		c.Alts = alts
		one.Query.Concepts[i] = c
	}
	sum := 0.0
	for _, m := range r.Explain(&one, doc) {
		sum += m.Score
	}
	return sum
}
