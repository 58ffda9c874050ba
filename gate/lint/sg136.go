package lint

import (
	"fmt"
	"strings"
)

var uselessIgnore = &Rule{
	ID:       "SG136",
	Title:    "skillgate-ignore without rule or reason",
	Why:      "a comment without a reason silences nothing, and one without a known rule never will",
	Advice:   "write skillgate-ignore SG203: why it does not hold here",
	See:      "https://github.com/skillgate/skillgate",
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad:      file("pdf", "---\n# skillgate-ignore SG203\nname: pdf\ndescription: Fills PDF forms.\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     file("pdf", "---\n# skillgate-ignore SG203: run by another skill only\nname: pdf\ndescription: Fills PDF forms.\n---\n# PDF\n\n1. Read the form.\n"),
	Within: func(l *Library, s *Skill, report Report) {
		for _, m := range s.marks {
			switch {
			case len(m.ids) == 0:
				report(Problem{At: s.Src.Span(m.start, m.end), Text: "names no rule"})
			case m.reason == "":
				report(Problem{At: s.Src.Span(m.start, m.end), Text: "gives no reason and silences nothing"})
			}
			for _, id := range m.ids {
				if !l.rules[strings.ToUpper(id)] {
					report(Problem{At: s.Src.Span(m.start, m.end), Text: fmt.Sprintf("there is no rule %s", id)})
				}
			}
		}
	},
}
