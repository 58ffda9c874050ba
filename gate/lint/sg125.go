package lint

import (
	"fmt"

	"github.com/skillgate/skillgate/gate/catalog"
)

var fileTooLarge = &Rule{
	ID:       "SG125",
	Title:    "file over 1,000,000 bytes",
	Why:      "Claude Code skips the skill; what the file holds would fill the whole context anyway",
	Advice:   "move tables and references to files of their own",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad: Example{Files: []ExampleFile{{
		Path:  "pdf/SKILL.md",
		Text:  "---\nname: pdf\ndescription: Fills and reads PDF forms. Use when a task names a .pdf file.\n---\n# pdf\n\n1. Read the input.\n2. Write the result.\none more line of a table\n",
		Times: 41_000,
	}}},
	Good: front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		const limit = 1_000_000
		size := max(s.Size, int64(len(s.Src.Text)))
		switch {
		case s.Large:
			report(Problem{At: s.Src.Whole(), Text: fmt.Sprintf("%d bytes, limit %d; only the first %d were checked", size, limit, catalog.MaxFile)})
		case size > limit:
			report(Problem{At: s.Src.Whole(), Text: fmt.Sprintf("%d bytes, limit %d", size, limit)})
		}
	},
}
