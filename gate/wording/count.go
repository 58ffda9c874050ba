package wording

import (
	"strconv"
	"strings"
)

// Count returns n and noun, in the plural unless n is 1: "1 skill", "2 libraries", "0 near misses". It does not handle
// irregular plurals such as children.
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
