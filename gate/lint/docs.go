package lint

import (
	"fmt"
	"strings"
	"unicode"
)

// Explain returns the text of one rule as `lint --explain` prints it.
func (r *Rule) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n", r.ID, r.Title)
	fmt.Fprintf(&b, "%s, %s, since %s\n\n", r.Group, r.Severity, r.Since)
	fmt.Fprintf(&b, "Why:  %s.\nDo:   %s.\nSee:  %s\n", strings.TrimSuffix(r.Why, "."), strings.TrimSuffix(r.Advice, "."), r.See)
	fmt.Fprintf(&b, "\nReported:\n%s\nNot reported:\n%s", indent(r.Bad), indent(r.Good))
	return b.String()
}

func indent(e Example) string {
	var b strings.Builder
	for line := range strings.Lines(shown(e)) {
		line = strings.TrimRight(line, "\n")
		b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
	return b.String()
}

// shown is an example as text that can be printed: long lines and files are cut,
// hidden characters written as U+nnnn, and what the journal says is added.
func shown(e Example) string {
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
	for _, name := range sortedNames(e.Usage) {
		u := e.Usage[name]
		line := fmt.Sprintf("(journal, 30 days: %s was named %d times, loaded %d times", name, u.Named, u.Loaded)
		for _, first := range sortedNames(u.Second) {
			line += fmt.Sprintf(", second to %s %d times", first, u.Second[first])
		}
		out = append(out, line+")")
	}
	if e.Listing != nil {
		out = append(out, fmt.Sprintf("(the host's listing has %d characters; without their description: %s)", e.Listing.Budget, strings.Join(append(e.Listing.Dropped, "none")[:max(1, len(e.Listing.Dropped))], ", ")))
	}
	return strings.Join(out, "\n") + "\n"
}

func visible(line string) string {
	var b strings.Builder
	for i, r := range strings.ToValidUTF8(line, "�") {
		switch {
		case hidden(r) && !belongs(line, i, r), r == 0xFEFF:
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

// Docs returns the documentation of all rules in Markdown. RULES.md holds it.
func Docs() string {
	var b strings.Builder
	b.WriteString("# Rules of skillgate lint\n\n")
	b.WriteString("Written by `go test ./gate/lint -run TestDocs -update` from the rules themselves; `skillgate lint --explain SG104` prints one of them.\n\n")
	b.WriteString("| id | severity | fix | mistake |\n| --- | --- | --- | --- |\n")
	for _, r := range All {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s |\n", r.ID, strings.ToLower(r.ID), r.Severity, fixMark(r), r.Title)
	}
	group := Group("")
	for _, r := range All {
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(&b, "\n## %s%s\n", strings.ToUpper(string(group[:1])), group[1:])
		}
		fmt.Fprintf(&b, "\n### %s\n\n**%s%s.** %s%s.\n\n", r.ID, strings.ToUpper(r.Title[:1]), r.Title[1:], strings.ToUpper(r.Why[:1]), strings.TrimSuffix(r.Why[1:], "."))
		fmt.Fprintf(&b, "What to do: %s. Severity %s, since %s, source: <%s>\n", strings.TrimSuffix(r.Advice, "."), r.Severity, r.Since, r.See)
		fmt.Fprintf(&b, "\nReported:\n\n~~~~text\n%s~~~~\n\nNot reported:\n\n~~~~text\n%s~~~~\n", shown(r.Bad), shown(r.Good))
	}
	return b.String()
}

func fixMark(r *Rule) string {
	if r.Fixes {
		return "yes"
	}
	return ""
}
