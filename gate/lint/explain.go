package lint

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/lint/source"
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
	for line := range strings.Lines(exampleText(e)) {
		line = strings.TrimRight(line, "\n")
		b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
	return b.String()
}

func exampleText(e Example) string {
	const maxLine, maxLines = 240, 24
	var out []string
	for line := range strings.Lines(e.String()) {
		line = strings.TrimSuffix(line, "\n")
		if r := []rune(strings.ToValidUTF8(line, "�")); len(r) > maxLine {
			line = string(r[:maxLine]) + "…"
		}
		out = append(out, visible(line))
	}
	if len(out) > maxLines {
		out = append(out[:maxLines-1], "…")
	}
	return strings.Join(out, "\n") + "\n"
}

func visible(line string) string {
	var b strings.Builder
	for i, r := range strings.ToValidUTF8(line, "�") {
		switch {
		case source.Hidden(r) && !source.Belongs(line, i, r), r == 0xFEFF:
			fmt.Fprintf(&b, "{U+%04X}", r)
		case r == '\r':
			b.WriteString("{CR}")
		case unicode.IsControl(r) && r != '\t':
			fmt.Fprintf(&b, "{U+%04X}", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
