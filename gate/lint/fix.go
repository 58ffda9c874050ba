package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// Change is a Fix with positions in its file.
type Change struct {
	Label string        `json:"label"`
	Path  string        `json:"path"` // path of the SKILL.md as shown in findings
	Edits []Replacement `json:"edits"`
}

// Replacement is an Edit with line and column positions: New replaces the text from From up to To.
type Replacement struct {
	Start int             `json:"start"` // byte offset
	End   int             `json:"end"`
	From  source.Position `json:"from"`
	To    source.Position `json:"to"`
	New   string          `json:"new"`
}

func (s *Skill) change(fix *Fix) *Change {
	if s.Raw != nil || s.Large {
		return nil
	}
	c := &Change{Label: fix.Label, Path: s.Src.Path, Edits: make([]Replacement, len(fix.Edits))}
	position := s.Src.Positions()
	for i, e := range fix.Edits {
		c.Edits[i] = Replacement{e.Start, e.End, position(e.Start), position(e.End), e.New}
	}
	return c
}

// Apply returns the text of a SKILL.md with the fixes of its findings applied, and the
// findings that were fixed. Of overlapping fixes only the first is applied; another
// run reports the rest.
func Apply(text string, findings []Finding) (fixed string, done []Finding) {
	var edits []Edit
	fixed = text
	for _, f := range findings {
		if f.Fix == nil {
			continue
		}
		more := slices.Clone(edits)
		for _, r := range f.Fix.Edits {
			more = append(more, Edit{r.Start, r.End, r.New})
		}
		if out, ok := applyEdits(text, more); ok {
			fixed, edits, done = out, more, append(done, f)
		}
	}
	return fixed, done
}

func (s *Skill) keepsYAML(fix *Fix) *Fix {
	text, ok := applyEdits(s.Src.Text, fix.Edits)
	if again := readFront(source.New("", text)); !ok || !again.Closed || again.Err != nil || !again.Mapping {
		return nil
	}
	return fix
}

// applyEdits fails if edits overlap or begin at the same place.
func applyEdits(text string, edits []Edit) (out string, ok bool) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	at := 0
	for i, e := range edits {
		if e.Start < at || i > 0 && e.Start == edits[i-1].Start || e.End < e.Start || e.End > len(text) {
			return text, false
		}
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String(), true
}
