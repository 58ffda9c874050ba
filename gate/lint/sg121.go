package lint

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

var yamlReferences = &Rule{
	ID:       "SG121",
	Title:    "YAML anchor, alias or tag",
	Why:      "skills-ref refuses them, and a chain of aliases can stand for gigabytes",
	Advice:   "write the value out",
	See:      skillsRef,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad:      file("pdf", "---\nname: &n pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\nmetadata:\n  title: *n\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		for _, k := range s.Front.Keys {
			if what := references(k.Node, 0); what != "" {
				report(Problem{At: s.Src.Span(k.Start, k.End), Text: fmt.Sprintf("%s has %s", k.Name, what)})
				return
			}
		}
	},
}

func references(n *yaml.Node, depth int) string {
	switch {
	case n == nil || depth > 100:
		return ""
	case n.Kind == yaml.AliasNode:
		return "the alias *" + n.Value
	case n.Anchor != "":
		return "the anchor &" + n.Anchor
	case n.Style&yaml.TaggedStyle != 0:
		return "the tag " + n.Tag
	}
	for _, c := range n.Content {
		if what := references(c, depth+1); what != "" {
			return what
		}
	}
	return ""
}
