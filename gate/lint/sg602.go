package lint

import (
	"fmt"
	"strings"
)

var intentDiffers = &Rule{
	ID:       "SG602",
	Title:    "intent.yaml and the description disagree",
	Why:      "the skill is found by the description, whatever the design says",
	Advice:   "`skillgate ir diff` lists the differences, `skillgate ir render` writes the description that follows from the design",
	See:      sraURL,
	Since:    v1,
	Group:    GroupIntent,
	Severity: Warning,
	Bad: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when the user says \"fill in this form\"."),
		{Path: "pdf/intent.yaml", Text: goodIntent},
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when the user says \"fill in this form\" or \"양식 채워줘\"."),
		{Path: "pdf/intent.yaml", Text: goodIntent},
	}},
	Check: func(s *Skill, report Report) {
		if s.IR == nil {
			return
		}
		n := 0
		for _, d := range s.IR.Compare(s.Entry) {
			if !isFile(d) && s.alternative(d.Value) {
				continue
			}
			if n++; n > 10 {
				return
			}
			at := s.intentPlace(d.Line)
			if !isFile(d) {
				at = s.InDescription(d.Value)
			}
			report(Problem{At: at, Text: fmt.Sprintf("%s: %q is only in %s", d.Field, printableShort(d.Value), d.Only)})
		}
	},
}

// alternative reports whether the description offers the skill beside one that
// intent.yaml names: "use simplify or deep-review". A boundary has room for one.
func (s *Skill) alternative(name string) bool {
	text := strings.Join(strings.Fields(s.Text()), " ")
	for _, b := range s.IR.Boundaries {
		for _, or := range []string{" or ", "/", ", ", " / ", " 또는 ", "나 "} {
			if b.Use != "" && strings.Contains(text, b.Use+or+name) {
				return true
			}
		}
	}
	return false
}
