package lint

import (
	"fmt"
	"strings"
)

var ownTriggerExcluded = &Rule{
	ID:       "SG211",
	Title:    "trigger that the skill's own boundary excludes",
	Why:      "the description asks for the prompt and sends it away: its score rises and falls at once, and the model is told both",
	Advice:   "take it out of one of the two",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf", "Fills PDF forms. Use when the user says \"fill a form\", \"merge PDF files\". Do NOT use for merge PDF files (use pdf-merge).").and("pdf-merge", "Joins PDF files."),
	Good:     front("pdf", "Fills PDF forms. Use when the user says \"fill a form\". Do NOT use for merging PDF files (use pdf-merge).").and("pdf-merge", "Joins PDF files."),
	Check: func(s *Skill, report Report) {
		for _, b := range s.Boundaries {
			not := strings.Join(wordsOf(b.Not), " ")
			if not == "" {
				continue
			}
			for _, t := range s.Triggers {
				if strings.Join(wordsOf(t), " ") == not {
					report(Problem{At: s.InDescription(b.Not), Text: fmt.Sprintf("%q is both a trigger and a boundary", t)})
					return
				}
			}
		}
	},
}
