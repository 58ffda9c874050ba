package index

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/blevesearch/bleve/v2/analysis"
)

// A trigger is also found as a whole, by the hash of its tokens: one term for the
// phrase and one for the two tokens that it starts with, so that a prompt looks up
// the pairs it holds and little else. They meet no word of a prompt.

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

// PhraseHead returns the index term that all phrases of two and more tokens share
// that start with those two.
func PhraseHead(a, b *analysis.Token) string { return hashed('^', analysis.TokenStream{a, b}) }

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

// phrase adds the terms of a trigger.
func (m docTerms) phrase(stream analysis.TokenStream) {
	tokens := PhraseTokens(stream)
	if len(tokens) == 0 || len(tokens) > MaxPhrase {
		return
	}
	m.once(PhraseTerm(tokens))
	if len(tokens) > 1 {
		m.once(PhraseHead(tokens[0], tokens[1]))
	}
}

// once notes that a term stands among the triggers.
func (m docTerms) once(term string) {
	if m[term] == 0 {
		m[term] = m[term].add(Triggers, 1)
	}
}
