package enrich

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTrigger is the longest phrase proposed for a description, in characters: its
// room is limited, and a trigger is not a letter.
const maxTrigger = 60

// Triggers proposes at most n phrases of x for the description of its skill: those
// that say most of what text, its name and description, does not say. terms returns
// the index terms of a text, weigh how much a term tells in the library at hand
// (its idf). Phrases that add nothing to those before them are left out.
func Triggers(x Expansion, text string, n int, terms func(string) []string, weigh func(term string) float64) []string {
	known := map[string]bool{}
	for _, t := range terms(text) {
		known[t] = true
	}
	var left []string
	for _, p := range x.Phrases {
		if p.Dropped == "" && utf8.RuneCountInString(p.Text) <= maxTrigger && !strings.ContainsAny(p.Text, "\"'") {
			left = append(left, p.Text)
		}
	}
	var out []string
	for len(out) < n {
		value := func(phrase string) float64 {
			found := terms(phrase)
			if len(found) == 0 {
				return 0
			}
			sum := 0.0
			for _, t := range found {
				if !known[t] {
					sum += weigh(t)
				}
			}
			return sum / math.Sqrt(float64(len(found)))
		}
		if len(left) == 0 {
			break
		}
		best := slices.MaxFunc(left, func(a, b string) int {
			return cmp.Or(cmp.Compare(value(a), value(b)), cmp.Compare(b, a))
		})
		if value(best) == 0 {
			break
		}
		for _, t := range terms(best) {
			known[t] = true
		}
		out = append(out, best)
		left = slices.DeleteFunc(left, func(s string) bool { return s == best })
	}
	return out
}
