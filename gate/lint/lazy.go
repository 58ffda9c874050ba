package lint

import (
	"regexp"
	"strings"
	"sync"
)

// expression is a regular expression compiled on first use. The hook's
// binary contains them all but uses none. Declaring one costs nothing at program
// start because lazy inlines to a literal.
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

// wordSet is a set of words, built on first use from a space-separated list.
type wordSet struct {
	text string
	once sync.Once
	all  map[string]bool
}

func set(text string) *wordSet { return &wordSet{text: text} }

func (s *wordSet) words() map[string]bool {
	s.once.Do(func() {
		s.all = map[string]bool{}
		for _, w := range strings.Fields(s.text) {
			s.all[w] = true
		}
	})
	return s.all
}

func (s *wordSet) has(word string) bool { return s.words()[word] }
