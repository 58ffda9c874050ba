package lint

import (
	"fmt"
	"strings"
)

var malformedName = &Rule{
	ID:       "SG108",
	Title:    "name is not lower-case letters, digits and single hyphens",
	Why:      "skills-ref, quick_validate and the upload of claude.ai refuse the skill",
	Advice:   "write the name in kebab-case and call the folder the same",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      front("PDF Forms", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Good:     front("pdf-forms", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		name, ok := s.Front.Scalar("name")
		if fault := nameFault(strings.TrimSpace(name)); ok && name != "" && fault != "" {
			report(Problem{At: s.In("name", name), Text: fmt.Sprintf("name %q %s", name, fault)})
		}
	},
}

var kebab = lazy(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// nameFault says why a name is refused, "" when it is not. Length is SG109's.
func nameFault(name string) string {
	switch {
	case kebab.get().MatchString(name):
		return ""
	case strings.ToLower(name) != name:
		return "has capitals"
	case strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-"):
		return "begins or ends with a hyphen"
	case strings.Contains(name, "--"):
		return "has two hyphens in a row"
	}
	return "has characters other than a-z, 0-9 and -"
}
