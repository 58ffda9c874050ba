package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/clip"
)

// Frontmatter is the position of a file's frontmatter, in bytes.
type Frontmatter struct {
	Opened     bool // the first line is ---
	Closed     bool // a later line is ---
	Start, End int  // offsets of the YAML; End is the length of the text if the frontmatter is not closed
	Body       int  // start of the Markdown: after the second ---, or the start of the text if that is missing
}

// BOM is the byte order mark, which Claude Code before 2.1.239 treated as content.
const BOM = "\uFEFF"

// FindFrontmatter finds the frontmatter of a text as the host does: it skips a byte order mark before the first line
// and ignores blanks and a carriage return after the dashes.
func FindFrontmatter(text string) Frontmatter {
	f := Frontmatter{Body: len(text) - len(strings.TrimPrefix(text, BOM))}
	at := f.Body
	for line := range strings.Lines(text[f.Body:]) {
		dashes := strings.TrimRight(line, " \t\r\n") == "---"
		next := at + len(line)
		switch {
		case !f.Opened && !dashes:
			return f
		case !f.Opened:
			f.Opened, f.Start, f.End = true, next, len(text)
		case dashes:
			f.Closed, f.End, f.Body = true, at, next
			return f
		}
		at = next
	}
	return f
}

type value struct {
	items []string
	isSeq bool
	line  int // 1-based in the file; 0 if the field is absent
}

func (v value) text() string { return strings.Join(v.items, ", ") }

func (v value) truth() bool {
	switch lower(strings.TrimSpace(v.text())) {
	case "true", "yes", "on", "1", "y":
		return true
	}
	return false
}

// fields are the frontmatter fields by key. Fields of a mapping are under "outer.inner".
type fields map[string]value

func (f fields) first(keys ...string) value {
	for _, k := range keys {
		if v, ok := f[k]; ok && v.text() != "" {
			return v
		}
	}
	return value{}
}

func (f fields) triggers() []string {
	var out []string
	for _, key := range []string{"triggers", "trigger", "trigger_phrases", "metadata.triggers",
		"metadata.trigger_phrases"} {
		v := f[key]
		for _, item := range v.items {
			if v.isSeq {
				out = append(out, item)
				continue
			}
			out = append(out, splitList(item)...)
		}
	}
	return out
}

const (
	maxYAML  = 64 << 10 // bytes given to the YAML parser; the largest real frontmatter seen is under 8 KB
	maxItems = 1000     // maximum length of one list
)

// readFields parses frontmatter. Invalid YAML is read line by line, so that a skill with a stray colon keeps its
// description.
func readFields(front string) (fields, []Problem) {
	if strings.TrimSpace(front) == "" {
		return fields{}, nil
	}
	if len(front) > maxYAML {
		text := fmt.Sprintf("the frontmatter has %d bytes (limit %d), so it is read line by line", len(front), maxYAML)
		return lineFields(front[:len(clip.Bytes(front, maxYAML))]), []Problem{{Line: 1, Text: text}}
	}
	doc, err := parseYAML(front)
	if err != nil {
		return lineFields(front), []Problem{{Line: yamlLine(err),
			Text: "the frontmatter is read line by line, because it is not valid YAML: " + clean(YAMLFault(err, "field"))}}
	}
	if len(doc.Content) == 0 {
		return fields{}, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return lineFields(front),
			[]Problem{{Line: top.Line + 1, Text: "the frontmatter has no keys and values, so it is read line by line"}}
	}
	fm, problems := fields{}, []Problem(nil)
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, node := top.Content[i].Value, top.Content[i+1]
		if _, twice := fm[key]; twice {
			problems = append(problems,
				Problem{Line: top.Content[i].Line + 1, Text: clean(fmt.Sprintf("%s is set twice; the last value is used", key))})
		}
		fm[key] = scalars(node, top.Content[i].Line+1)
		if node.Kind != yaml.MappingNode {
			continue
		}
		for j := 0; j+1 < len(node.Content) && j < 2*maxItems; j += 2 {
			fm[key+"."+node.Content[j].Value] = scalars(node.Content[j+1], node.Content[j].Line+1)
		}
	}
	if v := fm["description"]; v.isSeq {
		problems = append(problems, Problem{Line: v.line, Text: "description must be text, not a list"})
	}
	return fm, problems
}

// parseYAML reads YAML into nodes, which leaves aliases unexpanded.
func parseYAML(front string) (doc *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil { // the parser panics on some malformed input
			err = fmt.Errorf("%v", r)
		}
	}()
	doc = new(yaml.Node)
	return doc, yaml.Unmarshal([]byte(front), doc)
}

// yamlLine returns the line number in the file for a parser error. The frontmatter starts on line 2.
func yamlLine(err error) int {
	_, after, ok := strings.Cut(err.Error(), "line ")
	if !ok {
		return 1
	}
	digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
	n, convErr := strconv.Atoi(digits)
	if convErr != nil {
		return 1
	}
	return n + 1
}

func scalars(n *yaml.Node, line int) value {
	v := value{line: line}
	n = follow(n)
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag != "!!null" {
			v.items = []string{n.Value}
		}
	case yaml.SequenceNode:
		v.isSeq = true
		for i, c := range n.Content {
			if c = follow(c); i < maxItems && c.Kind == yaml.ScalarNode && c.Tag != "!!null" {
				v.items = append(v.items, c.Value)
			}
		}
	}
	return v
}

func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// lineFields reads "key: value" lines without YAML: quoted values, block scalars (| and >), values continued on
// indented lines, and lists of "- item".
func lineFields(front string) fields {
	fm := fields{}
	lines := strings.Split(front, "\n")
	for i := 0; i < len(lines); {
		key, rest, ok := keyLine(lines[i])
		line := i + 2
		i++
		if !ok {
			continue
		}
		var more []string
		for i < len(lines) &&
			(lines[i] == "" || lines[i][0] == ' ' || lines[i][0] == '\t' || strings.HasPrefix(lines[i], "- ")) {
			more = append(more, strings.TrimSpace(lines[i]))
			i++
		}
		v := value{line: line}
		switch {
		case strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, ">"):
			sep := " "
			if rest[0] == '|' {
				sep = "\n"
			}
			v.items = []string{strings.TrimSpace(strings.Join(more, sep))}
		case rest == "" && len(more) > 0 && strings.HasPrefix(more[0], "- "):
			v.isSeq = true
			for _, m := range more {
				if item, ok := strings.CutPrefix(m, "- "); ok && len(v.items) < maxItems {
					v.items = append(v.items, unquote(item))
				}
			}
		case strings.HasPrefix(rest, "[") && strings.HasSuffix(rest, "]"):
			v.isSeq = true
			for _, item := range strings.Split(rest[1:len(rest)-1], ",") {
				v.items = append(v.items, unquote(item))
			}
		default:
			v.items = []string{unquote(strings.TrimSpace(rest + " " + strings.Join(more, " ")))}
		}
		if _, twice := fm[key]; !twice {
			fm[key] = v
		}
	}
	return fm
}

func keyLine(line string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(line, ":")
	if !ok || key == "" || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", false
	}
	for _, c := range []byte(key) {
		if !isWord(c) && c != '-' {
			return "", "", false
		}
	}
	return key, strings.TrimSpace(rest), true
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		s = s[1 : len(s)-1]
	}
	return s
}
