package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/script"
)

// Lang returns the code of the language of s: "mixed" when words of a language
// with a script of its own and English ones both carry content, "other" when
// neither do. It counts words, not letters, reads the first 8 KiB, and leaves out
// URLs, paths, names from code, and code in backquotes.
func Lang(s string) string {
	s = s[:min(len(s), langHead)]
	var n wordCount
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
		n.add(s[i:end])
		i = end
	}
	native, most := 0, 0
	for i, k := range n.native {
		if native += k; k > n.native[most] {
			most = i
		}
	}
	if lang.All[most].Spaceless { // the shared letters are of its words too
		native += n.shared / lettersPerWord
	} else {
		n.foreign += n.shared
	}
	english := n.english
	switch {
	case native+english == 0 || n.foreign > native+english:
		return "other"
	case native == 0:
		return lang.All[0].Code
	case english >= 2 && english*minShare >= native && native*minShare >= english:
		return "mixed" // one Latin word is a name more often than English
	case native >= english, english < 2:
		return lang.All[most].Code
	}
	return lang.All[0].Code
}

type wordCount struct {
	native  [len(lang.All)]int // of languages with a script of their own, by their place in lang.All
	english int
	shared  int // letters that several languages share
	foreign int // letters of other languages
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

const lettersPerWord = 3

func (n *wordCount) add(run string) {
	letters, words, name := 0, 0, false
	part := func() { // ends a Latin part
		if letters >= 2 {
			words++
		}
		if !name {
			n.english += words
		}
		letters, words, name = 0, 0, false
	}
	var own [len(lang.All)]int // letters of each script
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
		r, size := utf8.DecodeRuneInString(run[i:])
		i += size
		switch at := nativeOf(r); {
		case script.Letter(r): // a laugh
		case at > 0:
			if own[at] == 0 {
				part()
			}
			own[at]++
		case isLatin(r):
			letters++
		case script.Spaceless(r):
			n.shared++
		case isWord(r):
			n.foreign++
		}
	}
	part()
	for i, letters := range own {
		if lang.All[i].Spaceless {
			n.native[i] += (letters + lettersPerWord - 1) / lettersPerWord
		} else {
			n.native[i] += min(letters, 1)
		}
	}
}

// grammarOf returns the language whose grammar a text follows: the first with words in a script of its
// own, since Latin names are in texts of all languages, else English.
func grammarOf(text string) *lang.Language {
	found := 0
	for _, r := range text {
		if at := nativeOf(r); at > 0 && !script.Letter(r) && (found == 0 || at < found) {
			found = at
		}
	}
	return lang.All[found]
}

// nativeOf returns the place in lang.All of the language with a script of its
// own that has the letter r, 0 for other runes.
func nativeOf(r rune) int {
	for i := 1; i < len(lang.All) && r >= utf8.RuneSelf; i++ {
		if lang.All[i].Script(r) {
			return i
		}
	}
	return 0
}

func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}
