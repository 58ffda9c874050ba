package lint

import "strings"

var noName = &Rule{
	ID:       "SG107",
	Title:    "name is missing",
	Why:      "Claude Code takes the folder's name, but the specification requires the field and other hosts refuse the skill",
	Advice:   "add name with the folder's name",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Fixes:    true,
	Bad:      file("pdf", "---\ndescription: Fills and reads PDF forms. Use when a task names a .pdf file.\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		f := s.Front
		if !f.Mapping {
			return
		}
		k, ok := f.Key("name")
		if ok {
			if v, _ := f.Scalar("name"); v == "" && k.Node.Content == nil {
				report(Problem{At: s.Key("name"), Text: "name is empty"})
			}
			return
		}
		p := Problem{At: s.Src.Line(1), Text: "there is no name"}
		if s.Folder != "" && nameFault(s.Folder) == "" {
			end := "\n"
			if strings.HasSuffix(s.Src.Text[:f.Start], "\r\n") {
				end = "\r\n"
			}
			p.Fix = s.keepsYAML(&Fix{"add the folder's name", []Edit{{f.Start, f.Start, "name: " + s.Folder + end}}})
		}
		report(p)
	},
}
