package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// Limits of an entry.
const (
	mostSenses     = 3
	mostSenseWords = 3
	mostBytes      = 120 // maximum length of a word or phrase; a table stores at most 255
)

// Problem is a fault in a dictionary. A dictionary with problems can still be compiled.
type Problem struct {
	Place
	Text string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) }

// Check reports words that are given twice or in the wrong script, too many or malformed senses, and sets that are
// incomplete or contain a phrase twice.
func (d *Dictionary) Check() []Problem {
	c := &checker{forms: map[string]owner{}}
	for _, e := range d.Entries {
		c.entry(e)
	}
	for _, e := range d.Entries {
		for _, a := range e.Also {
			c.claim(a, e, true)
		}
	}
	for _, f := range d.Function {
		if inflectedOf(f.Word) == nil {
			c.add(f.Place, "%s is not written in %s", f.Word, scripts())
		}
		if o, ok := c.forms[form(f.Word)]; ok {
			c.add(f.Place, "function word %s is already used by the entry %s in %s:%d", f.Word, o.head, o.File, o.Line)
		}
	}
	for _, s := range d.Sets {
		c.set(s)
	}
	return c.problems
}

type owner struct {
	head string
	Place
}

type checker struct {
	problems []Problem
	forms    map[string]owner // entry to which a form belongs
}

func (c *checker) add(at Place, format string, args ...any) {
	c.problems = append(c.problems, Problem{at, fmt.Sprintf(format, args...)})
}

func form(word string) string {
	if l := inflectedOf(word); l != nil {
		return l.key(word)
	}
	return word
}

func (c *checker) claim(word string, e Entry, variant bool) {
	head, at := e.Head, e.Place
	what := "headword"
	if variant {
		what = "variant"
	}
	switch {
	case e.Spaceless && (inflectedOf(word) != nil || !strings.ContainsFunc(word, script.Spaceless)):
		c.add(at, "%s %q is not written in a script without spaces", what, word)
	case !e.Spaceless && inflectedOf(word) == nil:
		c.add(at, "%s %q is not written in %s", what, word, scripts())
	case len(word) > mostBytes:
		c.add(at, "a %s has %d bytes (limit %d)", what, len(word), mostBytes)
	}
	o, taken := c.forms[form(word)]
	switch {
	case !taken:
		c.forms[form(word)] = owner{head, at}
	case o.head == head && o.Place == at && strings.Contains(word, " ") && !strings.Contains(head, " "):
		// a variant may repeat the headword with a space: 워크 플로 for 워크플로
	case o.head == head && o.Place == at:
		c.add(at, "%s %s is the same as another form of %s", what, word, head)
	default:
		c.add(at, "%s %s is already used by the entry %s in %s:%d", what, word, o.head, o.File, o.Line)
	}
}

func (c *checker) entry(e Entry) {
	c.claim(e.Head, e, false)
	if n := len(e.Senses); n == 0 || n > mostSenses {
		c.add(e.Place, "%s has %d senses but must have 1 to %d", e.Head, n, mostSenses)
	}
	seen := map[string]bool{}
	for _, s := range e.Senses {
		if why := notBase(s); why != "" {
			c.add(e.Place, "sense %q of %s %s", s, e.Head, why)
		}
		if seen[s] {
			c.add(e.Place, "sense %q of %s is given twice", s, e.Head)
		}
		seen[s] = true
	}
}

func notBase(s string) string {
	fields := strings.Fields(s)
	switch {
	case len(fields) == 0:
		return "is empty"
	case len(s) > mostBytes:
		return fmt.Sprintf("has %d bytes (limit %d)", len(s), mostBytes)
	case len(fields) > mostSenseWords:
		return fmt.Sprintf("has %d words (limit %d)", len(fields), mostSenseWords)
	case s != strings.ToLower(s):
		return "is not lower case"
	case inflectedOf(s) != nil:
		return "is not English"
	case terms.PhraseKey(s) == "":
		return "has no letters"
	case slices.Contains([]string{"to", "a", "an", "the"}, fields[0]) && len(fields) > 1:
		return "begins with " + fields[0]
	}
	return ""
}

func (c *checker) set(s Set) {
	switch {
	case len(s.Same) > 0 && len(s.Means)+len(s.Say) > 0:
		c.add(s.Place, "a set must not have \"same\" together with \"means\" or \"say\"")
	case len(s.Same) == 1:
		c.add(s.Place, "\"same\" must have two words or more")
	case len(s.Same) == 0 && (len(s.Means) == 0 || len(s.Say) == 0):
		c.add(s.Place, "a set must have \"means\" and \"say\", or \"same\"")
	case len(s.Means) > mostSenses:
		c.add(s.Place, "\"means\" has %d words but must have 1 to %d", len(s.Means), mostSenses)
	}
	seen := map[string]bool{}
	for _, list := range [][]string{s.Means, s.Say, s.Same} {
		for _, p := range list {
			key := terms.PhraseKey(p)
			switch {
			case key == "":
				c.add(s.Place, "%q has no letters", p)
			case len(p) > mostBytes:
				c.add(s.Place, "a phrase has %d bytes (limit %d)", len(p), mostBytes)
			case seen[key]:
				c.add(s.Place, "%q is in the set twice", p)
			}
			seen[key] = true
		}
	}
}
