package lint

import "strings"

var sg126 = &Rule{ID: "SG126", Severity: Info, Check: func(s *Skill, report Report) {
	body := strings.TrimRight(s.BodyText(), "\r\n \t")
	if body == "" && s.Front.Closed {
		report(Problem{At: s.Src.Whole(), Text: "the body is empty", Severity: Warning,
			Hint: "write step-by-step instructions for the model"})
	}
	if n := strings.Count(body, "\n") + 1; n > maxLines && !s.Large {
		report.at(s.Src.Line(s.Src.LineAt(min(s.Front.Body, len(s.Src.Text)))),
			"the body has %d lines; at most %d are recommended", n, maxLines)
	}
}}

const maxLines = 500 // recommended by the specification

func info(line string) string { return strings.ToLower(strings.Trim(line, " \t`~")) }
