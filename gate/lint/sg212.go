package lint

import (
	"fmt"
	"strings"
)

var placeholder = &Rule{
	ID:       "SG212",
	Title:    "placeholder in the description",
	Why:      "the template was not filled in: what the skill does is not said, or half of it",
	Advice:   "replace it by what the skill does and when to use it",
	See:      validateURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Error,
	Bad:      front("pdf", "\"TODO: describe what this skill does and when to use it.\""),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		text := unquote(s.Text())
		if m := templateText.get().FindString(text); m != "" {
			m = strings.Trim(m, " .(")
			report(Problem{At: s.InDescription(m), Text: fmt.Sprintf("holds %q", m)})
		}
	},
}

var templateText = lazy(`(?i)(^|[.\s\[(])(TODO:|TBD\b|FIXME:|lorem ipsum|your (description|text) here|(insert|add|write) (a |your )?(short |brief )?description|describe what (this|the) skill does|\[TODO\b|description goes here|replace (this )?with (a |the |your )?description|here is where the description|trigger with relevant phrases based on skill purpose|use when appropriate context detected|여기에 설명)|^\s*\[(skill |your )?(name|description)\]`)
