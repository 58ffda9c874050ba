package rank

import (
	"math"

	"github.com/skillgate/skillgate/gate/index"
)

// Evidence describes how well a library answers a prompt. It does not depend on the library's size, because its figures
// are relative to the best possible score for the prompt and to the scores of all skills. (Query-performance
// prediction: Shtok et al. 2012, NQC; Tao and Wu 2014, SMV.) A skill has the ideal score if its name or description has
// every word of the prompt that occurs in the library.
type Evidence struct {
	Asked  float64 // total weight of the prompt's words, each multiplied by its idf
	Share  float64 // best score / ideal score, from 0 to about 1
	Mean   float64 // mean of the best five scores / ideal score; missing scores count as 0
	Z      float64 // distance of the best BM25F score from the mean of all skills, in standard deviations
	NQC    float64 // standard deviation of the best 20 scores / ideal score
	Known  float64 // share of Asked that comes from words in the library
	Met    float64 // share of Asked that comes from words in the best skill
	Head   float64 // like Met, but without words that occur only in the skill's body
	Phrase float64 // share of the prompt's words that are quoted from one trigger of the best skill
	Quoted int     // number of skills with that trigger
}

// full returns (k1 + 1) · x / (k1 + x), the factor for a concept that occurs once in the heaviest field of a document
// of mean length.
func (r *Ranker) full() float64 {
	x := r.Weights.Field[0]
	for _, w := range r.Weights.Field[1:] {
		x = max(x, w)
	}
	return (r.Weights.K1 + 1) * x / (r.Weights.K1 + x)
}

// Evidence returns the evidence of res. hits are the documents with the highest scores, best first, at least twenty if
// there are as many. Call it before the ranker's next search.
func (r *Ranker) Evidence(res *Result, hits []Hit) Evidence {
	var e Evidence
	ideal := 0.0
	unknown := r.idf(0)
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		known := c.Weight * c.IDF()
		ideal += known
		if known == 0 {
			known = c.Weight * unknown
		}
		e.Asked += known
		if len(hits) == 0 {
			continue
		}
		text, head := c.occurs(hits[0].Doc)
		if text {
			e.Met += known
		}
		if head {
			e.Head += known
		}
	}
	if ideal == 0 || len(hits) == 0 {
		return Evidence{Asked: e.Asked}
	}
	e.Known, e.Met, e.Head = ideal/e.Asked, e.Met/e.Asked, e.Head/e.Asked
	ideal *= r.full()
	if p := r.bestPhrase(&res.Query, hits[0].Doc); p != nil {
		e.Phrase, e.Quoted = p.Share, p.Docs
	}
	mean, sd := r.background()
	e.Z = (float64(r.scores[hits[0].Doc]) - mean) / max(sd, 1e-6)
	e.Share = hits[0].Score / ideal
	for _, h := range hits[:min(5, len(hits))] {
		e.Mean += h.Score / 5 / ideal
	}
	_, sd = spreadOf(hits[:min(20, len(hits))])
	e.NQC = sd / ideal
	return e
}

// background returns the mean and standard deviation of all documents' BM25F scores, including scores of 0.
func (r *Ranker) background() (mean, sd float64) {
	var found int
	var sum, squares float64
	for _, score := range r.scores { // no score is negative
		s := float64(score)
		sum += s
		squares += s * s
		if math.Float32bits(score) != 0 {
			found++
		}
	}
	n := float64(max(r.snapshot.Skills, found, 1))
	mean = sum / n
	return mean, math.Sqrt(max(squares/n-mean*mean, 0))
}

func spreadOf(hits []Hit) (mean, sd float64) {
	for _, h := range hits {
		mean += h.Score / float64(len(hits))
	}
	for _, h := range hits {
		sd += (h.Score - mean) * (h.Score - mean) / float64(len(hits))
	}
	return mean, math.Sqrt(sd)
}

// occurs reports whether doc contains the concept, and whether it does so outside its body.
func (c *Concept) occurs(doc uint32) (text, head bool) {
	for i := range c.Alts {
		q, ok := c.Alts[i].In(doc)
		if !ok {
			continue
		}
		text = true
		head = head || !q.Only(index.Body)
	}
	return text, head
}

// MaxIDF returns the inverse document frequency of a term in no document, which is the highest.
func (r *Ranker) MaxIDF() float64 { return r.idf(0) }
