package lint

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed lint.yaml
var dataText []byte

type rulesData struct {
	Expressions, Words map[string]string
	named              map[string]*expression
}

// data holds the expressions and word lists of lint.yaml by name. It is parsed on first use, because the hook's binary
// contains the rules but uses none.
var data = sync.OnceValue(func() *rulesData {
	d := &rulesData{named: map[string]*expression{}}
	if err := yaml.Unmarshal(dataText, d); err != nil {
		panic(fmt.Sprintf("lint.yaml: %v", err)) // the embedded file is malformed
	}
	for name, text := range d.Expressions {
		d.named[name] = lazy(text)
	}
	return d
})

func expr(name string) *regexp.Regexp { return data().named[name].get() }

// expression is a regular expression that is compiled on first use.
type expression struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

func lazy(text string) *expression { return &expression{text: text} }

func (e *expression) get() *regexp.Regexp {
	e.once.Do(func() { e.re = regexp.MustCompile(e.text) })
	return e.re
}

// wordSet is a set of the words of a list in lint.yaml, built on first use.
type wordSet struct {
	name string
	once sync.Once
	all  map[string]bool
}

func set(name string) *wordSet { return &wordSet{name: name} }

func (s *wordSet) words() map[string]bool {
	s.once.Do(func() {
		s.all = map[string]bool{}
		for _, w := range strings.Fields(data().Words[s.name]) {
			s.all[w] = true
		}
	})
	return s.all
}

func (s *wordSet) has(word string) bool { return s.words()[word] }
