package register

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// maxBrackets limits the number of opening brackets in a settings file, because hujson.Parse recurses for each level.
const maxBrackets = 20_000

// document is the text of a settings file and its syntax tree. Every edit replaces the text
// and parses it again, so that the offsets in the tree are always valid.
type document struct {
	file string // path, for messages
	bom  bool
	text []byte // without the byte order mark
	root hujson.Value

	original *document // the file before Install, if Uninstall knows it
}

var bom = []byte("\ufeff")

// parse accepts comments and trailing commas, and reads an empty text as an empty object.
// Its errors name the file, line and column.
func parse(file string, text []byte) (*document, error) {
	d := &document{file: file}
	text, d.bom = bytes.CutPrefix(text, bom)
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	if err := d.set(text); err != nil {
		return nil, err
	}
	if _, ok := d.root.Value.(*hujson.Object); !ok {
		return nil, d.errorf(d.root, "not a JSON object")
	}
	return d, nil
}

func (d *document) set(text []byte) error {
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > maxBrackets {
		return fmt.Errorf("%s is too large: it has more than %d opening brackets", d.file, maxBrackets)
	}
	// The tree refers to the bytes that it was parsed from; splice must not overwrite them.
	root, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		var line, column int
		msg := err.Error()
		if _, scan := fmt.Sscanf(msg, "hujson: line %d, column %d:", &line, &column); scan == nil {
			_, msg, _ = strings.Cut(msg, ": ")
			_, msg, _ = strings.Cut(msg, ": ")
			return fmt.Errorf("%s:%d:%d: %s", d.file, line, column, msg)
		}
		return fmt.Errorf("%s: %s", d.file, msg)
	}
	d.text, d.root = text, root
	return nil
}

func (d *document) bytes() []byte {
	if d.bom {
		return append(bytes.Clone(bom), d.text...)
	}
	return bytes.Clone(d.text)
}

func (d *document) errorf(at hujson.Value, format string, args ...any) error {
	line, column := d.position(at.StartOffset)
	return fmt.Errorf("%s:%d:%d: %s", d.file, line, column, fmt.Sprintf(format, args...))
}

func (d *document) position(offset int) (line, column int) {
	head := d.text[:offset]
	return 1 + bytes.Count(head, []byte("\n")), offset - bytes.LastIndexByte(head, '\n')
}

// Plain reports whether text is JSON without comments and trailing commas.
func Plain(text []byte) bool {
	text, _ = bytes.CutPrefix(text, bom)
	return len(bytes.TrimSpace(text)) == 0 || json.Valid(text)
}

type span struct{ start, end int }

type container struct {
	span
	items []span
}

func contents(v hujson.Value) container {
	c := container{span: span{v.StartOffset, v.EndOffset}}
	switch t := v.Value.(type) {
	case *hujson.Object:
		for _, m := range t.Members {
			c.items = append(c.items, span{m.Name.StartOffset, m.Value.EndOffset})
		}
	case *hujson.Array:
		for _, e := range t.Elements {
			c.items = append(c.items, span{e.StartOffset, e.EndOffset})
		}
	}
	return c
}

// member returns the last member of v named name. Hosts ignore earlier duplicates.
func member(v hujson.Value, name string) (value hujson.Value, index int, ok bool) {
	obj, isObject := v.Value.(*hujson.Object)
	if !isObject {
		return value, 0, false
	}
	for i, m := range obj.Members {
		if lit, isLit := m.Name.Value.(hujson.Literal); isLit && lit.String() == name {
			value, index, ok = m.Value, i, true
		}
	}
	return value, index, ok
}

func text(v hujson.Value) (string, bool) {
	lit, ok := v.Value.(hujson.Literal)
	if !ok || lit.Kind() != '"' {
		return "", false
	}
	return lit.String(), true
}

func textOf(v hujson.Value, name string) string {
	value, _, _ := member(v, name)
	s, _ := text(value)
	return s
}

// insert appends an item to the object or array v. In an array, key is empty.
func (d *document) insert(v hujson.Value, key string, value any) error {
	c := contents(v)
	closing := c.end - 1
	if len(c.items) == 0 {
		at := len(bytes.TrimRight(d.text[:closing], " \t\r\n")) // after the opening bracket or the last comment
		if d.oneLine() {
			return d.splice(edit{span{at, at}, d.render(key, value, "", true)})
		}
		outer := d.indentAt(c.start)
		inner := outer + d.unit()
		return d.splice(edit{span{at, closing}, d.newline() + inner + d.render(key, value, inner, false) + d.newline() +
			outer})
	}
	last := c.items[len(c.items)-1]
	comma := d.commaAfter(last.end, closing)
	at := max(len(bytes.TrimRight(d.text[:closing], " \t\r\n")), last.end)
	blank := d.blankBefore(last.start)
	var item string
	if strings.Contains(blank, "\n") || bytes.Contains(d.text[last.end:at], []byte("//")) {
		indent := d.indentAt(last.start)
		item = d.newline() + indent + d.render(key, value, indent, false)
	} else {
		if blank == "" && d.spaced() {
			blank = " "
		}
		item = blank + d.render(key, value, "", true)
	}
	if comma >= 0 {
		return d.splice(edit{span{at, at}, item + ","})
	}
	return d.splice(edit{span{last.end, last.end}, ","}, edit{span{at, at}, item})
}

func (d *document) replace(s span, value any) error {
	inline := !bytes.Contains(d.text[s.start:s.end], []byte("\n"))
	return d.splice(edit{s, d.render("", value, d.indentAt(s.start), inline)})
}

// remove deletes item i of v, its comma and the white space before it. Comments stay.
func (d *document) remove(v hujson.Value, i int) error {
	c := contents(v)
	item := c.items[i]
	next := c.end - 1
	if i+1 < len(c.items) {
		next = c.items[i+1].start
	}
	start := item.start - len(d.blankBefore(item.start))
	previous := c.start + 1
	if i > 0 {
		previous = c.items[i-1].end
		if k := d.commaAfter(previous, item.start); k >= 0 {
			previous = k + 1
		}
	}
	rest := bytes.TrimLeft(d.text[item.end:], ", \t")
	if start != previous && !bytes.HasPrefix(rest, []byte("\n")) && !bytes.HasPrefix(rest, []byte("\r")) {
		start = item.start // keep the line end of a comment before the item
	}
	edits := []edit{{span{start, item.end}, ""}}
	if k := d.commaAfter(item.end, next); k >= 0 {
		edits = append(edits, edit{span{k, k + 1}, ""})
	} else if i > 0 {
		if k := d.commaAfter(c.items[i-1].end, item.start); k >= 0 {
			edits = append([]edit{{span{k, k + 1}, ""}}, edits...)
		}
	}
	if len(c.items) == 1 && len(bytes.TrimSpace(d.text[c.start+1:item.start])) == 0 &&
		len(bytes.Trim(d.text[item.end:c.end-1], ", \t\r\n")) == 0 {
		edits = []edit{{span{c.start + 1, c.end - 1}, ""}}
	}
	return d.splice(edits...)
}

type edit struct {
	span
	text string
}

// splice applies edits that are sorted and do not overlap.
func (d *document) splice(edits ...edit) error {
	var out []byte
	from := 0
	for _, e := range edits {
		out = append(out, d.text[from:e.start]...)
		out = append(out, e.text...)
		from = e.end
	}
	return d.set(append(out, d.text[from:]...))
}

// commaAfter returns the offset of the first comma in [from, to) outside comments, or -1.
func (d *document) commaAfter(from, to int) int {
	for i := from; i < to; i++ {
		switch rest := d.text[i:to]; {
		case rest[0] == ',':
			return i
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return -1
			}
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return -1
			}
			i += n + 3
		}
	}
	return -1
}

func (d *document) blankBefore(offset int) string {
	head := d.text[:offset]
	return string(head[len(bytes.TrimRight(head, " \t\r\n")):])
}

func (d *document) indentAt(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit returns one level of indentation, taken from the first member of the root.
func (d *document) unit() string {
	if c := contents(d.root); len(c.items) > 0 && strings.Contains(d.blankBefore(c.items[0].start), "\n") {
		if unit := d.indentAt(c.items[0].start); unit != "" {
			return unit
		}
	}
	return "  "
}

func (d *document) oneLine() bool {
	c := contents(d.root)
	return len(c.items) > 0 && !bytes.Contains(d.text[c.start:c.end], []byte("\n"))
}

// spaced reports whether a space follows the colon of the first key.
func (d *document) spaced() bool {
	obj, ok := d.root.Value.(*hujson.Object)
	return ok && len(obj.Members) > 0 && len(obj.Members[0].Value.BeforeExtra) > 0
}

func (d *document) newline() string {
	if bytes.Contains(d.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (d *document) render(key string, value any, indent string, inline bool) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	colon := ": "
	if inline {
		if !d.spaced() {
			colon = ":"
		}
	} else {
		enc.SetIndent(indent, d.unit())
	}
	if err := enc.Encode(value); err != nil {
		panic(fmt.Sprintf("register: a handler cannot be encoded as JSON: %v", err))
	}
	out := strings.TrimSuffix(buf.String(), "\n")
	if key != "" {
		out = string(hujson.String(key)) + colon + out
	}
	return strings.ReplaceAll(out, "\n", d.newline())
}

// NotPlain returns the number of the first line at which text is not plain JSON, and the syntax error. If all of text
// is plain JSON, it returns 0 and nil.
func NotPlain(text []byte) (line int, why error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var raw json.RawMessage
	why = json.Unmarshal(text, &raw)
	var syntax *json.SyntaxError
	if errors.As(why, &syntax) {
		line = 1 + bytes.Count(text[:max(0, min(int(syntax.Offset)-1, len(text)))], []byte("\n"))
	}
	return line, why
}
