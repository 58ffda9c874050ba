package index

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// Adjacent tokens of a name, description or trigger are also indexed as a pair, and each trigger as a whole. These
// terms are hashes, so they never equal a word of a prompt. A search looks up each pair of a prompt, and longer runs
// only if their first pair was found. Analysis drops some words of one Korean syllable: "챗 메시지" becomes "메시지". Such a
// trigger is also indexed as written, for prompts that consist of it.

// MaxPhrase is the largest number of tokens in a phrase. Longer texts are sentences that nobody types word for word.
const MaxPhrase = 16

// PhraseTokens returns the tokens that make up phrases: all except the parts of Korean compounds, whose text is already
// in the compound.
func PhraseTokens(stream analysis.TokenStream) analysis.TokenStream {
	out := make(analysis.TokenStream, 0, len(stream))
	for _, tok := range stream {
		if tok.Type != PartToken {
			out = append(out, tok)
		}
	}
	return out
}

// PhraseTerm returns the index term of a phrase.
func PhraseTerm(tokens analysis.TokenStream) string { return hashed('#', tokens) }

// WholeTerm returns the index term of a text as written, regardless of case and punctuation. dropped is the number of
// words of one Korean syllable that are missing in tokens, the text's PhraseTokens. The term is "" if no word is
// missing, if all are, or if the text has more than MaxPhrase words.
func WholeTerm(text string, tokens analysis.TokenStream) (term string, dropped int) {
	if len(tokens) == 0 || len(tokens) > MaxPhrase {
		return "", 0
	}
	text = terms.Normal(text)
	var words analysis.TokenStream
	at, next := 0, 0
	for _, field := range strings.Fields(text) {
		at += strings.Index(text[at:], field) + len(field)
		if word := strings.TrimFunc(field, apart); word != "" {
			words = append(words, &analysis.Token{Term: []byte(strings.ToLower(word))})
			if r, n := utf8.DecodeRuneInString(word); n == len(word) && script.Hangul(r) &&
				(next == len(tokens) || tokens[next].Start >= at) {
				dropped++
			}
		}
		for next < len(tokens) && tokens[next].Start < at {
			next++
		}
	}
	if dropped == 0 || len(words) > MaxPhrase {
		return "", 0
	}
	return hashed('!', words), dropped
}

func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// PairTerm returns the index term of two adjacent tokens.
func PairTerm(a, b *analysis.Token) string { return hashed('~', analysis.TokenStream{a, b}) }

// hashed returns kind followed by 48 bits of the FNV-1a hash of the tokens.
func hashed(kind byte, tokens analysis.TokenStream) string {
	h := uint64(14695981039346656037)
	add := func(c byte) { h = (h ^ uint64(c)) * 1099511628211 }
	for _, tok := range tokens {
		for _, c := range tok.Term {
			add(c)
		}
		add(0)
	}
	h ^= h >> 32
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], h<<16)
	var out [9]byte
	out[0] = kind
	base64.RawURLEncoding.Encode(out[1:], b[:6])
	return string(out[:])
}

func (c *counter) pairs(f Field, stream analysis.TokenStream) {
	tokens := PhraseTokens(stream)
	for i := range max(len(tokens)-1, 0) {
		c.add(f, PairTerm(tokens[i], tokens[i+1]), 1)
	}
}

func (c *counter) phrase(trigger string, stream analysis.TokenStream) {
	for _, t := range triggerTerms(trigger, stream) {
		c.add(Triggers, t, 1)
	}
}

func triggerTerms(trigger string, stream analysis.TokenStream) []string {
	var out []string
	tokens := PhraseTokens(stream)
	if len(tokens) > 0 && len(tokens) <= MaxPhrase {
		out = append(out, PhraseTerm(tokens))
	}
	if whole, _ := WholeTerm(trigger, tokens); whole != "" {
		out = append(out, whole)
	}
	return out
}
