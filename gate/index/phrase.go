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

// Tokens that stand side by side in a name, a description or a trigger are a term of
// their own, and so is a trigger as a whole: hashes, which meet no word of a prompt.
// A prompt looks up the pairs it holds, and longer runs only where it found their
// first pair. A trigger of which analysis drops words of one Korean syllable ("챗 메시지" is
// "메시지") is a term as it stands, too, for prompts that are it and nothing else.

// MaxPhrase is how many tokens a phrase may have. A longer one is a sentence, which
// nobody types word for word.
const MaxPhrase = 16

// PhraseTokens returns the tokens that phrases are made of: all but the parts of a
// Korean compound, which stand for the same text as the compound.
func PhraseTokens(stream analysis.TokenStream) analysis.TokenStream {
	out := make(analysis.TokenStream, 0, len(stream))
	for _, tok := range stream {
		if tok.Type != PartToken {
			out = append(out, tok)
		}
	}
	return out
}

// PhraseTerm returns the index term of a phrase of those tokens.
func PhraseTerm(tokens analysis.TokenStream) string { return hashed('#', tokens) }

// WholeTerm returns the index term of a text as it stands, but for case and punctuation, and
// how many words of one Korean syllable it has that are in none of its tokens, those of
// PhraseTokens. It is "" where there are no such words or no others, and for a text of more than
// MaxPhrase words.
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

// apart reports whether a character at the end of a word does not belong to it.
func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// PairTerm returns the index term of two tokens that stand side by side.
func PairTerm(a, b *analysis.Token) string { return hashed('~', analysis.TokenStream{a, b}) }

// hashed is kind and 48 bits of the FNV-1a hash of the tokens.
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

// pairs adds the terms of a text's neighbours in field f.
func (c *counter) pairs(f Field, stream analysis.TokenStream) {
	tokens := PhraseTokens(stream)
	for i := range max(len(tokens)-1, 0) {
		c.add(f, PairTerm(tokens[i], tokens[i+1]), 1)
	}
}

// phrase adds the terms of a trigger as a whole.
func (c *counter) phrase(trigger string, stream analysis.TokenStream) {
	for _, t := range triggerTerms(trigger, stream) {
		c.add(Triggers, t, 1)
	}
}

// triggerTerms returns the terms of a trigger as a whole.
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
