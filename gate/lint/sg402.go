package lint

import "fmt"

var neverReached = &Rule{
	ID:       "SG402",
	Title:    "nothing that it says of itself finds it",
	Why:      "none of its triggers, examples and its own first words brings it among the first five: in practice it is not there",
	Advice:   "say in the first sentence what only this skill does, in the words that users say; or delete it",
	See:      sraURL,
	Since:    v1,
	Group:    GroupLibrary,
	Severity: Warning,
	Bad: crowd(12, "Writes the weekly report of the team %s.").
		and("zz", "Report. Use when the user says \"weekly report of the team\"."),
	Good: crowd(12, "Writes the weekly report of the team %s.").
		and("budget", "Adds up the costs of a quarter by cost centre. Use when the user says \"costs of a quarter\"."),
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || !m.lost() || !s.Described() {
			return
		}
		tried := 0
		for _, p := range m.Probes {
			if p.Words > 0 {
				tried++
			}
		}
		p := m.Probes[len(m.Probes)-1]
		report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("tried %d prompts; its own first words find it %s; %s", tried, placeName(p.Place), l.winner(p))})
	},
}
