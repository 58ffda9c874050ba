package lint

import "fmt"

var duplicateKey = &Rule{
	ID:       "SG113",
	Title:    "key is set twice",
	Why:      "YAML forbids it: some parsers refuse the whole frontmatter, others keep the last value in silence",
	Advice:   "keep one of them",
	See:      "https://yaml.org/spec/1.2.2/#3211-nodes",
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms.\ndescription: Reads PDF forms.\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		first := map[string]int{}
		for _, k := range s.Front.Keys {
			line := s.Src.lineAt(k.Start)
			if at, twice := first[k.Name]; twice {
				report(Problem{At: s.Src.Span(k.Start, k.End), Text: fmt.Sprintf("%s is set on line %d already", k.Name, at)})
				continue
			}
			first[k.Name] = line
		}
	},
}
