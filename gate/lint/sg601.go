package lint

import (
	"github.com/skillgate/skillgate/gate/ir"
)

var badIntent = &Rule{
	ID:       "SG601",
	Title:    "intent.yaml is not valid",
	Why:      "tools that read the design of a skill find none",
	Advice:   "correct the field; `skillgate ir check` says the same, and the JSON Schema has every field",
	See:      sraURL,
	Since:    v1,
	Group:    GroupIntent,
	Severity: Error,
	Bad: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms."),
		{Path: "pdf/intent.yaml", Text: "intent: Fills PDF forms.\ntriggers: {en: []}\ninputs: []\noutputs: []\nboundaries: []\nreferences: []\n"},
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when the user says \"fill in this form\" or \"양식 채워줘\"."),
		{Path: "pdf/intent.yaml", Text: goodIntent},
	}},
	Within: func(l *Library, s *Skill, report Report) {
		if s.IRErr != nil {
			src := s.IRSrc
			if src == nil {
				src = s.Src
			}
			report(Problem{At: src.Whole(), Text: s.IRErr.Error()})
			return
		}
		if s.IR == nil {
			return
		}
		for _, p := range s.IR.Validate(l.Languages, s.Has) {
			report(Problem{At: s.IRSrc.Line(p.Line), Text: p.Text})
		}
	},
}

// goodIntent fits the description of the good examples of these rules.
const goodIntent = `intent: Fills PDF forms.
triggers:
  en: [fill in this form]
  ko: [양식 채워줘]
inputs: [a PDF file]
outputs: [a filled PDF file]
boundaries: []
references: []
`

// intentPlace is a line of a skill's intent.yaml.
func (s *Skill) intentPlace(line int) Place {
	if line == 0 {
		return s.Key("description")
	}
	return s.IRSrc.Line(line)
}

// isFile reports whether a difference is of something only intent.yaml has.
func isFile(d ir.Difference) bool { return d.Only == ir.File }
