package index

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// Analyzer turns the text of skills and of prompts into index terms. It takes the tokens of package synonyms/terms. In
// scripts written without spaces it finds the words that package synonyms knows, and makes bigrams of the remaining Han
// characters.
type Analyzer struct{ dict *synonyms.Dict }

// NewAnalyzer returns an analyzer that finds Korean words with dict.
func NewAnalyzer(dict *synonyms.Dict) *Analyzer {
	return &Analyzer{dict}
}

// Token types, besides bleve's Ideographic for Han. A Korean token may also be a word of another language if the
// dictionary has it. KeyWord is set on Korean tokens in the dictionary.
const (
	LatinToken   = analysis.AlphaNumeric // an English word, identifier or word of another alphabet
	KoreanToken  = analysis.Single       // a Korean word
	GeneralToken = analysis.Double       // a Korean word that carries little meaning
	PartToken    = analysis.Shingle      // a part of the preceding Korean compound
)

// Tokens returns text's tokens in order. Start and End are byte offsets in the NFKC form of text.
func (a *Analyzer) Tokens(text string) analysis.TokenStream {
	text = terms.Normal(text)
	return bigrams(a.tokenize(text, terms.Scan(text)))
}

func (a *Analyzer) each(text string, visit func(term string, start int, typ analysis.TokenType)) {
	text = terms.Normal(text)
	room := scanned.Get().(*[]terms.Token)
	defer scanned.Put(room)
	found := terms.Append((*room)[:0], text)
	*room = found
	if slices.ContainsFunc(found, func(t terms.Token) bool { return t.Kind == terms.Han }) {
		for _, tok := range bigrams(a.tokenize(text, found)) {
			visit(string(tok.Term), tok.Start, tok.Type)
		}
		return
	}
	a.words(text, found, func(w synonyms.Word, typ analysis.TokenType) { visit(w.Text, w.Start, typ) })
}

var scanned = sync.Pool{New: func() any { return new([]terms.Token) }}

// Terms returns text's index terms in order.
func (a *Analyzer) Terms(text string) []string {
	return termsOf(a.Tokens(text))
}

func termsOf(stream analysis.TokenStream) []string {
	out := make([]string, len(stream))
	for i, tok := range stream {
		out[i] = string(tok.Term)
	}
	return out
}

// tokenize returns the tokens of a normalised text. found is the result of terms.Scan on it. A run of Han between
// two dictionary words becomes one Ideographic token.
func (a *Analyzer) tokenize(text string, found []terms.Token) analysis.TokenStream {
	backing := make([]analysis.Token, 0, len(found)+len(found)/4)
	a.words(text, found, func(w synonyms.Word, typ analysis.TokenType) {
		backing = append(backing, analysis.Token{Term: []byte(w.Text), Start: w.Start, End: w.End, Type: typ,
			KeyWord: w.Known, Position: len(backing) + 1})
	})
	stream := make(analysis.TokenStream, len(backing))
	for i := range backing {
		stream[i] = &backing[i]
	}
	return stream
}

func (a *Analyzer) words(text string, found []terms.Token, add func(w synonyms.Word, typ analysis.TokenType)) {
	var words []synonyms.Word

	if slices.ContainsFunc(found, func(t terms.Token) bool { return t.Kind >= terms.Hangul }) {
		words = a.dict.Words(text)
	}
	next := 0
	known := func(until int) { // adds the dictionary words that start before offset until
		for ; next < len(words) && words[next].Start < until; next++ {
			typ := KoreanToken
			switch w := &words[next]; {
			case w.Part:
				typ = PartToken
			case w.Generic:
				typ = GeneralToken
			}
			add(words[next], typ)
		}
	}
	covered := 0 // end of the last dictionary word in a script without spaces
	rest := func(s *terms.Token, from, to int) {
		if s.Kind == terms.Han && from < to {
			add(synonyms.Word{Text: text[from:to], Start: from, End: to}, analysis.Ideographic)
		}
		if s.Kind == terms.Kana && to-from > 3 { // more than one letter, since a kana takes three bytes
			add(synonyms.Word{Text: text[from:to], Start: from, End: to}, LatinToken)
		}
	}
	for i := range found {
		s := &found[i]
		switch s.Kind {
		case terms.Hangul:
		case terms.Han, terms.Kana:
			known(s.Start)
			from := max(s.Start, covered)
			for next < len(words) && words[next].Start < s.End {
				rest(s, from, words[next].Start)
				covered = words[next].End
				from = covered
				known(words[next].Start + 1)
			}
			rest(s, from, s.End)
		default:
			known(s.Start)
			add(synonyms.Word{Text: s.Text, Start: s.Start, End: s.End, Known: s.Kind == terms.Ident}, LatinToken)
		}
	}
	known(len(text) + 1)
}

// bigrams replaces runs of Ideographic tokens with pairs of neighbouring characters, or with the character itself if it
// has no neighbour. It does the work of bleve's cjk filter, whose package would bring a registry of analyzers into
// every process.
func bigrams(stream analysis.TokenStream) analysis.TokenStream {
	out := make(analysis.TokenStream, 0, len(stream))
	var before *analysis.Token // the previous Han character, with its type set to Single
	paired := false            // before is part of a pair
	end := func() {
		if before != nil && !paired {
			out = append(out, before)
		}
		before, paired = nil, false
	}
	for _, tok := range stream {
		if tok.Type != analysis.Ideographic {
			end()
			out = append(out, tok)
			continue
		}
		if before != nil && before.End != tok.Start {
			end()
		}
		for at := 0; at < len(tok.Term); {
			_, size := utf8.DecodeRune(tok.Term[at:])
			one := &analysis.Token{Term: tok.Term[at : at+size], Start: tok.Start + at, End: tok.Start + at + size,
				Type: analysis.Single}
			if paired = before != nil; paired {
				out = append(out, &analysis.Token{
					Term: slices.Concat(before.Term, one.Term), Start: before.Start, End: one.End, Type: analysis.Double,
				})
			}
			before, at = one, at+size
		}
	}
	end()
	for i, tok := range out {
		tok.Position = i + 1
	}
	return out
}
