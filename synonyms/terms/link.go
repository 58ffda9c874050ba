package terms

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func link(text string, i int) int {
	rest := text[i:]
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") && !strings.HasPrefix(rest, "www.") {
		return i
	}
	for j := i; j < len(text); {
		r, n := utf8.DecodeRuneInString(text[j:])
		if r <= ' ' || strings.ContainsRune("<>\"'`()[]{}|\\^,", r) || script.Hangul(r) || script.Spaceless(r) {
			return j
		}
		j += n
	}
	return len(text)
}

func address(text string, j int) int {
	if j >= len(text) || text[j] != '@' {
		return j
	}
	k := chunk(text, j+1)
	if !strings.Contains(text[j:k], ".") {
		return j
	}
	return k
}

// appendLink appends the words in the path of a URL and the words in its host, without common parts of hosts such as
// www.
func appendLink(out []Token, text string, i, j int) []Token {
	s := text[i:j]
	start := i
	if at := strings.Index(s, "://"); at >= 0 {
		s, start = s[at+3:], i+at+3
	}
	if at := strings.IndexAny(s, "?#"); at >= 0 {
		s = s[:at]
	}
	host, path, _ := strings.Cut(s, "/")
	labels := strings.Split(strings.ToLower(host), ".")
	at := start
	for n, label := range labels {
		last := n == len(labels)-1
		if !last && !vocab.Host.Has(label) && letters(label) {
			out = append(out, Token{label, Ident, at, at + len(label)})
		}
		at += len(label) + 1
	}
	at = start + len(host) + 1
	for _, segment := range strings.Split(path, "/") {
		for _, word := range strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
			if letters(word) && len(word) >= 3 && len(word) <= 16 && strings.ToLower(word) == word {
				out = appendWord(out, word, at, at+len(segment))
			}
		}
		at += len(segment) + 1
	}
	return out
}

func letters(s string) bool {
	for k := 0; k < len(s); k++ {
		if !isASCIILetter(s[k]) {
			return false
		}
	}
	return s != ""
}
