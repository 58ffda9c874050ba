package lint

import (
	"fmt"
	"strings"
)

var bodyTooLong = &Rule{
	ID:       "SG126",
	Title:    "body over 500 lines",
	Why:      "the whole body goes into the context when the skill is loaded; the specification asks for less than 500 lines",
	Advice:   "move details to files that the body names, to be read when they are needed",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Info,
	Bad:      file("pdf", page("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.")+strings.Repeat("- one more rule\n", 500)),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		body := strings.TrimRight(s.BodyText(), "\r\n \t")
		if n := strings.Count(body, "\n") + 1; n > maxBodyLines && !s.Large {
			report(Problem{At: s.Src.Line(s.Src.lineAt(min(s.Front.Body, len(s.Src.Text)))), Text: fmt.Sprintf("the body has %d lines, recommended at most %d", n, maxBodyLines)})
		}
	},
}
