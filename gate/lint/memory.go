package lint

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// oneText lets the fields of a skill share the memory of its source: catalog reads
// a text of its own, which any word taken from it would keep alive, and the YAML
// parser copies every value. A library of 10,000 skills is 60 MB of text.
func (s *Skill) oneText() {
	e, text := &s.Entry, s.Src.Text
	e.Frontmatter = ""
	if s.Front.Opened && s.Front.Closed {
		e.Frontmatter = text[s.Front.Start:s.Front.End]
	}
	e.Body = s.BodyText()
	front := text[:s.Front.Body]
	if front == "" {
		front = text // a description taken from the body
	}
	for _, field := range []*string{&e.Name, &e.Folder, &e.Description, &e.WhenToUse} {
		*field = within(front, *field)
	}
	e.Capability = within(e.Description, e.Capability)
	for i, h := range e.Headings {
		e.Headings[i] = strings.Clone(h)
	}
	for i, t := range e.Triggers {
		e.Triggers[i] = within(e.Description, t)
	}
	for i := range e.Boundaries {
		b := &e.Boundaries[i]
		b.Not = within(e.Description, b.Not)
		for j, use := range b.Use {
			b.Use[j] = within(e.Description, use)
		}
	}
	for i := range s.Front.Keys {
		k := &s.Front.Keys[i]
		k.Name = within(text[k.Start:k.End], k.Name)
		if k.Node != nil && k.Node.Kind == yaml.ScalarNode && k.End <= k.Until {
			k.Node.Value = within(text[k.End:k.Until], k.Node.Value)
		}
	}
}

func within(text, s string) string {
	if at := strings.Index(text, s); at >= 0 {
		return text[at : at+len(s)]
	}
	return strings.Clone(s)
}
