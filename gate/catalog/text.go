package catalog

import (
	"bytes"
	"strings"
)

func trimBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte(BOM)) }

// plain makes text safe to print: it returns valid UTF-8 with lines ended by "\n" and a space for every other control
// character except the tab.
func plain(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsFunc(s, func(r rune) bool { return isControl(r) && r != '\n' && r != '\t' }) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case isControl(r):
			return ' '
		}
		return r
	}, s)
}

func isControl(r rune) bool {
	return r < 0x20 || 0x7f <= r && r < 0xa0 || r == 0x2028 || r == 0x2029
}

func clean(s string) string { return strings.Join(strings.Fields(plain(s)), " ") }

// lower returns s with ASCII letters in lower case, at the same length.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
