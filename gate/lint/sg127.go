package lint

import "strings"

var emptyBody = &Rule{
	ID:       "SG127",
	Title:    "body is empty",
	Why:      "loading the skill tells the model nothing that the description did not",
	Advice:   "write down the steps",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\n---\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if s.Front.Closed && strings.TrimSpace(s.BodyText()) == "" {
			report(Problem{At: s.Src.Line(len(s.Src.lines)), Text: "nothing follows the frontmatter"})
		}
	},
}
