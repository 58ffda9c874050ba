// Package wording formats text for users. It forms plurals, finds the closest match for a misspelled name, and measures
// and shortens text in terminal cells. A Hangul syllable or Han character takes two cells, and a combining accent none.
// Decomposed Hangul, as in file names on macOS, takes as many cells as its syllables.
package wording

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width returns the number of terminal cells that s takes.
func Width(s string) int { return uniseg.StringWidth(s) }

// Clip returns s if it takes at most n cells, and otherwise a prefix of s followed by "…" that fits into n cells.
func Clip(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	return s[:fitting(s, n-1)] + "…"
}

// Break splits s into pieces of at most n cells, preferably after a hyphen, slash, colon, underscore, comma or arrow. A
// character wider than n cells becomes a separate piece.
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

// Longest returns the width, in cells, of the longest part of s without a blank or a character after which Break
// splits.
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
