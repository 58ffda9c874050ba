package rank

import (
	"cmp"
	"slices"
	"strings"
)

// Topic returns the index terms that say most about what a searched prompt is about, at most n.
func (q *Query) Topic(n int) []string {
	type term struct {
		text string
		mass float64
	}
	var all []term
	for i := range q.Concepts {
		if c := &q.Concepts[i]; !c.Generic && !c.part && c.Weight*c.IDF() > 0 {
			all = append(all, term{c.Text, c.Weight * c.IDF()})
		}
	}
	slices.SortStableFunc(all, func(a, b term) int { return cmp.Compare(b.mass, a.mass) })
	var out []string
	for _, t := range all[:min(n, len(all))] {
		out = append(out, t.text)
	}
	return out
}

// Carry adds index terms of an earlier prompt to a query, at a share of their weight. Words
// that the query has itself stay as they are.
func (r *Ranker) Carry(q *Query, terms []string, share float64) {
	for _, c := range r.Parse(strings.Join(terms, " ")).Concepts {
		if !slices.ContainsFunc(q.Concepts, func(own Concept) bool { return own.Text == c.Text }) {
			c.Weight *= share
			q.Concepts = append(q.Concepts, c)
		}
	}
}
