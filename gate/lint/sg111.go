package lint

import (
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
)

var byteOrderMark = &Rule{
	ID:       "SG111",
	Title:    "file begins with a byte order mark",
	Why:      "hosts before Claude Code 2.1.239 do not see --- behind it and ignore the file; quick_validate refuses it",
	Advice:   "save the file as UTF-8 without a mark",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Fixes:    true,
	Bad:      file("pdf", catalog.BOM+"---\nname: pdf\ndescription: Fills and reads PDF forms. Use when a task names a .pdf file.\n---\n# pdf\n\n1. Read the input.\n2. Write the result.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if strings.HasPrefix(s.Src.Text, catalog.BOM) {
			report(Problem{At: s.Src.Line(1), Text: "the file begins with U+FEFF", Fix: &Fix{"remove the mark", []Edit{{0, len(catalog.BOM), ""}}}})
		}
	},
}
