package lint

import "fmt"

var deadVocabulary = &Rule{
	ID:       "SG216",
	Title:    "description is made of words that everybody uses",
	Why:      "BM25 weighs a word by how few skills have it: words that stand in many never decide between them",
	Advice:   "name what only this skill has: the file type, the service, the object, the result",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad: crowd(24, "Writes the weekly report of product %s for the team. Use when the user asks for the weekly report.").
		and("weekly", "Writes the weekly report for the team. Use when the user asks for the report."),
	Good: crowd(24, "Writes the weekly report of product %s for the team. Use when the user asks for the weekly report.").
		and("budget", "Adds up the costs of a quarter by cost centre. Use when the user asks for the quarterly budget."),
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || len(l.Skills) < minLibrary || m.Words < minVocabulary {
			return
		}
		if m.Known == 0 {
			report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("each of its %d words stands in more than %.0f %% of the skills", m.Words, 100*deadShare)})
		}
	},
}

const minVocabulary = 3 // words; fewer are SG206's
