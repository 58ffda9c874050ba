package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var compatibilityTooLong = &Rule{
	ID:       "SG118",
	Title:    "compatibility over 500 characters",
	Why:      "the specification stops there and other hosts refuse the skill",
	Advice:   "say what is needed; how to get it belongs in the body",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad: Example{Made: func() []ExampleFile {
		return []ExampleFile{{Path: "pdf/SKILL.md", Text: "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\ncompatibility: Needs " + strings.Repeat("one more tool, ", 40) + "and a printer.\n---\n# PDF\n\n1. Read the form.\n"}}
	}},
	Good: file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\ncompatibility: Needs Python 3.\n---\n# PDF\n\n1. Read the form.\n"),
	Check: func(s *Skill, report Report) {
		v, _ := s.Front.Scalar("compatibility")
		if n := utf8.RuneCountInString(strings.TrimSpace(v)); n > maxCompatibility {
			report(Problem{At: s.Key("compatibility"), Text: fmt.Sprintf("compatibility is %d characters, limit %d", n, maxCompatibility)})
		}
	},
}
