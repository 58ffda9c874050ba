package rank

import (
	"slices"

	"github.com/skillgate/skillgate/gate/index"
)

// ExplainEdited is like Explain, but as if e were applied to the text of doc. Collection statistics stay unchanged.
// Pairs of words and phrases that occur in no indexed skill score nothing.
func (r *Ranker) ExplainEdited(res *Result, doc uint32, e *index.Edit) []Match {
	one := Result{Query: res.Query}
	edited := func(term string, of index.Postings) index.Postings {
		q, _ := of.In(doc)
		if q = e.Freq(term, q); q == 0 {
			return index.Postings{}
		}
		return index.PostingsOf(index.Posting{Doc: doc, Freq: q})
	}
	for _, concepts := range []*[]Concept{&one.Query.Concepts, &one.Query.Pairs} {
		*concepts = slices.Clone(*concepts)
		for i := range *concepts {
			c := &(*concepts)[i]
			c.Alts = slices.Clone(c.Alts)
			for j := range c.Alts {
				a := &c.Alts[j]
				a.list = list{Postings: edited(a.Term, a.Postings)}
			}
		}
	}
	one.Query.Phrases = slices.Clone(one.Query.Phrases)
	for i := range one.Query.Phrases {
		p := &one.Query.Phrases[i]
		p.postings = edited(p.term, p.postings)
	}
	r.edit = e
	defer func() { r.edit = nil }()
	return r.Explain(&one, doc)
}

func (r *Ranker) length(doc uint32, f index.Field) int {
	n := r.snapshot.Length(doc, f)
	if r.edit != nil {
		return r.edit.Length(f, n)
	}
	return n
}
