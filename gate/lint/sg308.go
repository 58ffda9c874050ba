package lint

import (
	"cmp"
	"fmt"
	"slices"
)

var runnerUp = &Rule{
	ID:       "SG308",
	Title:    "often second to another skill",
	Why:      "in the prompts of the journal it stood right behind the same skill again and again: one of the two is for these prompts, and the descriptions do not say which",
	Advice:   "add a boundary to the one that is not",
	See:      "https://github.com/skillgate/skillgate",
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Info,
	Bad: Example{
		Files: []ExampleFile{skill("pdf-forms", "Fills PDF forms."), skill("pdf-tools", "Works with PDF files.")},
		Usage: map[string]Usage{"pdf-forms": {Named: 20, Second: map[string]int{"pdf-tools": 14}}},
	},
	Good: Example{
		Files: []ExampleFile{
			skill("pdf-forms", "Fills PDF forms. Do NOT use for other work with PDF files (use pdf-tools)."),
			skill("pdf-tools", "Works with PDF files."),
		},
		Usage: map[string]Usage{"pdf-forms": {Named: 20, Second: map[string]int{"pdf-tools": 14}}},
	},
	Within: func(l *Library, s *Skill, report Report) {
		second := l.Usage[s.Name].Second
		names := sortedNames(second)
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(second[b], second[a]) })
		for _, first := range names {
			if second[first] < minSecond {
				return
			}
			for _, other := range l.Named(first) {
				if s.sendsTo(l, other.ID) {
					continue
				}
				report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("second %d times in %d days to %s", second[first], l.Days, first)})
				return
			}
		}
	},
}

const minSecond = 5 // prompts; fewer may be one user's one task
