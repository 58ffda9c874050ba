package lint

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// hostEnd returns the offset at which Claude Code ends the frontmatter, or -1. The end is at the first three dashes
// after the opening line, even in the middle of a line.
func (f *Front) hostEnd(text string) int {
	if i := strings.Index(text[f.Start:], "---"); f.Opened && i >= 0 {
		return f.Start + i
	}
	return -1
}

// hostReads reports whether Claude Code can read the frontmatter, if necessary after putting values with special
// characters in quotation marks.
func hostReads(text string) bool { return hostTakes(text) || hostTakes(hostMends(text)) }

func hostTakes(text string) bool {
	if expr("tabbedBlock").MatchString(text) {
		return false
	}
	text = expr("tabbedLine").ReplaceAllStringFunc(text, func(s string) string {
		return strings.ReplaceAll(s, "\t", "  ")
	})
	text = strings.ReplaceAll(text, `\/`, `/`)
	text = strings.Map(func(r rune) rune {
		if control(r) {
			return ' '
		}
		return r
	}, text)
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return false
	}
	src := source.New("", text)
	return outdented(src, &doc, 1, 0) == nil && afterEnd(text) < 0
}

func hostMends(text string) string {
	return expr("mendable").ReplaceAllStringFunc(text, func(line string) string {
		m := expr("mendable").FindStringSubmatch(line)
		value := strings.TrimRight(m[2], " \t\r")
		quoted := len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]
		if quoted || !strings.ContainsAny(value, "{}[]*&#!|>%@`") && !strings.Contains(value, ": ") {
			return line
		}
		return m[1] + `: "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	})
}

func afterEnd(text string) int {
	m := expr("documentEnd").FindStringIndex(text)
	if m == nil || strings.TrimSpace(text[m[1]:]) == "" {
		return -1
	}
	return m[0]
}

// outdented returns the offsets of continuation lines of a quoted value or flow list that are indented no further
// than its key. YAML forbids this, but yaml.v3 accepts it. The YAML begins at line firstLine of src; column is 0
// for the whole document.
func outdented(src *source.File, n *yaml.Node, firstLine, column int) []int {
	flow := n.Style&yaml.FlowStyle != 0
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 ||
		flow && (n.Kind == yaml.SequenceNode || n.Kind == yaml.MappingNode) {
		return leftOf(src, src.Offset(firstLine+n.Line-1, n.Column), column)
	}
	if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
		column = n.Column
	}
	for _, c := range n.Content {
		if bad := outdented(src, c, firstLine, column); bad != nil {
			return bad
		}
	}
	return nil
}

func leftOf(src *source.File, start, column int) []int {
	var bad []int
	depth, quote := 0, byte(0)
	for i := start; i < len(src.Text); i++ {
		c := src.Text[i]
		switch {
		case c == '\n':
			line := src.LineText(src.LineAt(i) + 1)
			rest := strings.TrimLeft(line, " \t")
			if indent := len(line) - len(rest); rest != "" && indent < column &&
				!(quote == 0 && strings.IndexByte("]}", rest[0]) >= 0 && indent == column-1) {
				bad = append(bad, i+1)
			}
		case quote == '"' && c == '\\':
			i++
		case quote == '\'' && c == quote && strings.HasPrefix(src.Text[i+1:], "'"):
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if quote == 0 && depth <= 0 && strings.IndexByte(`"']}`, c) >= 0 {
			return bad
		}
	}
	return bad
}
