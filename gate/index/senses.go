package index

import (
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
)

// fewSenses is how many senses of a word of the dictionary count for what a text is about.
const fewSenses = 2

// Senses returns the words by which package meaning knows a text, of its Tokens: in the place of a word of
// the dictionary its first senses.
func (a *Analyzer) Senses(stream analysis.TokenStream) []string {
	out := make([]string, 0, 2*len(stream))
	for _, tok := range stream {
		out = a.senses(out, string(tok.Term), tok.Type)
	}
	return out
}

// senses appends those of one token.
func (a *Analyzer) senses(out []string, term string, typ analysis.TokenType) []string {
	var senses []string
	if typ == KoreanToken || typ == GeneralToken || typ == PartToken {
		senses = a.dict.Stems(term)
	}
	if len(senses) == 0 {
		return append(out, term)
	}
	for _, sense := range senses[:min(fewSenses, len(senses))] {
		out = append(out, strings.Fields(sense)...)
	}
	return out
}
