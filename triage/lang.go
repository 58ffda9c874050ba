package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/script"
)

// Lang returns the code of the language of s: "mixed" if s has content words in English and in a language with its
// own script, "other" if it has none in either. It counts words in the first 8 KiB and leaves out URLs, paths, names
// from code, and code in backquotes.
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
	if lang.All[most].Spaceless { // letters shared with other languages belong to its words
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
		return "mixed" // a single Latin word is more often a name than English
	case native >= english, english < 2:
		return lang.All[most].Code
	}
	return lang.All[0].Code
}

type wordCount struct {
	native  [len(lang.All)]int // words in languages with their own script, by position in lang.All
	english int
	shared  int // letters that several languages share
	foreign int // letters of languages that are not in lang.All
}

const langHead = 8 << 10

// A text is mixed if the rarer language has at least one word for every minShare words of the other.
const minShare = 10

// pastCode returns the end of the code that starts with the backquote at s[i], or i+1 if it is not closed.
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
	endLatin := func() {
		if letters >= 2 {
			words++
		}
		if !name {
			n.english += words
		}
		letters, words, name = 0, 0, false
	}
	var own [len(lang.All)]int // number of letters in each language's own script
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
		case script.Letter(r): // part of a laugh such as ㅋㅋ
		case at > 0:
			if own[at] == 0 {
				endLatin()
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
	endLatin()
	for i, letters := range own {
		if lang.All[i].Spaceless {
			n.native[i] += (letters + lettersPerWord - 1) / lettersPerWord
		} else {
			n.native[i] += min(letters, 1)
		}
	}
}

// grammarOf returns the first language whose own script occurs in text, or English. Latin script does not count,
// because Latin names occur in texts of all languages.
func grammarOf(text string) *lang.Language {
	found := 0
	for _, r := range text {
		if at := nativeOf(r); at > 0 && !script.Letter(r) && (found == 0 || at < found) {
			found = at
		}
	}
	return lang.All[found]
}

// nativeOf returns the position in lang.All of the language whose own script contains r, or 0, the position of English,
// if there is none.
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
