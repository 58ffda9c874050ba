package lint

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/skillgate/skillgate/synonyms/terms"
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
	Bad: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when the user says \"fill a form\", \"merge PDF files\". Do NOT use for merge PDF files (use pdf-merge)."),
		skill("pdf-merge", "Joins PDF files."),
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when the user says \"fill a form\". Do NOT use for merging PDF files (use pdf-merge)."),
		skill("pdf-merge", "Joins PDF files."),
	}},
	Check: func(s *Skill, report Report) {
		if len(s.Boundaries) == 0 {
			return
		}
		triggers := map[string]string{}
		for _, t := range s.Triggers {
			triggers[sameWords(t)] = t
		}
		for _, b := range s.Boundaries {
			for i, not := range append([]string{b.Not}, excluded.get().Split(b.Not, -1)...) {
				words := sameWords(not)
				if t, ok := triggers[words]; ok && words != "" && (i == 0 || strings.Contains(words, " ")) {
					report(Problem{At: s.InDescription(not), Text: fmt.Sprintf("the trigger %q is what the boundary %q sends away", t, b.Not)})
					return
				}
			}
		}
	},
}

// excluded parts the things that one boundary excludes.
var excluded = lazy(`,\s*(or\s+)?|\s+or\s+|;\s*`)

// sameWords is the stems of a text in order of the alphabet: alike for "merge PDF
// files" and "merging PDF files".
func sameWords(text string) string {
	var out []string
	for _, t := range terms.Scan(text) {
		if !slices.Contains(out, t.Text) {
			out = append(out, t.Text)
		}
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}
