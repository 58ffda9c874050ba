package lint

// Unreadable is the rule for files that no other rule can look at.
const Unreadable = "SG100"

var unreadableFile = &Rule{
	ID:       Unreadable,
	Title:    "file cannot be read",
	Why:      "a skill that cannot be opened is not there: permissions, a link in a circle, or a folder where the file should be",
	Advice:   "give the user read permission, or repair the link",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      Example{Installed: true, Files: []ExampleFile{{Path: "pdf/SKILL.md/notes.txt", Text: "SKILL.md is a folder here\n"}}},
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if s.Err != nil {
			report(Problem{At: s.Src.Whole(), Text: s.Err.Error()})
		}
	},
}
