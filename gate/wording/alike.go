package wording

import (
	"slices"
	"strings"
	"unicode"
)

// Alike reports whether one of two names may be meant as the other: they differ in one letter or only in punctuation
// and case, in the order of their words, in a word that only one of them has, or in the end of one word. Names with
// different numbers are not alike.
func Alike(a, b string) bool {
	x, y := Words(a), Words(b)
	if len(x) > len(y) {
		return Alike(b, a)
	}
	n := 0
	for n < len(x) && x[n] == y[n] {
		n++
	}
	ends := n < len(x) && min(len(x[n]), len(y[n])) > 3 && (strings.HasPrefix(x[n], y[n]) || strings.HasPrefix(y[n], x[n]))
	return digits(a) == digits(b) && (strings.Join(x, "") == strings.Join(y, "") || OneLetter(a, b) ||
		slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))) || len(x) > 1 &&
		(len(y) == len(x)+1 && slices.Equal(x[n:], y[n+1:]) || len(y) == len(x) && ends && slices.Equal(x[n+1:], y[n+1:])))
}

// Words returns the runs of letters and digits of a text, in lower case.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func digits(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsDigit(r) }), " ")
}

// OneLetter reports whether a differs from b by one letter inserted, deleted or replaced, or by two swapped letters.
func OneLetter(a, b string) bool {
	i := SamePrefix(a, b)
	restA, restB := a[i:], b[i:]
	switch len(a) - len(b) {
	case 1:
		return restA[1:] == restB
	case -1:
		return restA == restB[1:]
	case 0:
		return restA == "" || restA[1:] == restB[1:] ||
			len(restA) > 1 && restA[0] == restB[1] && restA[1] == restB[0] && restA[2:] == restB[2:]
	}
	return false
}

// SamePrefix returns the number of bytes that two names have in common at their beginnings.
func SamePrefix(a, b string) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}
