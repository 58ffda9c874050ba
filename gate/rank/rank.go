// Package rank scores skills against a prompt with BM25F over the postings of package index.
//
// A prompt is a list of concepts. A concept is a list of alternative terms: the prompt's word, other spellings, the
// English senses of a Korean word, and the Korean words for an English one. For a term t and a document d
//
//	x(t,d) = Σ_f w_f · tf_f / (1 − b_f + b_f · len_f / mean_f)
//	s(t,d) = idf(t) · x / (k1 + x) · (k1 + 1)
//	idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5)) ^ idf_power
//
// (Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple Weighted Fields, 2004. As in Lucene, idf is never
// negative. It is flattened, because the rarest word of a prompt is as often accidental as it is the topic. For Latin
// words it also counts a larger library, see meaningIDF.) The score of a concept is the weighted score of its best
// alternative. If a document has a Korean word both literally and in translation, a share of the lower score is
// added. The score of a document is the sum of the scores of all concepts, of the pairs of words that it shares with
// the prompt, and of its best phrase (see Phrase).
//
// The best documents are then ordered by that sum times a factor for the share of the prompt that they match and the
// share of their name that it contains (see Ranker.factors), plus
//
//	meaning · cos(prompt, d) · (s₂ / s₁)²
//
// for similar meaning (see package meaning). s₁ and s₂ are the best two scores without this term, so that words decide
// if one skill clearly leads by words. Documents with the highest cosines take part even if they share no word with
// the prompt. Documents with equal scores are ordered by ID.
//
// A Ranker must not be used by several goroutines at once.
package rank

import (
	"cmp"
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

	scratch
	buf      index.Postings
	unscored bool        // the current search is a Lookup
	edit     *index.Edit // edit applied by ExplainEdited, or nil

	memory   *Memory  // nil unless Remember or Share was called
	memoryOf [32]byte // hash of the name of the snapshot in memory
}

// New returns a Ranker for snapshot, whose indexes were built with dict.
func New(snapshot *index.Snapshot, dict *synonyms.Dict, w Weights) *Ranker {
	return &Ranker{Weights: w, snapshot: snapshot, dict: dict, analyzer: index.NewAnalyzer(dict)}
}

func (r *Ranker) postings(term string) (list, error) {
	if r.memory != nil {
		one, err := r.memory.list(r, term)
		if r.Weights != r.memory.weights {
			one.worth = nil
		}
		return one, err
	}
	postings, err := r.snapshot.Postings(term, &r.buf)
	return list{Postings: postings}, err
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

// Result is the result of one search. It is valid until the ranker's next search.
type Result struct {
	Query Query
	Cut   bool // the deadline cut the search short, so some terms are missing

	meaning float64 // score for a cosine of 1
}

// maxPostings is the maximum number of postings read for one query. The most frequent concepts are left out first: in
// 80,000 skills they take long to read and are hardly informative.
const maxPostings = 120_000

// Search scores every document that contains a term of q. If ctx ends, the remaining terms are left out and Cut is set.
func (r *Ranker) Search(ctx context.Context, q Query) (Result, error) {
	r.reset()
	r.buf.Reset()
	q, err := r.weigh(q)
	if err != nil {
		return Result{}, err
	}
	res := Result{}
	order := rarestFirst(q.Concepts)
	if total := withinBudget(q.Concepts, order); r.memory == nil {
		r.buf.Reserve(total)
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
		for j := range c.Alts {
			a := &c.Alts[j]
			if a.docs == 0 {
				continue
			}
			if a.list, err = r.postings(a.Term); err != nil {
				return Result{}, err
			}
		}
		r.scoreConcept(c)
	}
	if err := r.findPhrases(&q); err != nil {
		return Result{}, err
	}
	r.scorePhrases(&q)
	res.Query = q
	return res, nil
}

// Lookup is like Search but computes no scores. Its result is only for Explain and ExplainEdited.
func (r *Ranker) Lookup(ctx context.Context, q Query) (Result, error) {
	r.unscored = true
	defer func() { r.unscored = false }()
	return r.Search(ctx, q)
}

// rarestFirst returns the order in which to read concepts, so that the deadline or maxPostings excludes the least
// informative ones.
func rarestFirst(concepts []Concept) []int {
	order := make([]int, len(concepts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return concepts[a].docs() - concepts[b].docs() })
	return order
}

// docs returns the number of postings of all the concept's alternatives.
func (c *Concept) docs() int {
	n := 0
	for i := range c.Alts {
		n += c.Alts[i].docs
	}
	return n
}

// withinBudget sets the weight of concepts beyond maxPostings to 0 and returns the number of postings of the others. It
// always keeps one concept.
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

// block is the number of documents that are scored together. Their buffers fit into the processor's cache.
const block = 1 << 12

// scoreConcept adds the score of c's best alternative to each document's score.
func (r *Ranker) scoreConcept(c *Concept) {
	if r.unscored {
		return
	}
	type run struct {
		*Alt
		from, to int // range of postings in the current block
	}
	var runs []run
	for j := range c.Alts {
		if a := &c.Alts[j]; len(a.Numbers) > 0 {
			runs = append(runs, run{Alt: a})
		}
	}
	if len(runs) == 1 {
		r.scoreAlt(c, runs[0].Alt)
		return
	}
	for first := 0; first < len(r.scores); first += block {
		for j := range runs {
			a := &runs[j]
			n, _ := slices.BinarySearch(a.Numbers[a.to:], uint32(first+block))
			a.from, a.to = a.to, a.to+n
			r.raise(c, a.Alt, a.from, a.to, uint32(first))
		}
		for _, a := range runs {
			r.settle(a.Numbers[a.from:a.to], uint32(first))
		}
	}
}

func (r *Ranker) scoreAlt(c *Concept, a *Alt) {
	scale := float32(c.Weight * a.Weight * a.idf)
	for from := 0; from < len(a.Numbers); from += block {
		docs := a.Numbers[from:min(from+block, len(a.Numbers))]
		for i, worth := range r.counts(a, from, from+len(docs)) {
			r.scores[docs[i]] += scale * worth
		}
	}
}

// raise updates best, or own if a is literal, with the scores of a's postings [from, to). Their documents are in the
// block that starts at first.
func (r *Ranker) raise(c *Concept, a *Alt, from, to int, first uint32) {
	scale := float32(c.Weight * a.Weight * a.idf)
	into := r.best
	if a.literal {
		into = r.own
	}
	docs := a.Numbers[from:to]
	for i, worth := range r.counts(a, from, to) {
		if s := scale * worth; s > into[docs[i]-first] {
			into[docs[i]-first] = s
		}
	}
}

// settle adds the current concept's scores in best and own to the scores of docs, and resets them to 0.
func (r *Ranker) settle(docs []uint32, first uint32) {
	both := float32(r.Weights.Both)
	for _, d := range docs {
		best, own := r.best[d-first], r.own[d-first]
		r.scores[d] += max(best, own) + both*min(best, own)
		r.best[d-first], r.own[d-first] = 0, 0 // docs may occur again, for another alternative
	}
}

// counts returns the scores without idf, 0 to K1+1, of a's postings [from, to), at most one block. The result is valid
// until the next call.
func (r *Ranker) counts(a *Alt, from, to int) []float32 {
	if a.worth != nil {
		return a.worth[from:to]
	}
	out := r.worths[:to-from]
	r.saturate(&a.Postings, from, out)
	return out
}

// saturate sets out to the scores without idf, 0 to K1+1, of the postings that start at index from.
func (r *Ranker) saturate(p *index.Postings, from int, out []float32) {
	k1 := float32(r.Weights.K1)
	var normals [index.NumFields]normal
	for f := range normals {
		normals[f] = r.normal(index.Field(f))
	}
	body := &normals[index.Body]
	var lengths index.Lengths
	for i := range out {
		doc, q := p.Numbers[from+i], p.Freq(from+i)
		if !lengths.Hold(doc) {
			lengths = r.snapshot.Lengths(doc)
		}
		var x float32
		switch {
		case r.edit != nil:
			x = float32(r.frequency(index.Posting{Doc: doc, Freq: q}))
		case q.Only(index.Body): // the most frequent case, handled separately for speed
			x = float32(body.share(int(q), lengths.Of(doc, index.Body)))
		default:
			var sum float64
			for f := range normals {
				f := index.Field(f)
				if q.Holds(f) && normals[f].weight != 0 {
					sum += normals[f].share(q.Get(f), lengths.Of(doc, f))
				}
			}
			x = float32(sum)
		}
		out[i] = 0
		if x > 0 {
			out[i] = x / (k1 + x) * (k1 + 1)
		}
	}
}

// frequency returns x(t,d), the weighted and length-normalised frequency of a term in a document.
func (r *Ranker) frequency(p index.Posting) float64 {
	var x float64
	for f := range index.NumFields {
		x += r.part(p, f)
	}
	return x
}

// part returns the contribution of field f to frequency.
func (r *Ranker) part(p index.Posting, f index.Field) float64 {
	tf, n := p.Freq.Get(f), r.normal(f)
	if tf == 0 || n.weight == 0 {
		return 0
	}
	return n.share(tf, r.length(p.Doc, f))
}

// normal normalises term frequencies in one field.
type normal struct{ weight, b, mean float64 }

func (r *Ranker) normal(f index.Field) normal {
	return normal{r.Weights.Field[f], r.Weights.B[f], r.snapshot.Mean[f]}
}

// share returns the contribution of a term that occurs tf times in a field of the given length.
func (n *normal) share(tf, length int) float64 {
	norm := 1.0
	if n.mean > 0 {
		norm = 1 - n.b + n.b*float64(length)/n.mean
	}
	return n.weight * float64(tf) / norm
}

// Top returns the k best documents of res that keep accepts, best first. A nil keep accepts all.
func (r *Ranker) Top(res *Result, k int, keep func(doc uint32) bool) []Hit {
	hits := r.nearest(res, r.head(k+reviewed, keep), keep)
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Doc, b.Doc) })
	docs := make([]uint32, len(hits))
	for i := range hits {
		docs[i] = hits[i].Doc
	}
	for i, factor := range r.factors(res, docs...) {
		hits[i].Score *= factor
	}
	r.addMeaning(res, hits)
	slices.SortFunc(hits, r.order)
	return hits[:min(len(hits), k)]
}

// reviewed is the number of documents after the k best by BM25F whose factors are computed, since they may move up.
const reviewed = 40

// factors returns the factor by which to multiply each document's BM25F score. It grows with the share of the
// prompt that the document matches and with the share of its name that the prompt contains. docs must be in ascending
// order.
func (r *Ranker) factors(res *Result, docs ...uint32) []float64 {
	type tally struct {
		met, name float64
		best      float64 // highest weight among the current concept's matching alternatives
		named     bool    // the current concept occurs in the document's name
	}
	tallies := make([]tally, len(docs))
	all := 0.0
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		mass := c.Weight * c.IDF()
		if mass == 0 {
			continue
		}
		all += mass
		for j := range c.Alts {
			a := &c.Alts[j]
			at := 0
			for k := range docs {
				if at = a.Next(at, docs[k]); at == len(a.Numbers) {
					break
				}
				if a.Numbers[at] != docs[k] {
					continue
				}
				q, v := a.Freq(at), a.Weight
				if q.Only(index.Body) {
					v *= r.Weights.BodyCover
				}
				t := &tallies[k]
				t.best, t.named = max(t.best, v), t.named || q.Get(index.Name) > 0
			}
		}
		for k := range tallies {
			t := &tallies[k]
			t.met += mass * min(t.best, 1)
			if t.named {
				t.name++
			}
			t.best, t.named = 0, false
		}
	}
	out := make([]float64, len(docs))
	for k, t := range tallies {
		out[k] = 1
		if all > 0 {
			out[k] = math.Pow(max(t.met/all, 0.01), r.Weights.Cover)
		}
		if n := r.length(docs[k], index.Name); n > 0 {
			out[k] *= 1 + r.Weights.NameCover*min(t.name/float64(n), 1)
		}
	}
	return out
}

// head returns the k best documents by BM25F that keep accepts. keep is slow, because it reads the document, so head
// first calls it only for the best documents.
func (r *Ranker) head(k int, keep func(doc uint32) bool) []Hit {
	const spare = 40
	best := r.scan(k+spare, nil)
	hits := make([]Hit, 0, k)
	for _, h := range best {
		if len(hits) < k && (keep == nil || keep(h.Doc)) {
			hits = append(hits, h)
		}
	}
	if len(hits) < k && len(best) == k+spare {
		return r.scan(k, keep)
	}
	return hits
}

// scan is like head but calls keep for every document with a score among the k best so far.
func (r *Ranker) scan(k int, keep func(doc uint32) bool) []Hit {
	top := top{r: r, k: k, keep: keep}
	if keep == nil {
		top.least = floor(r.scores, k)
	}
	for d, score := range r.scores {
		if score >= top.least {
			top.add(uint32(d), score)
		}
	}
	return top.hits
}

// floor returns a score that at least k of scores reach, and not many more. If fewer than k are above 0, it returns 0.
func floor(scores []float32, k int) float32 {
	const shift = 21 // keeps the exponent and two bits of the mantissa, which order positive floats
	var counts [1 << (32 - shift - 1)]uint32
	for _, score := range scores {
		counts[math.Float32bits(score)>>shift&(1<<(32-shift-1)-1)]++
	}
	reach := 0
	for i := len(counts) - 1; i > 0; i-- {
		if reach += int(counts[i]); reach >= k {
			return math.Float32frombits(uint32(i) << shift)
		}
	}
	return 0
}

// top collects the k best documents that keep accepts, best first.
type top struct {
	r     *Ranker
	k     int
	keep  func(doc uint32) bool // nil accepts all documents
	hits  []Hit
	least float32 // score of the k-th best document; 0 until there are k
}

func (t *top) add(doc uint32, score float32) {
	h := Hit{doc, float64(score)}
	full := len(t.hits) == t.k
	if score <= 0 || full && (t.k == 0 || t.r.order(h, t.hits[t.k-1]) >= 0) || t.keep != nil && !t.keep(doc) {
		return
	}
	at, end := 0, len(t.hits)
	for at < end {
		mid := (at + end) / 2
		other := t.hits[mid]
		if other.Score > h.Score || other.Score == h.Score && t.r.order(other, h) < 0 {
			at = mid + 1
		} else {
			end = mid
		}
	}
	if full {
		t.hits = t.hits[:t.k-1]
	}
	if t.hits = slices.Insert(t.hits, at, h); len(t.hits) == t.k {
		t.least = float32(t.hits[t.k-1].Score)
	}
}

// order compares hits by descending score, then by ID.
func (r *Ranker) order(a, b Hit) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return cmp.Compare(r.snapshot.ID(a.Doc), r.snapshot.ID(b.Doc))
}

// idf returns the inverse document frequency of a term that n documents have.
func (r *Ranker) idf(n int) float64 {
	return r.idfOf(float64(n), float64(max(r.snapshot.Skills, n)))
}

// meaningIDF returns a function from the document frequency of c's alternatives to their idf. For a Latin word it adds
// Elsewhere imaginary skills to the library, which have the word as often as published skills do (words.txt). The
// result is scaled so that the idf of a word in no skill stays the same.
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
