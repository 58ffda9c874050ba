package lint

import (
	"cmp"
	"slices"
	"strings"
)

// Apply returns the text of a SKILL.md with the fixes of its findings, and the
// findings that were fixed. Of fixes that overlap the first one counts; another
// run finds the rest.
func Apply(text string, findings []Finding) (fixed string, done []Finding) {
	var edits []Edit
	for _, f := range findings {
		if f.Fix == nil || overlap(edits, f.Fix.Edits) {
			continue
		}
		edits = append(edits, f.Fix.Edits...)
		done = append(done, f)
	}
	fixed, ok := applyEdits(text, edits)
	if !ok {
		return text, nil
	}
	return fixed, done
}

func overlap(have, more []Edit) bool {
	for _, m := range more {
		for _, h := range have {
			if m.Start < h.End && h.Start < m.End || m.Start == h.Start {
				return true
			}
		}
	}
	return false
}

// applyEdits carries out edits that do not overlap; ok is false where one lies
// outside the text.
func applyEdits(text string, edits []Edit) (out string, ok bool) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return text, false
		}
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String(), true
}
