package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/lang/script"
)

// Lang returns the language of s: "ko", "en", "mixed" when Hangul and Latin
// words both carry content, "other" when neither does. It counts words, not
// letters, reads the first 8 KiB, and leaves out URLs, paths, names from code,
// and code in backquotes.
func Lang(s string) string {
	s = s[:min(len(s), langHead)]
	var ko, en, foreign int
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '`':
			i = pastCode(s, i)
			continue
		case c <= ' ':
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] > ' ' && s[end] != '`' {
			end++
		}
		k, e, f := langOf(s[i:end])
		ko, en, foreign = ko+k, en+e, foreign+f
		i = end
	}
	switch {
	case ko+en == 0 || foreign > ko+en:
		return "other"
	case ko == 0:
		return "en"
	case en >= 2 && en*minShare >= ko && ko*minShare >= en:
		return "mixed" // one Latin word is a name more often than English
	case ko >= en:
		return "ko"
	case en < 2:
		return "ko"
	}
	return "en"
}

const langHead = 8 << 10

// minShare: a language with less than a tenth of the words of the other does
// not make a text mixed.
const minShare = 10

// pastCode returns the end of the code that starts with the backquote at s[i],
// or the next byte when it is not closed.
func pastCode(s string, i int) int {
	mark := "`"
	if strings.HasPrefix(s[i:], "```") {
		mark = "```"
	}
	if end := strings.Index(s[i+len(mark):], mark); end >= 0 {
		return i + 2*len(mark) + end
	}
	if mark == "```" {
		return len(s)
	}
	return i + 1
}

// langOf counts the words of one run of printing characters: at most one Korean
// word, and the Latin words before and behind it. A Latin part that looks like
// a path, address or identifier does not count.
func langOf(run string) (ko, en, foreign int) {
	letters, words, name := 0, 0, false
	part := func() { // ends a Latin part
		if letters >= 2 {
			words++
		}
		if !name {
			en += words
		}
		letters, words, name = 0, 0, false
	}
	for i := 0; i < len(run); {
		c := run[i]
		if c < utf8.RuneSelf {
			switch {
			case 'a' <= c|0x20 && c|0x20 <= 'z':
				letters++
			case c == '-' || c == '\'':
			case c == '/' || c == '\\' || c == '@' || c == '_' || c == '=':
				name = true
			case c == '.' && i+1 < len(run) && isNameByte(run[i+1]):
				name = true
			default:
				if letters >= 2 {
					words++
				}
				letters = 0
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(run[i:])
		i += n
		switch {
		case script.Syllable(r):
			if ko == 0 {
				part()
				ko = 1
			}
		case isLatin(r):
			letters++
		case isWord(r) && !script.Letter(r):
			foreign++
		}
	}
	part()
	return ko, en, foreign
}

func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}
