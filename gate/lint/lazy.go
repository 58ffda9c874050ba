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
	Expressions, Words map[string]string
	Needs              map[string][]string // by expression: texts, one of which every match contains
	Values             map[string]*keyValues
	named              map[string]func() *regexp.Regexp
	lists              map[string]map[string]bool
}

// data holds the expressions and word lists of lint.yaml by name. It is parsed on first use, because most commands of
// the complete program use none of them.
var data = sync.OnceValue(func() *rulesData {
	d := &rulesData{named: map[string]func() *regexp.Regexp{}, lists: map[string]map[string]bool{}}
	if err := yaml.Unmarshal(dataText, d); err != nil {
		panic(fmt.Sprintf("lint.yaml: %v", err)) // the embedded file is malformed
	}
	for name, text := range d.Expressions {
		d.named[name] = lazy(text)
	}
	for _, known := range d.Values {
		known.allow = lazy(known.Allow)
	}
	for name, list := range d.Words {
		d.lists[name] = setOf(list)
	}
	return d
})

func setOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// keyValues describes the values of a key that the host knows.
type keyValues struct {
	Allow  string // regular expression
	Names  string // values to suggest
	Agents bool   // only agents have the key
	allow  func() *regexp.Regexp
}

func (k *keyValues) allows(value string) bool { return k.allow().MatchString(value) }

func expr(name string) *regexp.Regexp { return data().named[name]() }

// findAll returns up to n matches with their groups. It does not run the expression on a text without any of its Needs.
func findAll(name, text string, n int) [][]int {
	needs := data().Needs[name]
	if needs != nil && !slices.ContainsFunc(needs, func(part string) bool { return strings.Contains(text, part) }) {
		return nil
	}
	return expr(name).FindAllStringSubmatchIndex(text, n)
}

func words(name string) map[string]bool { return data().lists[name] }

// lazy compiles a regular expression on first use.
func lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
