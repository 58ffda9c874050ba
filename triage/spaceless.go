package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// Languages that put no spaces between words: what other languages read word by
// word is read here by the longest entry of the lists at each place.

// longestHead returns the longest head of s, at most limit bytes, that is known.
func longestHead(s string, limit int, known func(string) bool) string {
	for n := min(len(s), limit); n > 0; n-- {
		if (n == len(s) || utf8.RuneStart(s[n])) && known(s[:n]) {
			return s[:n]
		}
	}
	return ""
}

// runClass returns the class of a whole run of letters of another script than
// Hangul and Latin, 0 when it is neither an entry nor entries one after the
// other. A single letter is not part of such a chain unless it is a particle.
func runClass(run string) vocab.Class {
	if len(run) > 2*maxWord {
		return 0
	}
	run = strings.ToLower(run)
	if class := classOf(run); class != 0 || !strings.ContainsFunc(run, script.Kana) {
		return class
	}
	var all vocab.Class
	for rest := run; rest != ""; {
		head := longestHead(rest, maxWord, func(s string) bool {
			class := classOf(s)
			return class&^(vocab.Part|vocab.Tail) != 0 && utf8.RuneCountInString(s) > 1 ||
				class != 0 && len(s) < len(run) && len(rest) < len(run)
		})
		if head == "" {
			return 0
		}
		all |= classOf(head)
		rest = rest[len(head):]
	}
	if all&vocab.Carries == 0 {
		return 0
	}
	return all &^ (vocab.Part | vocab.Tail)
}

// maxSpaceless is the length of the longest word of an edit, with its ending.
const maxSpaceless = 60

// spacelessWords cuts a text into the words of an edit: names and values in
// ASCII or in quotes with the particle behind each, and between them words that
// the lists of edits know. It returns false for a question and for a text with
// other words.
func spacelessWords(text string) ([]editWord, bool) {
	text = strings.TrimRight(text, " .!~。！")
	words := make([]editWord, 0, 12)
	for i := 0; i < len(text); {
		var w editWord
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == ' ' || r == '\t' || r == '、':
			i += n
			continue
		case r == '「' || closingQuote(r) != 0:
			end := closingQuote(r)
			if r == '「' {
				end = '」'
			}
			j := strings.IndexRune(text[i+n:], end)
			if j < 0 {
				return nil, false
			}
			w.ascii, w.thing = text[i+n:i+n+j], quote
			i += n + j + utf8.RuneLen(end)
		case r < utf8.RuneSelf:
			j := i
			for j < len(text) && text[j] > ' ' && text[j] < utf8.RuneSelf {
				j++
			}
			w.ascii = strings.TrimRight(text[i:j], ",;")
			w.thing = thingOf(w.ascii)
			i = j
		}
		if w.ascii == "" {
			w.tail = longestHead(text[i:], maxSpaceless, isEditWord)
			if w.tail == "" {
				return nil, false
			}
		} else {
			w.tail = longestHead(text[i:], maxSpaceless, func(s string) bool {
				return vocab.LineUnit.Has(s) || vocab.NameParticle.Has(s)
			})
		}
		i += len(w.tail)
		words = append(words, w)
	}
	return words, true
}

// isEditWord reports a word of an edit, with a particle or an ending.
func isEditWord(w string) bool {
	return editWordOf(w) != 0 || editWordOf(trimParticle(w)) != 0 || vocab.LineUnit.Has(w) || editVerbOf(w) != vocab.NoEdit
}

// splitSpaceless splits a request before the words that put one piece of work
// after another, where each piece names a craft and neighbours name different
// ones.
func splitSpaceless(text string) []string {
	var cs []clause
	from := 0
	for i := 0; i < len(text); {
		head := ""
		if text[i] >= utf8.RuneSelf {
			head = longestHead(text[i:], maxWord, vocab.AfterThat.Has)
		}
		if head == "" {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		if i > from {
			cs = append(cs, clause{start: from, end: i, joint: firm, craft: craftIn(text[from:i])})
		}
		i += len(head)
		from = i
	}
	cs = append(cs, clause{start: from, end: len(text), joint: firm, craft: craftIn(text[from:])})
	for i, c := range cs {
		if c.craft == vocab.NoCraft || i > 0 && c.craft == cs[i-1].craft {
			return nil
		}
	}
	return stepsOf(text, cs)
}
