package wording

import (
	"strconv"
	"strings"
)

// Count returns n and a noun, in the plural where n is not 1: "1 skill", "2 libraries", "0 near misses".
// Nouns with a plural of their own, such as child, are not known.
func Count(n int, noun string) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
	case y && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])):
		noun = stem + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"),
		strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		noun += "es"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
