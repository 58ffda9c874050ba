package lint

var openFrontmatter = &Rule{
	ID:       "SG102",
	Title:    "frontmatter is not closed",
	Why:      "without a second line --- the whole file is content and nothing of it is a description",
	Advice:   "put a line --- behind the last field",
	See:      skillsRef,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms.\n\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if s.Front.Opened && !s.Front.Closed {
			report(Problem{At: s.Src.Line(1), Text: "the frontmatter that begins here has no closing ---"})
		}
	},
}
