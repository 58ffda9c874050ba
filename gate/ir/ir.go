// Package ir reads and writes intent.yaml, the design of a skill.
//
// The Intent-Trigger IR says what a skill is for, before or beside its SKILL.md. A simple
// skill needs the first two fields:
//
//	intent: Fills and reads PDF forms.        # the one problem it solves
//	triggers:                                 # what users say, by language
//	  en: [fill in this PDF form, read the form fields]
//	  ko: [PDF 양식 채워줘, 서식 필드 읽어줘]
//	inputs: [a PDF file]                      # what it is given
//	outputs: [a filled PDF file]              # what it leaves behind
//	preconditions: [the form has fields]      # what must hold before it starts
//	boundaries:                               # what it does not do, and who does
//	  - not: joining PDF files
//	    use: pdf-merge
//	references: [scripts/fill.py]             # files of its folder that it needs
//
// Schema is the JSON Schema of the file. Parse reads one, Validate says what is
// wrong with it, Draft makes one from an existing skill, Render writes the
// description that follows from it, and Compare says where the two disagree.
// Inputs, outputs and preconditions take no part in routing, since they do not earn it: what
// drafts of library-ko hold of them, added to the descriptions, takes
// hit@5 of 190 prompts from .900 to .889 and of 59 people's requests from .797 to .780 (hit@1
// .721 to .737, .475 to .441). Inputs alone: .900 and .814, outputs .895 and .780,
// preconditions .889 and .780. Where few skills have any (azure 11, hometax 1, omh and
// metatool none) hit@5 stays as it is.
//
// Everything here looks at one skill; conflicts with others are package lint's.
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

// File is the name of the file beside SKILL.md.
const File = "intent.yaml"

// Schema is the JSON Schema (draft 2020-12) of intent.yaml.
//
//go:embed intent.schema.json
var Schema string

// Limits of the fields, in characters and items; the schema has the same.
const (
	maxIntent   = 300 // leaves most of a 1,024-character description to triggers and boundaries
	maxPhrase   = 120 // a trigger longer than this is a story, which nobody repeats word for word
	maxTriggers = 20  // per language
	maxItems    = 20  // inputs, outputs, preconditions, boundaries, references
	maxFile     = 64 << 10
)

// Intent is one intent.yaml.
type Intent struct {
	Intent        string              `yaml:"intent" json:"intent"`
	Triggers      map[string][]string `yaml:"triggers" json:"triggers"`
	Inputs        []string            `yaml:"inputs" json:"inputs"`
	Outputs       []string            `yaml:"outputs" json:"outputs"`
	Preconditions []string            `yaml:"preconditions,omitempty" json:"preconditions,omitempty"`
	Boundaries    []Boundary          `yaml:"boundaries" json:"boundaries"`
	References    []string            `yaml:"references" json:"references"`

	lines map[string]int // "triggers.ko.1" → line
}

// Boundary is one thing the skill does not do and the skill that does.
type Boundary struct {
	Not string `yaml:"not" json:"not"`
	Use string `yaml:"use,omitempty" json:"use,omitempty"`
}

// Problem is something wrong in an intent.yaml, or why it cannot be read.
type Problem struct {
	Line int    `json:"line"` // 1-based; 0 for the whole file
	Text string `json:"text"`
}

// Error is the problem with the file's name and the line.
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

// Parse reads an intent.yaml. Unknown and repeated keys and values of the wrong
// kind are Problems that name their line; what the values say is Validate's.
func Parse(text []byte) (*Intent, error) {
	if len(text) > maxFile {
		return nil, &Problem{Text: fmt.Sprintf("%d bytes, limit %d", len(text), maxFile)}
	}
	if !utf8.Valid(text) {
		return nil, &Problem{Text: "not UTF-8"}
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

// plainNodes refuses aliases, which multiply what a small file stands for.
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

// Line returns the line of a value by its path, as in "triggers.ko.0" or
// "boundaries.1.use"; 0 when it is unknown.
func (x *Intent) Line(path string) int { return x.lines[path] }

// Languages lists the languages that have triggers, sorted.
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
