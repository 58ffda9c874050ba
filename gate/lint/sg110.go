package lint

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

var nameNotFolder = &Rule{
	ID:       "SG110",
	Title:    "name is not the folder's",
	Why:      "older versions of the host call a skill by its folder, newer ones by its name, and skills-ref refuses the difference",
	Advice:   "give the folder and the name the same text",
	See:      skillsRef,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad:      Example{Files: []ExampleFile{{Path: "forms/SKILL.md", Text: page("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.")}}},
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		name, ok := s.Front.Scalar("name")
		name = strings.TrimSpace(name)
		if ok && name != "" && s.Dir != "" && norm.NFKC.String(name) != norm.NFKC.String(s.Folder) {
			report(Problem{At: s.In("name", name), Text: fmt.Sprintf("name is %q, the folder is %q", name, s.Folder)})
		}
	},
}
