package lint

import "strings"

var innerDashes = &Rule{
	ID:       "SG122",
	Title:    "--- inside the frontmatter",
	Why:      "skills-ref ends the frontmatter at the next three hyphens, wherever they stand, and loses what follows",
	Advice:   "write a dash (–) or a colon instead",
	See:      skillsRef,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad:      front("pdf", "Fills PDF forms --- and reads them. Use when a task names a .pdf file."),
	Good:     front("pdf", "Fills PDF forms and reads them. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		f := s.Front
		if !f.Closed {
			return
		}
		if i := strings.Index(s.Src.Text[f.Start:f.End], "---"); i >= 0 {
			report(Problem{At: s.Src.Span(f.Start+i, f.Start+i+3), Text: "three hyphens before the end of the frontmatter"})
		}
	},
}
