package lint

import (
	"fmt"
	"strings"
)

var intentConflict = &Rule{
	ID:       "SG604",
	Title:    "trigger of intent.yaml belongs to another skill",
	Why:      "two skills that claim the same words take each other's prompts; before a skill is written this is the cheapest moment to see it",
	Advice:   "say it in other words, or take it out of one of the two",
	See:      sraURL,
	Since:    v1,
	Group:    GroupIntent,
	Severity: Warning,
	Bad: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when the user says \"fill in this form\" or \"양식 채워줘\"."),
		{Path: "pdf/intent.yaml", Text: goodIntent},
		skill("word-forms", "Fills Word forms. Use when the user says \"fill in this form\"."),
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when the user says \"fill in this form\" or \"양식 채워줘\"."),
		{Path: "pdf/intent.yaml", Text: goodIntent},
		skill("word-forms", "Fills Word forms. Use when the user says \"fill in this document\"."),
	}},
	Within: func(l *Library, s *Skill, report Report) {
		if s.IR == nil {
			return
		}
		for _, lang := range s.IR.Languages() {
			for i, t := range s.IR.Triggers[lang] {
				for _, other := range l.claims(t) {
					if other == s || l.isCopy(s, other) {
						continue
					}
					report(Problem{At: s.intentPlace(s.IR.Line(fmt.Sprintf("triggers.%s.%d", lang, i))), Text: fmt.Sprintf("%q is a trigger of %s too", t, other.Name)})
					break
				}
			}
		}
	},
}

func (l *Library) isCopy(a, b *Skill) bool {
	f, ok := l.familyOf[a.ID]
	return ok && f == l.familyOf[b.ID]
}

// claims lists the skills that have a trigger, whatever its case and spaces.
func (l *Library) claims(trigger string) []*Skill {
	l.claimOnce.Do(func() {
		l.claimed = map[string][]*Skill{}
		for _, s := range l.Skills {
			for _, t := range s.Triggers {
				key := strings.ToLower(strings.Join(strings.Fields(t), " "))
				if list := l.claimed[key]; len(list) == 0 || list[len(list)-1] != s {
					l.claimed[key] = append(list, s)
				}
			}
		}
	})
	return l.claimed[strings.ToLower(strings.Join(strings.Fields(trigger), " "))]
}
