package source

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Add returns the YAML file with e added as one line at the end of the part of its language. If the file already has
// the headword, its entry is replaced: the new senses come first, followed by as many old ones as fit, the variants of
// both are kept, and it stays generic if it was. The rest of the file, including comments, does not change. The error
// is a *BadEntry or names a fault in the file.
func Add(file File, e Entry) ([]byte, error) {
	e.Head, e.File = spaces(e.Head), file.Name
	if p := (&Dictionary{Entries: []Entry{e}}).Check(); len(p) > 0 {
		return nil, &BadEntry{e.Head, p[0].Text}
	}
	d, err := Parse(file)
	if err != nil {
		return nil, err
	}
	old := slices.IndexFunc(d.Entries, func(o Entry) bool { return o.Head == e.Head })
	if old >= 0 {
		e = join(e, d.Entries[old])
	}
	lines := bytes.SplitAfter(file.Data, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	} else {
		lines[n-1] = append(slices.Clone(lines[n-1]), '\n')
	}
	key := spaceless
	if l := inflectedOf(e.Head); l != nil {
		key = l.part()
	}
	part, ok := partOf(file.Data, key)
	var at int
	drop, indent := 0, "  "
	switch {
	case !ok:
		lines = append(lines, []byte(key+":\n"))
		at = len(lines)
	case part.flow:
		return nil, fmt.Errorf("%s:%d: %s is in braces; write one entry per line instead", file.Name, part.line, key)
	case part.empty:
		at = part.line
	default:
		indent = strings.Repeat(" ", part.column-1)
		at = part.last
		if old >= 0 {
			at, drop = d.Entries[old].Line-1, part.lines[d.Entries[old].Line]
		}
	}
	lines = slices.Replace(lines, at, at+drop, []byte(indent+line(e)+"\n"))
	out := bytes.Join(lines, nil)
	if _, err := Parse(File{file.Name, out}); err != nil {
		return nil, fmt.Errorf("add %s: %w", e.Head, err)
	}
	return out, nil
}

// BadEntry is an error in an entry to be added.
type BadEntry struct{ Head, Text string }

func (e *BadEntry) Error() string { return "add " + e.Head + ": " + e.Text }

// AddSet returns the YAML file with an English set of the phrase say and its meaning added as the first line of the
// English part. It fails if the file is not valid or already contains the phrase.
func AddSet(file File, say, means string) ([]byte, error) {
	d, err := Parse(file)
	if err != nil {
		return nil, err
	}
	for _, s := range d.Sets {
		if slices.Contains(s.Say, say) || slices.Contains(s.Same, say) {
			return nil, fmt.Errorf("%q is already in %s", say, file.Name)
		}
	}
	set := "- {means: [" + scalar(means) + "], say: [" + scalar(say) + "]}\n"
	text := string(file.Data)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	switch at := englishPart.FindStringSubmatchIndex(text); {
	case at != nil:
		text = text[:at[3]] + set + text[at[2]:]
	case len(d.Sets) > 0:
		return nil, fmt.Errorf("%s: the list \"english\" is in brackets; write one set per line instead", file.Name)
	default:
		text += "english:\n  " + set
	}
	if d, err = Parse(File{file.Name, []byte(text)}); err != nil {
		return nil, fmt.Errorf("add %s: %w", say, err)
	}
	if p := d.Check(); len(p) > 0 {
		return nil, fmt.Errorf("add %s: %s", say, p[0].Text)
	}
	return []byte(text), nil
}

// englishPart matches the key of the English part and the indent of its first set.
var englishPart = regexp.MustCompile(`(?m)^english:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*( *)-`)

func join(e, old Entry) Entry {
	for _, s := range old.Senses {
		if len(e.Senses) < mostSenses && !slices.Contains(e.Senses, s) {
			e.Senses = append(slices.Clip(e.Senses), s)
		}
	}
	for _, a := range old.Also {
		if !slices.Contains(e.Also, a) {
			e.Also = append(slices.Clip(e.Also), a)
		}
	}
	e.Generic = e.Generic || old.Generic
	return e
}

func line(e Entry) string {
	var b strings.Builder
	list := func(words []string) {
		b.WriteByte('[')
		for i, w := range words {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(scalar(w))
		}
		b.WriteByte(']')
	}
	fmt.Fprintf(&b, "%s: {en: ", scalar(e.Head))
	list(e.Senses)
	if len(e.Also) > 0 {
		b.WriteString(", also: ")
		list(e.Also)
	}
	if e.Generic {
		b.WriteString(", generic: true")
	}
	b.WriteByte('}')
	return b.String()
}

func scalar(word string) string {
	var back []string
	if err := yaml.Unmarshal([]byte("["+word+"]"), &back); err == nil && len(back) == 1 && back[0] == word {
		var plain any
		if yaml.Unmarshal([]byte(word), &plain) == nil && plain == any(word) {
			return word
		}
	}
	return fmt.Sprintf("%q", word)
}

type place struct {
	line, last, column int         // line of the key; last line of the entries; column of the entries
	lines              map[int]int // number of lines of each entry, by its first line
	flow, empty        bool
}

func partOf(data []byte, key string) (place, bool) {
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return place{}, false
	}
	root := doc.Content[0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		if k.Value != key {
			continue
		}
		p := place{line: k.Line, lines: map[int]int{}, flow: v.Style&yaml.FlowStyle != 0, empty: len(v.Content) == 0}
		for j := 0; j+1 < len(v.Content); j += 2 {
			first, last := v.Content[j].Line, lastLine(v.Content[j+1])
			p.lines[first], p.last, p.column = last-first+1, max(p.last, last), v.Content[j].Column
		}
		return p, true
	}
	return place{}, false
}

func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastLine(c))
	}
	return last
}
