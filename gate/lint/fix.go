package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// Change is a Fix in its file.
type Change struct {
	Label string        `json:"label"`
	Path  string        `json:"path"` // of the SKILL.md, as findings name it
	Edits []Replacement `json:"edits"`
}

// Replacement is one Edit with its place in lines and columns: New stands for what
// is from From up to To.
type Replacement struct {
	Start int             `json:"start"` // bytes
	End   int             `json:"end"`
	From  source.Position `json:"from"`
	To    source.Position `json:"to"`
	New   string          `json:"new"`
}

// change places a fix. It returns nil for a file whose bytes are not the text that
// was checked: not UTF-8, or longer than what is read.
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

// Apply returns the text of a SKILL.md with the fixes of its findings, and the
// findings that were fixed. Of fixes that overlap the first one counts; another
// run finds the rest.
func Apply(text string, findings []Finding) (fixed string, done []Finding) {
	var edits []Edit
	for _, f := range findings {
		if f.Fix == nil {
			continue
		}
		more := make([]Edit, len(f.Fix.Edits))
		for i, r := range f.Fix.Edits {
			more[i] = Edit{r.Start, r.End, r.New}
		}
		if overlap(edits, more) {
			continue
		}
		edits = append(edits, more...)
		slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
		done = append(done, f)
	}
	fixed, ok := applyEdits(text, edits)
	if !ok {
		return text, nil
	}
	return fixed, done
}

func (s *Skill) keepsYAML(fix *Fix) *Fix {
	text, ok := applyEdits(s.Src.Text, fix.Edits)
	if !ok {
		return nil
	}
	if again := readFront(source.New("", text)); !again.Closed || again.Err != nil || !again.Mapping {
		return nil
	}
	return fix
}

func overlap(have, more []Edit) bool {
	for _, m := range more {
		i, same := slices.BinarySearchFunc(have, m.Start, func(e Edit, start int) int { return cmp.Compare(e.Start, start) })
		if same || i > 0 && have[i-1].End > m.Start || i < len(have) && have[i].Start < m.End {
			return true
		}
	}
	return false
}

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
