// Package ir reads and writes intent.yaml, the design of a skill.
//
// The Intent-Trigger IR describes the purpose of a skill, before SKILL.md is written or in addition to it. A simple
// skill needs the first two fields:
//
//	intent: Fills and reads PDF forms.        # the one problem it solves
//	triggers:                                 # what users say, by language
//	  en: [fill in this PDF form, read the form fields]
//	  ko: [PDF 양식 채워줘, 서식 필드 읽어줘]
//	inputs: [a PDF file]                      # needed to start
//	outputs: [a filled PDF file]              # results
//	preconditions: [the form has fields]      # conditions before the start
//	boundaries:                               # excluded work, and the skill for it
//	  - not: joining PDF files
//	    use: pdf-merge
//	references: [scripts/fill.py]             # files of its folder that it needs
//
// Schema is the JSON Schema of the file. Parse reads a file, Validate lists its faults, Draft makes an Intent from an
// existing skill, Render writes the description that follows from it, and Compare lists differences between the two.
// Inputs, outputs and preconditions take no part in routing, because they do not improve it: after drafts of them are
// added to the descriptions of library-ko, hit@5 falls from .900 to .889 for 190 prompts, and from .797 to .780 for 59
// requests by people.
//
// Conflicts between skills are the subject of package lint.
package ir

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/catalog"
)

// File is the name of the file in the skill's folder.
const File = "intent.yaml"

// Schema is the JSON Schema (draft 2020-12) of intent.yaml.
//
//go:embed intent.schema.json
var Schema string

// Limits of the fields, in characters and items. The schema has the same limits.
const (
	maxIntent   = 300 // leaves most of a 1,024-character description to triggers and boundaries
	maxPhrase   = 120 // nobody repeats a longer trigger word for word
	maxTriggers = 20  // per language
	maxItems    = 20  // maximum length of inputs, outputs, preconditions, boundaries and references
	maxFile     = 64 << 10
)

// Intent is the content of an intent.yaml.
type Intent struct {
	Intent        string              `yaml:"intent" json:"intent"`
	Triggers      map[string][]string `yaml:"triggers" json:"triggers"`
	Inputs        []string            `yaml:"inputs" json:"inputs"`
	Outputs       []string            `yaml:"outputs" json:"outputs"`
	Preconditions []string            `yaml:"preconditions,omitempty" json:"preconditions,omitempty"`
	Boundaries    []Boundary          `yaml:"boundaries" json:"boundaries"`
	References    []string            `yaml:"references" json:"references"`

	lines map[string]int // line by path, such as "triggers.ko.1"
}

// Boundary is work that the skill does not do, and the skill that does it.
type Boundary struct {
	Not string `yaml:"not" json:"not"`
	Use string `yaml:"use,omitempty" json:"use,omitempty"`
}

// Problem is a fault in an intent.yaml, or the reason why it cannot be read.
type Problem struct {
	Line int    `json:"line"` // 1-based; 0 for the whole file
	Text string `json:"text"`
}

// Error returns the problem with the file's name and the line.
func (p *Problem) Error() string {
	if p.Line == 0 {
		return File + ": " + p.Text
	}
	return fmt.Sprintf("%s: line %d: %s", File, p.Line, p.Text)
}

func fault(err error) *Problem {
	line, text := catalog.FaultLine(catalog.YAMLFault(err, "field"))
	return &Problem{line, text}
}

// Parse reads an intent.yaml. Unknown and repeated keys and values of the wrong type are Problems with their line.
// Validate checks the values.
func Parse(text []byte) (*Intent, error) {
	if len(text) > maxFile {
		return nil, &Problem{Text: fmt.Sprintf("the file has %d bytes (limit %d)", len(text), maxFile)}
	}
	if !utf8.Valid(text) {
		return nil, &Problem{Text: "the file is not UTF-8"}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fault(err)
	}
	x := &Intent{lines: map[string]int{}}
	if len(doc.Content) == 0 {
		return x, nil
	}
	if f := plainNodes(&doc); f != nil {
		return nil, f
	}
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	dec.KnownFields(true)
	if err := dec.Decode(x); err != nil && err != io.EOF {
		return nil, fault(err)
	}
	x.note("", doc.Content[0])
	return x, nil
}

// plainNodes refuses aliases, which multiply the content of a small file.
func plainNodes(n *yaml.Node) *Problem {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return &Problem{n.Line, "anchors and aliases are not allowed"}
	}
	for _, c := range n.Content {
		if f := plainNodes(c); f != nil {
			return f
		}
	}
	return nil
}

func (x *Intent) note(path string, n *yaml.Node) {
	x.lines[strings.TrimPrefix(path, ".")] = n.Line
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			x.note(path+"."+n.Content[i].Value, n.Content[i+1])
			x.lines[strings.TrimPrefix(path+"."+n.Content[i].Value, ".")] = n.Content[i].Line
		}
	case yaml.SequenceNode:
		for i, c := range n.Content {
			x.note(fmt.Sprintf("%s.%d", path, i), c)
		}
	}
}

// Line returns the line of a value by its path, such as "triggers.ko.0" or "boundaries.1.use", or 0.
func (x *Intent) Line(path string) int { return x.lines[path] }

// Languages returns the languages that have triggers, sorted.
func (x *Intent) Languages() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(x.Triggers)), func(code string) bool {
		return len(x.Triggers[code]) == 0
	})
}

// Encode writes x as an intent.yaml with its fields in order.
func (x *Intent) Encode(w io.Writer) error {
	var b strings.Builder
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(x); err != nil {
		return fmt.Errorf("%s: %w", File, err)
	}
	enc.Close()
	_, err := io.WriteString(w, b.String())
	return err
}
