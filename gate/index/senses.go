package index

import (
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
)

// fewSenses is the maximum number of senses that represent a dictionary word.
const fewSenses = 2

// Senses returns the words that package meaning looks up for a text with the given Tokens. A dictionary word is
// replaced by its first senses.
func (a *Analyzer) Senses(stream analysis.TokenStream) []string {
	out := make([]string, 0, 2*len(stream))
	for _, tok := range stream {
		out = a.senses(out, string(tok.Term), tok.Type)
	}
	return out
}

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
