package lint

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

var wrongKind = &Rule{
	ID:       "SG117",
	Title:    "value is of the wrong kind",
	Why:      "a list where text is wanted, or a word where true or false is, is ignored or refused",
	Advice:   "write the value in the kind that the field wants",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      file("pdf", "---\nname: pdf\ndescription: [Fills PDF forms, Reads PDF forms]\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		for _, k := range s.Front.Keys {
			if k.Node == nil {
				continue
			}
			if want := wantedKind(k.Name, k.Node); want != "" {
				report(Problem{At: s.Src.Span(k.Start, k.End), Text: fmt.Sprintf("%s is %s, want %s", k.Name, kindName(k.Node), want)})
			}
		}
	},
}

// wantedKind says which kind a field wants, "" where its value is of that kind.
func wantedKind(key string, n *yaml.Node) string {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	scalar := n.Kind == yaml.ScalarNode
	switch key {
	case "name", "description", "when_to_use", "license", "compatibility", "model", "effort", "agent", "context", "shell":
		if !scalar {
			return "text"
		}
	case "disable-model-invocation", "user-invocable", "background":
		if !scalar || !truthWord(n.Value) {
			return "true or false"
		}
	case "metadata":
		if n.Kind != yaml.MappingNode && !(scalar && n.Tag == "!!null") {
			return "a mapping"
		}
	case "allowed-tools", "disallowed-tools", "argument-hint", "arguments", "paths":
		if n.Kind == yaml.MappingNode {
			return "a list or text"
		}
	}
	return ""
}

func truthWord(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "1", "0":
		return true
	}
	return false
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", n.Value)
}
