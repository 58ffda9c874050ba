package rank

import (
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate/index"
)

// A phrase that matches as a whole is additional evidence: even if all skills of a library contain its words, only one
// of them may quote the phrase. It adds
//
//	w · idf(skills that quote it) · √(number of words) · share of the prompt's words
//
// General words count as 0.3 words and are not phrases by themselves. If the whole prompt is a trigger, one-syllable
// Korean words, which analysis drops, also count as 0.3. Only the best phrase of a skill counts. Phrases that everybody
// types score nothing (see common); otherwise a skill could win every prompt with "go on" by quoting it.

// Phrase is a run of the prompt's words that is a trigger of a skill.
type Phrase struct {
	Text     string  // as written in the prompt
	Share    float64 // share of the prompt's words, 0 to 1
	Docs     int     // number of skills with this trigger
	worth    float64
	term     string
	postings index.Postings
}

// generalWeight is the weight of a general word in a phrase. Other words have weight 1.
const generalWeight = 0.3

// phrasesRead is the maximum number of the prompt's words that are searched for phrases.
const phrasesRead = 160

// findPhrases looks up every run of the prompt's words as a phrase, and scores runs of two words as pairs.
func (r *Ranker) findPhrases(q *Query) error {
	if err := r.findWhole(q); err != nil {
		return err
	}
	tokens := q.words[:min(len(q.words), phrasesRead)]
	if len(q.words) == 1 { // a single word is a phrase only if it is the whole prompt
		return r.findPhrase(q, tokens)
	}
	for i := range max(len(tokens)-1, 0) {
		n, err := r.pair(q, tokens[i], tokens[i+1])
		if n == 0 && err == nil {
			continue
		}
		if err != nil {
			return err
		}
		for j := i + 2; j <= min(i+index.MaxPhrase, len(tokens)); j++ {
			if err := r.findPhrase(q, tokens[i:j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// pairDocs is the maximum number of skills that may contain a pair of adjacent words. More frequent pairs are not
// scored.
const pairDocs = 5000

// pair scores the adjacent words a and b for skills in whose name, description or triggers they are adjacent too. It
// returns the number of these skills. (Sequential dependence: Metzler and Croft, A Markov Random Field Model for Term
// Dependencies, 2005.)
func (r *Ranker) pair(q *Query, a, b *analysis.Token) (int, error) {
	term := index.PairTerm(a, b)
	n, err := r.docFreq(term)
	if n == 0 || n > pairDocs || err != nil ||
		slices.ContainsFunc(q.Pairs, func(c Concept) bool { return c.Alts[0].Term == term }) {
		return n, err
	}
	c := Concept{Text: q.text[a.Start:b.End], Weight: r.Weights.Pair,
		Alts: []Alt{{Term: term, Weight: 1, pair: true, docs: n, idf: r.idf(n)}}}
	alt := &c.Alts[0]
	if alt.list, err = r.postings(term); err != nil {
		return n, err
	}
	r.scoreConcept(&c)
	q.Pairs = append(q.Pairs, c)
	return n, nil
}

func (r *Ranker) findPhrase(q *Query, run analysis.TokenStream) error {
	term := index.PhraseTerm(run)
	n, err := r.docFreq(term)
	if n == 0 || err != nil || common(term) {
		return err
	}
	weight := weightOf(run)
	if weight < 2*generalWeight {
		return nil
	}
	p := Phrase{
		Text: q.text[run[0].Start:run[len(run)-1].End], term: term, Docs: n, Share: float64(len(run)) / float64(len(q.words)),
	}
	idf := r.idf(n)
	if len(run) == 1 { // a single word also scores as a term
		word, err := r.docFreq(string(run[0].Term))
		if err != nil {
			return err
		}
		idf = min(idf, r.idf(word))
	}
	return r.addPhrase(q, p, idf*math.Sqrt(weight))
}

// findWhole looks up the whole prompt as a phrase, including one-syllable Korean words that analysis drops.
func (r *Ranker) findWhole(q *Query) error {
	term, dropped := index.WholeTerm(q.text, q.words)
	if term == "" {
		return nil
	}
	n, err := r.docFreq(term)
	if n == 0 || err != nil || common(term) {
		return err
	}
	weight := weightOf(q.words) + generalWeight*float64(dropped)
	p := Phrase{Text: strings.TrimSpace(q.text), term: term, Docs: n, Share: 1}
	return r.addPhrase(q, p, r.idf(n)*math.Sqrt(weight))
}

func (r *Ranker) addPhrase(q *Query, p Phrase, weight float64) error {
	p.worth = r.Weights.Phrase * weight * p.Share
	one, err := r.postings(p.term)
	if err != nil {
		return err
	}
	p.postings = one.Postings
	q.Phrases = append(q.Phrases, p)
	return nil
}

func weightOf(run analysis.TokenStream) float64 {
	weight := 0.0
	for _, tok := range run {
		switch {
		case tok.Type == index.GeneralToken, tok.Type == index.LatinToken && Generic(string(tok.Term)):
			weight += generalWeight
		default:
			weight++
		}
	}
	return weight
}

// bestPhrase returns the phrase that adds most to doc's score, or nil if doc has no phrase.
func (r *Ranker) bestPhrase(q *Query, doc uint32) *Phrase {
	var best *Phrase
	for i := range q.Phrases {
		p := &q.Phrases[i]
		if best != nil && p.worth <= best.worth {
			continue
		}
		if _, ok := p.postings.In(doc); ok {
			best = p
		}
	}
	return best
}

// scorePhrases adds the score of its best phrase to each document's score.
func (r *Ranker) scorePhrases(q *Query) {
	if r.unscored {
		return
	}
	for i := range q.Phrases {
		for _, doc := range q.Phrases[i].postings.Numbers {
			if r.bestPhrase(q, doc) == &q.Phrases[i] {
				r.scores[doc] += float32(q.Phrases[i].worth)
			}
		}
	}
}
