// Package cells measures and shortens texts as a terminal shows them: Hangul and Han
// take two cells, an accent none, and Hangul that is written letter by letter, as file
// names of macOS are, takes those of its syllables.
package cells

import "github.com/rivo/uniseg"

// Width returns how many cells s takes.
func Width(s string) int { return uniseg.StringWidth(s) }

// Clip returns s where it takes at most n cells, else its start and "…" in at most n.
func Clip(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	end, cells := 0, 1 // for the ellipsis
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if cells += g.Width(); cells > n {
			break
		}
		_, end = g.Positions()
	}
	return s[:end] + "…"
}
