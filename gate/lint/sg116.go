package lint

import (
	"fmt"
	"slices"
	"strings"
)

var hostOnlyKey = &Rule{
	ID:       "SG116",
	Title:    "key that only Claude Code or skillgate reads",
	Why:      "the upload of claude.ai, the Skills API and the packaging script refuse a skill with any key but the six of the specification",
	Advice:   "leave it where the skill is for Claude Code only, and ignore this rule there",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Info,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\nargument-hint: FILE\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		var names []string
		var first Key
		for _, k := range s.Front.Keys {
			if !slices.Contains(hostKeys, k.Name) && !slices.Contains(triggerKeys, k.Name) {
				continue
			}
			if names == nil {
				first = k
			}
			names = append(names, k.Name)
		}
		if names != nil {
			report(Problem{At: s.Src.Span(first.Start, first.End), Text: fmt.Sprintf("other hosts refuse: %s", strings.Join(names, ", "))})
		}
	},
}
