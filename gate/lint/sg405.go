package lint

import "fmt"

var shadowed = &Rule{
	ID:       "SG405",
	Title:    "another skill of the same name is loaded instead",
	Why:      "of equal names the host loads one: the organisation's, then the user's, then the project's; the others are never seen",
	Advice:   "rename one of the two",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupLibrary,
	Severity: Warning,
	Bad:      Example{Installed: true, Files: []ExampleFile{skill("pdf", "Fills PDF forms."), {Path: "project/pdf/SKILL.md", Text: page("pdf", "Reads PDF forms.")}}},
	Good:     Example{Installed: true, Files: []ExampleFile{skill("pdf", "Fills PDF forms."), {Path: "project/forms/SKILL.md", Text: page("forms", "Reads PDF forms.")}}},
	Within: func(l *Library, s *Skill, report Report) {
		by := l.Shadowed[s.ID]
		if by == "" {
			return
		}
		where := by
		if w := l.byID[by]; w != nil {
			where = w.Src.Path
		}
		report(Problem{At: s.Key("name"), Text: fmt.Sprintf("the host loads %s under the name %q", where, s.Name)})
	},
}
