package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var nameTooLong = &Rule{
	ID:       "SG109",
	Title:    "name over 64 characters",
	Why:      "the specification stops there and other hosts refuse the skill",
	Advice:   "shorten the name and the folder",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad: Example{Made: func() []ExampleFile {
		return []ExampleFile{skill("pdf-"+strings.Repeat("form-", 13)+"reader", "Fills and reads PDF forms. Use when a task names a .pdf file.")}
	}},
	Good: front("pdf-form-reader", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		name, _ := s.Front.Scalar("name")
		if n := utf8.RuneCountInString(norm.NFKC.String(strings.TrimSpace(name))); n > maxName {
			report(Problem{At: s.Key("name"), Text: fmt.Sprintf("name is %d characters, limit %d", n, maxName)})
		}
	},
}
