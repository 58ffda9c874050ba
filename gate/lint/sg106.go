package lint

import (
	"strings"

	"gopkg.in/yaml.v3"
)

var noDescription = &Rule{
	ID:       "SG106",
	Title:    "description is missing or empty",
	Why:      "the description is what a skill is found by; without it the host shows the first line of the body, and other hosts skip the skill",
	Advice:   "say in one sentence what the skill does, then when to use it",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      file("pdf", "---\nname: pdf\ndescription:\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		f := s.Front
		if !f.Closed || f.Err != nil || !f.Mapping && strings.TrimSpace(s.Src.Text[f.Start:f.End]) != "" {
			return // SG101 to SG103 say more
		}
		k, ok := f.Key("description")
		switch {
		case !ok:
			report(Problem{At: s.Src.Line(1), Text: "there is no description"})
		case k.Node.Kind == yaml.ScalarNode && (k.Node.Tag == "!!null" || strings.TrimSpace(k.Node.Value) == ""):
			report(Problem{At: s.Key("description"), Text: "description is empty"})
		}
	},
}
