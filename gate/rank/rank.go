// Package rank scores skills against a prompt with BM25F over bleve postings.
//
// A prompt is a list of concepts, a concept a list of alternative terms: the word
// itself, its English senses where it is Korean, its Korean words where it is
// English, other spellings. For a term t and a document d
//
//	x(t,d) = Σ_f w_f · tf_f / (1 − b_f + b_f · len_f / mean_f)
//	s(t,d) = idf(t) · x / (k1 + x) · (k1 + 1)
//	idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5)) ^ idf_power
//
// (Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple Weighted
// Fields, 2004; idf as in Lucene, never negative, and flattened: in a library of
// skills the rarest word of a prompt is as often an accident as a topic; a Latin word has
// that of a larger library beside this one, see meaningIDF.) A concept scores what its best
// alternative scores, weighted, and where a document has a Korean word both literally
// and in translation a share of the lesser one; a document scores the sum over concepts and
// over the pairs of words that it shares with the prompt, and what the best phrase
// adds that the prompt holds as a whole (file phrase.go).
//
// The best documents are then ordered by that sum times a factor for how much of
// the prompt they meet and how much of their name it says, plus what the one
// expansion adds that meets the prompt best (functions factor and bestRequest).
//
// The explanation of a score comes from the summing code itself and adds up to it.
// A Ranker is for one goroutine at a time. Equal scores are ordered by ID.
package rank

import (
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// Ranker scores the documents of one snapshot.
type Ranker struct {
	Weights  Weights
	snapshot *index.Snapshot
	dict     *synonyms.Dict
	analyzer *index.Analyzer

	room
	whole    bool // the last search came to its end, and left room as the next one wants it
	buf      []index.Posting
	worth    []float64   // of each concept in each request of one document
	unscored bool        // the search is a Lookup
	edit     *index.Edit // of the one document that ScoreEdited scores

	memory   *Memory // nil unless Remember or Share was called
	memoryOf string  // what memory calls the snapshot
}

// New returns a ranker over snapshot, whose terms were made with dict.
func New(snapshot *index.Snapshot, dict *synonyms.Dict, w Weights) *Ranker {
	return &Ranker{Weights: w, snapshot: snapshot, dict: dict, analyzer: index.NewAnalyzer(dict)}
}

// postings reads the postings of a term.
func (r *Ranker) postings(term string) (list, error) {
	if r.memory != nil {
		one, err := r.memory.list(r, term)
		if r.Weights != r.memory.weights {
			one.worth = nil
		}
		return one, err
	}
	from := len(r.buf)
	var err error
	r.buf, err = r.snapshot.Postings(term, r.buf, 0)
	return list{postings: r.buf[from:]}, err
}

func (r *Ranker) docFreq(term string) (int, error) {
	if r.memory != nil {
		return r.memory.docFreq(r, term)
	}
	return r.snapshot.DocFreq(term)
}

// Hit is one scored document.
type Hit struct {
	Doc   uint32
	Score float64
}

// Result is the outcome of one search. It is valid until the ranker's next one.
type Result struct {
	Query Query
	Docs  []uint32 // documents with any term, in no order
	Cut   bool     // the deadline left terms out
}

// maxPostings bounds the postings read for one query, so that the commonest words
// of 80,000 skills do not cost what they do not tell: the concepts whose postings
// do not fit are left out, the commonest first.
const maxPostings = 120_000

// Search scores every document that holds a term of q. When ctx ends, the terms
// not reached are left out and Cut is set.
func (r *Ranker) Search(ctx context.Context, q Query) (Result, error) {
	r.enter()
	r.whole = false
	r.buf = r.buf[:0]
	q, err := r.weigh(q)
	if err != nil {
		return Result{}, err
	}
	res := Result{Docs: r.docs[:0]}
	order := rarestFirst(q.Concepts)
	if total := withinBudget(q.Concepts, order); r.memory == nil {
		r.buf = slices.Grow(r.buf, total)
	}
	for _, i := range order {
		c := &q.Concepts[i]
		if c.Weight == 0 {
			continue
		}
		if ctx.Err() != nil {
			c.Weight, res.Cut = 0, true
			continue
		}
		var only *Alt // of the alternatives that some document has
		found := 0
		for j := range c.Alts {
			a := &c.Alts[j]
			if a.docs == 0 {
				continue
			}
			if a.list, err = r.postings(a.Term); err != nil {
				return Result{}, err
			}
			only = a
			found++
		}
		r.scoreConcept(c, only, found, &res)
	}
	if err := r.findPhrases(&q, &res); err != nil {
		return Result{}, err
	}
	r.scorePhrases(&q, &res)
	res.Query = q
	r.docs, r.whole = res.Docs, true
	return res, nil
}

// Lookup is Search without the scores: its result is for Explain and ExplainEdited alone.
func (r *Ranker) Lookup(ctx context.Context, q Query) (Result, error) {
	r.unscored = true
	defer func() { r.unscored = false }()
	return r.Search(ctx, q)
}

// settle adds what the touched documents score best for the concept at hand.
func (r *Ranker) settle(res *Result) {
	for _, d := range r.touched {
		if r.scores[d] == 0 {
			res.Docs = append(res.Docs, d)
		}
		r.scores[d] += max(r.best[d], r.own[d]) + float32(r.Weights.Both)*min(r.best[d], r.own[d])
		r.best[d], r.own[d] = 0, 0
	}
}

// rarestFirst returns the order in which concepts are read: what is cut off by the
// deadline or the cap on postings is what tells least.
func rarestFirst(concepts []Concept) []int {
	order := make([]int, len(concepts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return concepts[a].docs() - concepts[b].docs() })
	return order
}

// docs is the number of postings of all alternatives.
func (c *Concept) docs() int {
	n := 0
	for i := range c.Alts {
		n += c.Alts[i].docs
	}
	return n
}

// withinBudget takes the weight from concepts that do not fit into maxPostings and
// returns how many postings the others have. One concept is always read.
func withinBudget(concepts []Concept, order []int) int {
	total, read := 0, 0
	for _, i := range order {
		c := &concepts[i]
		if c.Weight == 0 {
			continue
		}
		n := c.docs()
		if read > 0 && total+n > maxPostings {
			c.Weight = 0
			continue
		}
		total += n
		if n > 0 {
			read++
		}
	}
	return total
}

// scoreConcept adds what the best alternative of a concept scores in each document. Of
// found alternatives with postings only is the last, nil where there is none.
func (r *Ranker) scoreConcept(c *Concept, only *Alt, found int, res *Result) {
	if r.unscored {
		return
	}
	if found == 1 {
		r.add(c, only, res)
		return
	}
	r.touched = r.touched[:0]
	for j := range c.Alts {
		r.scoreAlt(c, &c.Alts[j])
	}
	r.settle(res)
}

// add scores a concept with one alternative, whose score is that of the concept.
func (r *Ranker) add(c *Concept, a *Alt, res *Result) {
	scale := float32(c.Weight * a.Weight * a.idf)
	for i, p := range a.postings {
		s := scale * r.counts(a, i)
		if s <= 0 {
			continue
		}
		if r.scores[p.Doc] == 0 {
			res.Docs = append(res.Docs, p.Doc)
		}
		r.scores[p.Doc] += s
	}
}

// scoreAlt raises best, or own, to what one alternative scores.
func (r *Ranker) scoreAlt(c *Concept, a *Alt) {
	scale := float32(c.Weight * a.Weight * a.idf)
	for i, p := range a.postings {
		s := scale * r.counts(a, i)
		if s <= 0 {
			continue
		}
		if r.best[p.Doc] == 0 && r.own[p.Doc] == 0 {
			r.touched = append(r.touched, p.Doc)
		}
		if a.literal {
			r.own[p.Doc] = max(r.own[p.Doc], s)
		} else {
			r.best[p.Doc] = max(r.best[p.Doc], s)
		}
	}
}

// counts is what the i-th posting of a is worth, without idf: 0 to K1+1.
func (r *Ranker) counts(a *Alt, i int) float32 {
	if a.worth != nil {
		return a.worth[i]
	}
	return r.saturated(a.postings[i])
}

// saturated is a posting's frequency on a scale that ends at K1+1.
func (r *Ranker) saturated(p index.Posting) float32 {
	x := float32(r.frequency(p))
	if x <= 0 {
		return 0
	}
	k1 := float32(r.Weights.K1)
	return x / (k1 + x) * (k1 + 1)
}

// frequency is x(t,d): the term's weighted, length-normalised frequency.
func (r *Ranker) frequency(p index.Posting) float64 {
	if p.Freq.Only(index.Body) {
		return r.part(p, index.Body)
	}
	var x float64
	for f := range index.NumFields {
		x += r.part(p, f)
	}
	return x
}

// part is one field's share of frequency.
func (r *Ranker) part(p index.Posting, f index.Field) float64 {
	tf := p.Freq.Get(f)
	if tf == 0 || r.Weights.Field[f] == 0 {
		return 0
	}
	b := r.Weights.B[f]
	norm := 1 - b
	if mean := r.snapshot.Mean[f]; mean > 0 {
		norm += b * float64(r.length(p.Doc, f)) / mean
	} else {
		norm = 1
	}
	return r.Weights.Field[f] * float64(tf) / norm
}

// Top returns the k best documents of res that keep accepts (nil: all), best first.
func (r *Ranker) Top(res *Result, k int, keep func(doc uint32) bool) []Hit {
	hits := r.head(res, k+reviewed, keep)
	for i := range hits {
		_, request := r.bestRequest(res, hits[i].Doc)
		hits[i].Score = hits[i].Score*r.factor(res, hits[i].Doc) + request
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if r.before(a, b) {
			return -1
		}
		return 1
	})
	return hits[:min(len(hits), k)]
}

// reviewed is how many documents beyond the k best by BM25F may still come in by factor.
const reviewed = 40

// factor is what a document's BM25F score is multiplied with: documents that meet
// more of the prompt, and whose whole name the prompt says, count for more.
func (r *Ranker) factor(res *Result, doc uint32) float64 {
	var met, all, name float64
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		mass := c.Weight * c.IDF()
		if mass == 0 {
			continue
		}
		all += mass
		best := 0.0
		named := false
		for j := range c.Alts {
			p, ok := c.Alts[j].Posting(doc)
			if !ok {
				continue
			}
			v := c.Alts[j].Weight
			if p.Freq.Only(index.Body) {
				v *= r.Weights.BodyCover
			}
			best = max(best, v)
			if p.Freq.Get(index.Name) > 0 {
				named = true
			}
		}
		met += mass * min(best, 1)
		if named {
			name++
		}
	}
	f := 1.0
	if all > 0 {
		f = math.Pow(max(met/all, 0.01), r.Weights.Cover)
	}
	if n := r.length(doc, index.Name); n > 0 {
		f *= 1 + r.Weights.NameCover*min(name/float64(n), 1)
	}
	return f
}

// head returns the k best documents by BM25F alone that are kept. To ask keep is to read the
// document: only the best are asked about, unless too few of them are kept.
func (r *Ranker) head(res *Result, k int, keep func(doc uint32) bool) []Hit {
	const spare = 40
	best := r.scan(res, k+spare, nil)
	hits := make([]Hit, 0, k)
	for _, h := range best {
		if len(hits) < k && (keep == nil || keep(h.Doc)) {
			hits = append(hits, h)
		}
	}
	if len(hits) < k && len(best) == k+spare {
		return r.scan(res, k, keep)
	}
	return hits
}

// scan returns the k best documents by BM25F alone that are kept.
func (r *Ranker) scan(res *Result, k int, keep func(doc uint32) bool) []Hit {
	hits := make([]Hit, 0, k+1)
	for _, d := range res.Docs {
		h := Hit{d, float64(r.scores[d])}
		if h.Score <= 0 || len(hits) == k && !r.before(h, hits[k-1]) {
			continue
		}
		if keep != nil && !keep(d) {
			continue
		}
		at, _ := slices.BinarySearchFunc(hits, h, func(a, b Hit) int {
			if r.before(a, b) {
				return -1
			}
			return 1
		})
		hits = slices.Insert(hits, at, h)
		hits = hits[:min(len(hits), k)]
	}
	return hits
}

func (r *Ranker) before(a, b Hit) bool {
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	return r.snapshot.ID(a.Doc) < r.snapshot.ID(b.Doc)
}

// idf returns the inverse document frequency of a term that n documents hold.
func (r *Ranker) idf(n int) float64 {
	return r.idfOf(float64(n), float64(max(r.snapshot.Skills, n)))
}

// meaningIDF returns the idf of a concept's alternatives by their document frequency. Where
// the concept is a Latin word it is as it would be with the weight Elsewhere in skills of
// other people beside the library's, on the scale of the library alone: a word that nobody's
// skills hold has the same.
func (r *Ranker) meaningIDF(c *Concept) func(n int) float64 {
	more := r.Weights.Elsewhere
	if more == 0 || c.Korean || c.Alts[0].Term[0] >= utf8.RuneSelf {
		return r.idf
	}
	held := more * share(c.Alts[0].Term)
	return func(n int) float64 {
		total := float64(max(r.snapshot.Skills, n))
		return r.idfOf(float64(n)+held, total+more) * r.idfOf(0, total) / r.idfOf(0, total+more)
	}
}

func (r *Ranker) idfOf(n, total float64) float64 {
	return math.Pow(math.Log(1+(total-n+0.5)/(n+0.5)), r.Weights.IDFPower)
}
