package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type splitter struct {
	Op      string `json:"op"`
	Mark    string `json:"mark,omitempty"`    // metaspace: what stands for a blank
	Prepend string `json:"prepend,omitempty"` // metaspace: always, first or never
	Cut     bool   `json:"cut,omitempty"`     // metaspace: cut before each mark
}

// Operations of a splitter.
const (
	opBertWords = "bert"      // white space separates, each punctuation mark is a word
	opWords     = "words"     // white space separates
	opMetaspace = "metaspace" // SentencePiece's view of blanks
)

// split appends the words of text. head says that text starts the input.
func split(out []string, s splitter, text string, head bool) []string {
	switch s.Op {
	case opBertWords:
		return bertWords(out, text)
	case opWords:
		return append(out, strings.Fields(text)...)
	}
	if text == "" {
		return out
	}
	text = strings.ReplaceAll(text, " ", s.Mark)
	if !strings.HasPrefix(text, s.Mark) && (s.Prepend == "always" || s.Prepend == "first" && head) {
		text = s.Mark + text
	}
	if !s.Cut {
		return append(out, text)
	}
	for {
		_, width := utf8.DecodeRuneInString(text)
		next := strings.Index(text[width:], s.Mark)
		if next < 0 {
			return append(out, text)
		}
		out = append(out, text[:width+next])
		text = text[width+next:]
	}
}

func bertWords(out []string, text string) []string {
	start := -1
	for i, r := range text {
		space, punct := unicode.IsSpace(r), isPunct(r)
		if (space || punct) && start >= 0 {
			out = append(out, text[start:i])
			start = -1
		}
		switch {
		case punct:
			out = append(out, text[i:i+utf8.RuneLen(r)])
		case !space && start < 0:
			start = i
		}
	}
	if start >= 0 {
		out = append(out, text[start:])
	}
	return out
}

// isPunct is BERT's notion of punctuation: Unicode's, and every ASCII symbol.
func isPunct(r rune) bool {
	return unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r)
}
