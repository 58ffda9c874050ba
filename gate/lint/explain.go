package lint

import (
	"fmt"
	"strings"
)

// Explain returns the documentation of a rule as `lint rules ID` prints it.
func (r *Rule) Explain() string {
	t := r.Text()
	return fmt.Sprintf("%s  %s\n\n%s, %s, since %s\n\nWhy:  %s.\nDo:   %s.\nSee:  %s\n\nReported:\n%s\nNot reported:\n%s",
		r.ID, t.Title, r.Group(), r.Severity, t.Since, strings.TrimSuffix(t.Why, "."), strings.TrimSuffix(t.Advice, "."),
		t.See,
		indent(t.Bad), indent(t.Good))
}

func indent(e Example) string {
	var b strings.Builder
	for line := range strings.Lines(e.String()) {
		b.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
	}
	return b.String()
}
