package lint

import (
	"fmt"
	"slices"
	"strings"
)

var unknownKey = &Rule{
	ID:       "SG115",
	Title:    "key that no host reads",
	Why:      "Claude Code ignores it and hosts that hold to the specification refuse the skill",
	Advice:   "move it under metadata",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Info,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\nauthor: Ann\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\nmetadata:\n  author: Ann\n---\n# PDF\n\n1. Read the form.\n"),
	Check: func(s *Skill, report Report) {
		var names []string
		var first Key
		for _, k := range s.Front.Keys {
			if knownKey(k.Name) || nearKey(k.Name) != "" || slices.Contains(triggerKeys, k.Name) {
				continue
			}
			if names == nil {
				first = k
			}
			names = append(names, k.Name)
		}
		if names != nil {
			report(Problem{At: s.Src.Span(first.Start, first.End), Text: fmt.Sprintf("not a field of any host: %s", strings.Join(names, ", "))})
		}
	},
}

// triggerKeys are fields that skillgate itself reads triggers from.
var triggerKeys = []string{"triggers", "trigger", "trigger_phrases"}
