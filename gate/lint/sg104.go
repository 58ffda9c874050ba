package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var descriptionTooLong = &Rule{
	ID:       "SG104",
	Title:    "description over 1024 characters",
	Why:      "the Agent Skills specification stops there; other hosts refuse the skill, and long descriptions crowd out others",
	Advice:   "keep what it does, when to use it and what it is not for; move the rest to the body",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad: Example{Made: func() []ExampleFile {
		return []ExampleFile{skill("pdf", "Fills PDF forms. Use when a task names "+strings.Repeat("a form, ", 130)+"a .pdf.")}
	}},
	Good: front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		d, _ := s.Front.Scalar("description")
		if n := utf8.RuneCountInString(strings.TrimSpace(d)); n > maxDescription {
			report(Problem{At: s.Key("description"), Text: fmt.Sprintf("description is %d characters, limit %d", n, maxDescription)})
		}
	},
}
