package lint

import (
	"fmt"
	"strings"
)

var carriageReturns = &Rule{
	ID:       "SG112",
	Title:    "lines end in CRLF",
	Why:      "quick_validate, which packages skills, looks for \\n behind --- and finds no frontmatter",
	Advice:   "save the file with LF line ends",
	See:      validateURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Fixes:    true,
	Bad:      file("pdf", "---\r\nname: pdf\r\ndescription: Fills and reads PDF forms. Use when a task names a .pdf file.\r\n---\r\n# pdf\r\n\r\n1. Read the input.\r\n2. Write the result.\r\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		text := s.Src.Text
		n := strings.Count(text, "\r\n")
		if n == 0 || s.Raw != nil {
			return
		}
		fix := &Fix{Label: "end lines in LF"}
		for i := 0; i < len(text); i++ {
			j := strings.Index(text[i:], "\r\n")
			if j < 0 {
				break
			}
			i += j
			fix.Edits = append(fix.Edits, Edit{i, i + 1, ""})
		}
		report(Problem{At: s.Src.Line(1), Text: fmt.Sprintf("%d lines end in CRLF", n), Fix: fix})
	},
}
