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
		slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
		done = append(done, f)
	}
	fixed, ok := applyEdits(text, edits)
	if !ok {
		return text, nil
	}
	return fixed, done
}

// keepsYAML returns fix where the frontmatter is YAML with it, else nil.
func (s *Skill) keepsYAML(fix *Fix) *Fix {
	text, ok := applyEdits(s.Src.Text, fix.Edits)
	if !ok {
		return nil
	}
	if again := readFront(NewSource("", text)); !again.Closed || again.Err != nil || !again.Mapping {
		return nil
	}
	return fix
}

// overlap reports whether any of more touches any of have, which is sorted.
func overlap(have, more []Edit) bool {
	for _, m := range more {
		i, same := slices.BinarySearchFunc(have, m.Start, func(e Edit, start int) int { return cmp.Compare(e.Start, start) })
		if same || i > 0 && have[i-1].End > m.Start || i < len(have) && have[i].Start < m.End {
			return true
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
