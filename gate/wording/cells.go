// Package wording formats text for people: it counts things, finds the name closest to a misspelt one, and measures
// and shortens text in the cells of a terminal. A Hangul syllable or a Han character takes two cells and an accent
// none. Decomposed Hangul, as in file names on macOS, takes as many as its syllables.
package wording

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width returns the number of cells that s takes.
func Width(s string) int { return uniseg.StringWidth(s) }

// Clip returns s if it takes at most n cells, or else a prefix of s and "…" that together take at most n cells.
func Clip(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	return s[:fitting(s, n-1)] + "…"
}

// Break cuts s into pieces of at most n cells, if possible after a hyphen, slash, colon, underscore, comma or arrow. A
// letter wider than n cells is a piece of its own.
func Break(s string, n int) []string {
	var out []string
	for Width(s) > max(n, Width(first(s))) {
		end := max(fitting(s, n), len(first(s)))
		if at := strings.LastIndexAny(s[:end], breaks); at > 0 {
			end = at + len(first(s[at:]))
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return append(out, s)
}

const breaks = "-/:_,→"

// Longest returns the number of cells of the longest part of s that Break need not cut and that has no blank.
func Longest(s string) int {
	longest, from := 0, 0
	for i, r := range s {
		switch {
		case r == ' ':
			longest = max(longest, Width(s[from:i]))
		case strings.ContainsRune(breaks, r):
			i += len(string(r)) - 1
			longest = max(longest, Width(s[from:i+1]))
		default:
			continue
		}
		from = i + 1
	}
	return max(longest, Width(s[from:]))
}

func fitting(s string, n int) int {
	end, cells := 0, 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if cells += g.Width(); cells > n {
			break
		}
		_, end = g.Positions()
	}
	return end
}

func first(s string) string {
	letter, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return letter
}
