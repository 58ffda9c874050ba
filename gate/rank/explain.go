package rank

import (
	"cmp"
	"slices"

	"github.com/skillgate/skillgate/gate/index"
)

// Match is the contribution of one concept and field to a document's score.
type Match struct {
	Term  string // term of the prompt; "" for a match by meaning if there are other matches
	Via   string // index term that matched, or "" if it is Term
	Field index.Field
	Score float64
	Run   bool // Term consists of several adjacent words
}

// Explain returns the contributions to doc's score, largest first. Their sum is the score that Top returns for doc.
func (r *Ranker) Explain(res *Result, doc uint32) []Match { return r.ExplainIn(nil, res, doc) }

// ExplainIn is like Explain but reuses the memory of out.
func (r *Ranker) ExplainIn(out []Match, res *Result, doc uint32) []Match {
	out = out[:0]
	for _, list := range [2][]Concept{res.Query.Concepts, res.Query.Pairs} {
		for i := range list {
			out = r.explainConcept(out, &list[i], doc)
		}
	}
	if p := r.bestPhrase(&res.Query, doc); p != nil && p.worth > 0 {
		out = append(out, Match{Term: p.Text, Field: index.Triggers, Score: p.worth, Run: true})
	}
	f := r.factors(res, doc)[0]
	for i := range out {
		out[i].Score *= f
	}
	if w := res.meaning * r.cosine(res, doc); w > 0 {
		one := Match{Field: index.Meaning, Score: w}
		if len(out) == 0 {
			one.Term = r.closest(res, doc)
		}
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

func (r *Ranker) explainConcept(out []Match, c *Concept, doc uint32) []Match {
	var best, own partial
	for j := range c.Alts {
		a := &c.Alts[j]
		q, ok := a.In(doc)
		if !ok {
			continue
		}
		p := index.Posting{Doc: doc, Freq: q}
		x := r.frequency(p)
		to := &best
		if a.literal {
			to = &own
		}
		if s := c.Weight * a.Weight * a.idf * x / (r.Weights.K1 + x) * (r.Weights.K1 + 1); x > 0 && s > to.score {
			*to = partial{a, p, s}
		}
	}
	if own.score > best.score {
		best.score *= r.Weights.Both
	} else {
		own.score *= r.Weights.Both
	}
	for _, one := range []partial{best, own} {
		if one.score == 0 {
			continue
		}
		x := r.frequency(one.at)
		for f := range index.NumFields {
			if part := r.part(one.at, f); part > 0 {
				out = append(out, Match{Term: c.Text, Via: c.via(one.alt), Field: f, Score: one.score * part / x,
					Run: one.alt.pair})
			}
		}
	}
	return out
}

func (c *Concept) via(a *Alt) string {
	if a.Term == c.Text || a.pair {
		return ""
	}
	return a.Term
}

// partial is the score of one alternative of a concept.
type partial struct {
	alt   *Alt
	at    index.Posting
	score float64
}
