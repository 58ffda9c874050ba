package lint

import (
	"fmt"
	"strings"
)

var binaryFile = &Rule{
	ID:       "SG124",
	Title:    "file is not text",
	Why:      "a SKILL.md with NUL bytes is an archive, an image or UTF-16: no host can read it",
	Advice:   "save the file as UTF-8 text",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      file("pdf", "PK\x03\x04\x00\x00\x08\x00 not a skill"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if i := strings.IndexByte(s.Src.Text, 0); i >= 0 {
			report(Problem{At: s.Src.Line(s.Src.lineAt(i)), Text: fmt.Sprintf("NUL byte at offset %d", i)})
		}
	},
}
