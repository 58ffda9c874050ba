// Package clip shortens texts to a number of bytes or characters without splitting a character. It also counts
// characters as the host does. For widths in a terminal, use package wording.
package clip

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Bytes returns the longest prefix of s that has at most n bytes and does not split a character.
func Bytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:max(n, 0)]
}

// Chars returns the first n characters of s.
func Chars(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// UTF16 returns the length of s in UTF-16 code units, the host's unit for lengths.
func UTF16(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
