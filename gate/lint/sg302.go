package lint

import (
	"fmt"
)

var notInKorean = &Rule{
	ID:       "SG302",
	Title:    "no Korean prompt reaches the skill",
	Why:      "neither a Korean trigger of its own nor its name or its telling words in Korean bring it among the first five",
	Advice:   "add the words Korean users say, as in: Korean triggers: \"…\"",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	Bad: Example{
		Made:  reports,
		Files: []ExampleFile{skill("d", "Frobnicates the doodads. Use when the user says \"frobnicate it\".")},
	},
	Good: Example{
		Made: reports,
		Files: []ExampleFile{
			skill("d", "Frobnicates the doodads. Use when the user says \"frobnicate it\" or \"뒤집어 끼우기\"."),
		},
	},
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || !l.Wants("ko") || m.Reach["ko"].Found || internalOnly(s) {
			return
		}
		report(Problem{At: s.DescriptionPlace(), Text: unreachedText(m.Reach["ko"], m, "Korean")})
	},
}

func unreachedText(r *Reach, m *Measured, language string) string {
	switch {
	case r.Own:
		return fmt.Sprintf("none of its %s triggers brings it among the first %d", language, reach)
	case r.Tried:
		return fmt.Sprintf("there is no %s trigger, and %q does not bring it among the first %d", language, r.Prompt, reach)
	}
	if len(m.Telling) == 0 {
		return fmt.Sprintf("there is no %s trigger, and no telling word to look up in the dictionary", language)
	}
	return fmt.Sprintf("there is no %s trigger, and the dictionary has no %s for its words (%s)", language, language, quoteList(m.Telling, 4))
}
