package lint

import (
	"fmt"
	"strings"
)

var reservedWord = &Rule{
	ID:       "SG120",
	Title:    "name holds a reserved word",
	Why:      "the Skills API refuses names with \"anthropic\" or \"claude\"",
	Advice:   "name the skill for what it does",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Info,
	Bad:      front("claude-pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		name, _ := s.Front.Scalar("name")
		for _, word := range []string{"anthropic", "claude"} {
			if strings.Contains(strings.ToLower(name), word) {
				report(Problem{At: s.In("name", name), Text: fmt.Sprintf("name %q holds %q", name, word)})
				return
			}
		}
	},
}
