package triage

import (
	"strings"
	"unicode/utf8"
)

// Lang returns the language of s: "ko", "en", "mixed" when Hangul and Latin
// words both carry content, "other" when neither does. It counts words, not
// letters, and leaves out URLs, paths, names from code, and code in backquotes.
func Lang(s string) string {
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

// langOf counts the words of one run of printing characters.
func langOf(run string) (ko, en, foreign int) {
	latin := run
	if i := strings.IndexFunc(run, isSyllable); i >= 0 {
		ko = 1
		latin = run[:i]
	}
	if strings.Contains(latin, "://") || strings.HasPrefix(latin, "www.") {
		return 0, 0, 0 // Hangul behind it is part of the address or a particle
	}
	if pathLike(latin) {
		latin = ""
	}
	letters := 0
	count := func() {
		if letters >= 2 {
			en++
		}
		letters = 0
	}
	for i := 0; i < len(run); {
		r, n := utf8.DecodeRuneInString(run[i:])
		switch {
		case isLatin(r):
			if latin != "" || i >= len(latin) && ko > 0 {
				letters++
			}
		case r == '-' || r == '\'' || r == '’':
		default:
			count()
			if r >= 0x80 && isWord(r) && !isHangul(r) {
				foreign++
			}
		}
		i += n
	}
	count()
	return ko, en, foreign
}

// pathLike reports words that name files, hosts, addresses or identifiers.
func pathLike(w string) bool {
	if strings.IndexAny(w, "/\\@_=") >= 0 {
		return true
	}
	i := strings.IndexByte(w, '.')
	return i >= 0 && i+1 < len(w) && isWord(rune(w[i+1]))
}
