package index

import (
	"maps"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
)

// Edit holds the changes in term counts between a skill's text and an edited version, so that the edited text can be
// scored without being indexed (see rank.ExplainEdited). The zero value is no change.
type Edit struct {
	terms   map[string][NumFields]int
	lengths [NumFields]int
}

// Clone returns a copy of e. Changes to one do not affect the other.
func (e *Edit) Clone() *Edit { return &Edit{maps.Clone(e.terms), e.lengths} }

// Text adds each term of a text to a field, the given number of times. If times is negative, it removes them.
func (e *Edit) Text(a *Analyzer, f Field, text string, times int) {
	stream := a.Tokens(text)
	e.words(f, stream, times)
	if f == Description {
		e.pairs(f, stream, times)
	}
}

// Cut removes every occurrence of a text from body, the skill's body.
func (e *Edit) Cut(a *Analyzer, body, text string) {
	if n := strings.Count(body, text); n > 0 {
		e.Text(a, Body, text, -n)
	}
	if n := strings.Count(body[:min(len(body), openingSize)], text); n > 0 {
		for _, term := range a.Terms(text) {
			e.count(term, Body, -n)
		}
	}
}

// Trigger adds a trigger if times is 1 and removes it if times is -1.
func (e *Edit) Trigger(a *Analyzer, text string, times int) {
	stream := a.Tokens(text)
	e.words(Triggers, stream, times)
	e.pairs(Triggers, stream, times)
	for _, t := range triggerTerms(text, stream) {
		e.count(t, Triggers, times)
	}
}

func (e *Edit) words(f Field, stream analysis.TokenStream, times int) {
	for _, tok := range stream {
		e.count(string(tok.Term), f, times)
		e.lengths[f] += times
	}
}

func (e *Edit) pairs(f Field, stream analysis.TokenStream, times int) {
	tokens := PhraseTokens(stream)
	for i := range max(len(tokens)-1, 0) {
		e.count(PairTerm(tokens[i], tokens[i+1]), f, times)
	}
}

func (e *Edit) count(term string, f Field, times int) {
	if e.terms == nil {
		e.terms = map[string][NumFields]int{}
	}
	n := e.terms[term]
	n[f] += times
	e.terms[term] = n
}

// Freq returns the frequencies of a term in the edited text. q holds its frequencies in the original text.
func (e *Edit) Freq(term string, q Freq) Freq {
	for f, n := range e.terms[term] {
		if n != 0 && Field(f) != Expansion {
			q = q.add(Field(f), max(n, -q.Get(Field(f))))
		}
	}
	return q
}

// Length returns the length of a field in the edited text, in terms. n is the original length.
func (e *Edit) Length(f Field, n int) int { return max(0, n+e.lengths[f]) }
