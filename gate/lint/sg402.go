package lint

import "fmt"

var neverReached = &Rule{
	ID:       "SG402",
	Title:    "nothing that it says of itself finds it",
	Why:      "neither its triggers and examples nor its first words nor its name bring it among the first five: in practice it is not there",
	Advice:   "say in the first sentence what only this skill does, in the words that users say; or delete it",
	See:      sraURL,
	Since:    v1,
	Group:    GroupLibrary,
	Severity: Warning,
	Bad:      Example{Made: reports, Files: []ExampleFile{skill("weekly-report-of-weekly-reports", "Weekly. Use when the user says \"weekly report\".")}},
	Good: Example{
		Made: reports,
		Files: []ExampleFile{
			skill("weekly-report-of-weekly-reports", "Counts the tickets of a week by customer. Use when the user says \"tickets by customer\"."),
		},
	},
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

// reports are skills that write the weekly reports of several teams.
func reports() []ExampleFile {
	var out []ExampleFile
	for _, s := range [][2]string{{"weekly-report", "sales"}, {"weekly-reports", "legal"}, {"weekly-reporter", "press"}, {"report-weekly", "stock"}, {"reports-weekly", "farms"}, {"weekly-reporting", "rails"}} {
		out = append(out, skill(s[0], "Writes the weekly report, with weekly figures and plans. Use when the user says \"weekly report\". Korean triggers: \"주간 보고서\", \""+s[1]+" 보고서\"."))
	}
	return out
}
