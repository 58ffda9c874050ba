package lint

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/lint/source"
)

// Front is the frontmatter of a SKILL.md with positions, which are offsets in the file's text.
type Front struct {
	catalog.Frontmatter
	FirstDash int // number of the first line after line 1 that is ---, or 0
	Keys      []Key
	Mapping   bool // the YAML is a mapping
	Err       *YAMLError
	outdented []int // offsets of continuation lines indented less than YAML requires
}

// Key is one top-level key.
type Key struct {
	Name       string
	Start, End int        // offsets of the key
	Until      int        // offset of the next key, or of the end of the YAML
	Node       *yaml.Node // the key's value; nil if the YAML does not parse
}

// YAMLError describes why the frontmatter does not parse.
type YAMLError struct {
	Line int // 1-based line in the file
	Col  int // 1-based column in characters; 0 if unknown
	Text string
}

func readFront(src *source.File) *Front {
	f := findFront(src)
	f.parse(src)
	return f
}

func findFront(src *source.File) *Front {
	f := &Front{Frontmatter: catalog.FindFrontmatter(src.Text)}
	if !f.Opened {
		for n := min(src.Lines(), 20); n > 1; n-- {
			if strings.TrimRight(src.LineText(n), " \t") == "---" {
				f.FirstDash = n
			}
		}
	}
	return f
}

func (f *Front) parse(src *source.File) {
	if !f.Opened {
		return
	}
	text := src.Text[f.Start:f.End]
	var doc yaml.Node
	err := yaml.Unmarshal([]byte(text), &doc)
	firstLine := src.LineAt(f.Start)
	if err == nil && len(doc.Content) == 1 && doc.Content[0].Kind == yaml.MappingNode {
		f.Mapping = true
		f.keys(src, doc.Content[0], firstLine)
		f.outdented = outdented(src, doc.Content[0], firstLine, 0)
		return
	}
	f.scan(text)
	if err != nil {
		line, text := catalog.FaultLine(catalog.YAMLFault(err, "field"))
		f.Err = f.blame(src, &YAMLError{Line: firstLine + max(line, 1) - 1, Text: text})
	}
}

func (f *Front) blame(src *source.File, e *YAMLError) *YAMLError {
	for _, k := range f.Keys {
		if at, ok := f.looseColon(src, k); ok {
			if p := src.Span(at, at); p.Line >= e.Line-2 && p.Line <= e.Line+1 {
				return &YAMLError{p.Line, p.Col, "a colon and a space inside an unquoted value"}
			}
		}
	}
	for _, at := range findAll("textAfterValue", src.Text[f.Start:f.End], 9) {
		p := src.Span(f.Start+at[1]-1, f.Start+at[1])
		if strings.Contains(e.Text, "indented differently") && p.Line >= e.Line-2 && p.Line <= e.Line+1 {
			return &YAMLError{p.Line, p.Col, "text after a value in quotation marks or brackets"}
		}
	}
	return e
}

func (f *Front) looseColon(src *source.File, k Key) (int, bool) {
	line, _, _ := strings.Cut(src.Text[k.End:f.End], "\n")
	_, value, _ := strings.Cut(line, ":")
	value = strings.TrimLeft(value, " \t")
	i := strings.Index(value, ": ")
	if i < 0 || strings.ContainsAny(value[:1], "'\"|>[{&*!#") {
		return 0, false
	}
	return k.End + len(line) - len(value) + i, true
}

const maxKeys = 200

func (f *Front) keys(src *source.File, m *yaml.Node, firstLine int) {
	for i := 0; i+1 < len(m.Content) && len(f.Keys) < maxKeys; i += 2 {
		k := m.Content[i]
		start := src.Offset(firstLine+k.Line-1, k.Column)
		end := min(start+len(k.Value), f.End)
		f.Keys = append(f.Keys, Key{Name: k.Value, Start: start, End: end, Node: m.Content[i+1]})
	}
	f.close()
}

func (f *Front) scan(text string) {
	for _, m := range findAll("topKey", text, maxKeys) {
		name := strings.Trim(text[m[2]:m[3]], `"'`)
		f.Keys = append(f.Keys, Key{Name: name, Start: f.Start + m[2], End: f.Start + m[3]})
	}
	f.close()
}

func (f *Front) close() {
	for i := range f.Keys {
		f.Keys[i].Until = f.End
		if i+1 < len(f.Keys) {
			f.Keys[i].Until = f.Keys[i+1].Start
		}
	}
}

// Key returns the first key with that name.
func (f *Front) Key(name string) (Key, bool) {
	if i := slices.IndexFunc(f.Keys, func(k Key) bool { return k.Name == name }); i >= 0 {
		return f.Keys[i], true
	}
	return Key{}, false
}

func (f *Front) has(name string) bool { _, ok := f.Key(name); return ok }

// Scalar returns the text of the first key with that name if its value is a scalar.
func (f *Front) Scalar(name string) (string, bool) {
	k, ok := f.Key(name)
	if !ok || k.Node == nil || k.Node.Kind != yaml.ScalarNode || k.Node.Tag == "!!null" {
		return "", false
	}
	return k.Node.Value, true
}

// hostEnd returns the offset of the first --- after the opening line, even inside a line, or -1.
func (f *Front) hostEnd(text string) int {
	if i := strings.Index(text[f.Start:], "---"); f.Opened && i >= 0 {
		return f.Start + i
	}
	return -1
}

// hostReads reports whether Claude Code reads the frontmatter, perhaps after quoting values with special characters.
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
	if m := expr("documentEnd").FindStringIndex(text); m != nil && strings.TrimSpace(text[m[1]:]) != "" {
		return m[0]
	}
	return -1
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
