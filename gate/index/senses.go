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
		var senses []string
		if tok.Type == KoreanToken || tok.Type == GeneralToken || tok.Type == PartToken {
			senses = a.dict.Stems(string(tok.Term))
		}
		if len(senses) == 0 {
			out = append(out, string(tok.Term))
		}
		for _, sense := range senses[:min(fewSenses, len(senses))] {
			out = append(out, strings.Fields(sense)...)
		}
	}
	return out
}
