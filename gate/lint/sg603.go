package lint

import "fmt"

var intentNeighbour = &Rule{
	ID:       "SG603",
	Title:    "intent.yaml names a skill that is not there",
	Why:      "the description that is written from it will send the model to a skill that it cannot load",
	Advice:   "name an installed skill",
	See:      sraURL,
	Since:    v1,
	Group:    GroupIntent,
	Severity: Warning,
	NeedsAll: true,
	Bad: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms."),
		{Path: "pdf/intent.yaml", Text: "intent: Fills PDF forms.\ntriggers: {en: [fill in this form], ko: [양식 채워줘]}\ninputs: [a PDF file]\noutputs: [a PDF file]\nboundaries: [{not: joining files, use: pdf-joiner}]\nreferences: []\n"},
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms."),
		{Path: "pdf/intent.yaml", Text: "intent: Fills PDF forms.\ntriggers: {en: [fill in this form], ko: [양식 채워줘]}\ninputs: [a PDF file]\noutputs: [a PDF file]\nboundaries: [{not: joining files, use: pdf-merge}]\nreferences: []\n"},
		skill("pdf-merge", "Joins PDF files."),
	}},
	Within: func(l *Library, s *Skill, report Report) {
		if s.IR == nil {
			return
		}
		for i, b := range s.IR.Boundaries {
			if b.Use != "" && len(l.Named(b.Use)) == 0 {
				report(Problem{At: s.intentPlace(s.IR.Line(fmt.Sprintf("boundaries.%d", i))), Text: fmt.Sprintf("there is no skill %q", b.Use)})
			}
		}
	},
}
