package lint

import (
	"fmt"
)

var angleBrackets = &Rule{
	ID:       "SG119",
	Title:    "angle brackets in the description or name",
	Why:      "the description goes into the model's context, where a tag reads as markup; quick_validate refuses both characters",
	Advice:   "write names without brackets: FILE instead of <file>",
	See:      validateURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad:      front("pdf", "Fills the form <file>. Use when a task names a .pdf file."),
	Good:     front("pdf", "Fills the form FILE. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		for _, key := range []string{"name", "description"} {
			v, _ := s.Front.Scalar(key)
			if m := bracketed().FindString(v); m != "" {
				report(Problem{At: s.In(key, m), Text: fmt.Sprintf("%s holds %q", key, m)})
			}
		}
	},
}

var bracketed = lazy(`<[^<>\s]{0,40}>|[<>]`)
