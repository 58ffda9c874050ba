package lint

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed lint.yaml
var dataText []byte

type rulesData struct {
	Expressions map[string]expression
	Needs       map[string][]string // by expression: texts, one of which every match contains
	Values      map[string]keyValues
	Kinds       map[string]string   // descriptions of the kinds of values
	HookNeeds   map[string][]string `yaml:"hookNeeds"` // fields that a hook must have, by its type
	HostKeys    []string            `yaml:"hostKeys"`  // KEY:KIND for each key that Claude Code reads
	Imports     map[string]string   // expressions that match imports, by the extension of the file
	Words       map[string]set
}

// data holds the expressions and word lists of lint.yaml by name. It is parsed on first use: few commands need them.
var data = sync.OnceValue(func() *rulesData {
	d := &rulesData{}
	if err := yaml.Unmarshal(dataText, d); err != nil {
		panic(fmt.Sprintf("lint.yaml: %v", err)) // the embedded file is malformed
	}
	return d
})

// expression is a regular expression that is compiled on first use.
type expression func() *regexp.Regexp

func (e *expression) UnmarshalYAML(n *yaml.Node) error {
	*e = lazy(n.Value)
	return nil
}

type set map[string]bool // in lint.yaml: words with spaces between them

func (s *set) UnmarshalYAML(n *yaml.Node) error {
	*s = set{}
	for _, word := range strings.Fields(n.Value) {
		(*s)[word] = true
	}
	return nil
}

// add adds an element and reports whether it is new.
func (s set) add(element string) bool {
	had := s[element]
	s[element] = true
	return !had
}

// keyValues describes the values of a key that the host knows.
type keyValues struct {
	Allow  expression
	Names  string // values to suggest
	Agents bool   // only agents have the key
}

func expr(name string) *regexp.Regexp { return data().Expressions[name]() }

// findAll returns up to n matches with their groups. It does not run the expression on a text without any of its Needs.
func findAll(name, text string, n int) [][]int {
	needs := data().Needs[name]
	if needs != nil && !slices.ContainsFunc(needs, func(part string) bool { return strings.Contains(text, part) }) {
		return nil
	}
	return expr(name).FindAllStringSubmatchIndex(text, n)
}

// findNames is like findAll for alternatives with one group each. In a match m, m[2] and m[3] are the group's offsets.
func findNames(name, text string, n int) [][]int {
	all := findAll(name, text, n)
	for i := range all {
		for all[i][2] < 0 {
			all[i] = all[i][2:]
		}
	}
	return all
}

func words(name string) set { return data().Words[name] }

func lazy(text string) expression {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
