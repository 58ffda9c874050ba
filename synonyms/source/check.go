package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/synonyms/internal/phrase"
	"github.com/skillgate/skillgate/synonyms/lang/script"
)

// Limits of an entry.
const (
	mostSenses     = 3
	mostSenseWords = 3
	mostBytes      = 120 // of a word or phrase; a table keeps at most 255
)

// Problem is something in a dictionary that should be mended. A dictionary with
// problems still compiles.
type Problem struct {
	Place
	Text string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) }

// Check looks for words given twice, senses that are not in base form or are
// too many, phrases said twice or leading back to themselves. Problems come in
// the order of the sources.
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
			c.add(f.Place, "function word %s is given for %s in %s:%d", f.Word, o.head, o.File, o.Line)
		}
	}
	for _, s := range d.Sets {
		c.set(s)
	}
	c.equals(d.Sets)
	c.cycles(d.Sets)
	return c.problems
}

type owner struct {
	head string
	Place
}

type checker struct {
	problems []Problem
	forms    map[string]owner // form of a headword or variant to its entry
}

func (c *checker) add(at Place, format string, args ...any) {
	c.problems = append(c.problems, Problem{at, fmt.Sprintf(format, args...)})
}

// form is a word as it is looked up.
func form(word string) string {
	if l := inflectedOf(word); l != nil {
		return l.key(word)
	}
	return word
}

// claim records a headword or variant for an entry.
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
		c.add(at, "%s of %d bytes, limit %d", what, len(word), mostBytes)
	}
	o, taken := c.forms[form(word)]
	switch {
	case !taken:
		c.forms[form(word)] = owner{head, at}
	case o.head == head && o.Place == at && strings.Contains(word, " ") && !strings.Contains(head, " "):
		// 워크 플로 beside 워크플로 says that it is written in two words too.
	case o.head == head && o.Place == at:
		c.add(at, "%s %s of %s is the same as another of its forms", what, word, head)
	default:
		c.add(at, "%s %s of %s is given for %s in %s:%d", what, word, head, o.head, o.File, o.Line)
	}
}

func (c *checker) entry(e Entry) {
	c.claim(e.Head, e, false)
	if n := len(e.Senses); n == 0 || n > mostSenses {
		c.add(e.Place, "%s has %d senses, want 1 to %d", e.Head, n, mostSenses)
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

// plural holds last words of senses that end in s and are in base form: names
// and nouns without a singular of that meaning.
var plural = []string{
	"actions", "alias", "always", "analytics", "atlas", "basics", "bias", "bioinformatics", "canvas", "centos", "changes",
	"charles", "christmas",
	"clothes", "codeowners", "cons", "contents", "cors", "cosmetics", "crashlytics", "customs", "damages", "databricks",
	"ddos", "devops", "devsecops",
	"devtools", "diabetes", "diagnostics", "docs", "dynamics", "earnings", "economics", "effects", "elevenlabs", "ethics",
	"finops", "forces",
	"forensics", "forms", "genetics", "genomics", "gitattributes", "gitops", "goods", "graphics", "https", "humanities",
	"iaas", "ielts", "incoterms",
	"isms", "jenkins", "jetbrains", "jones", "keras", "kubernetes", "labs", "lens", "linguistics", "logistics", "lyrics",
	"macos", "macroeconomics",
	"maps", "mathematics", "metabolomics", "minutes", "mlops", "nagios", "nestjs", "news", "nextjs", "nodejs", "notes",
	"obstetrics", "olympics",
	"operations", "paas", "pages", "pandas", "panes", "physics", "pilates", "polars", "politics", "postgres", "proteomics",
	"quickbooks", "rails",
	"relations", "resources", "roas", "robotics", "saas", "sales", "savings", "securities", "series", "sheets", "shorts",
	"sideways", "slides",
	"solidworks", "sports", "states", "statistics", "teams", "terms", "testcontainers", "transformers", "vpos", "windows",
	"workers",
}

// notBase says why an English sense is not in base form, "" where it is.
func notBase(s string) string {
	fields := strings.Fields(s)
	switch {
	case len(fields) == 0:
		return "is empty"
	case len(s) > mostBytes:
		return fmt.Sprintf("has %d bytes, limit %d", len(s), mostBytes)
	case len(fields) > mostSenseWords:
		return fmt.Sprintf("has %d words, limit %d", len(fields), mostSenseWords)
	case s != strings.ToLower(s):
		return "is not lower case"
	case inflectedOf(s) != nil:
		return "is not English"
	case phrase.Key(s) == "":
		return "has no letters"
	case slices.Contains([]string{"to", "a", "an", "the"}, fields[0]) && len(fields) > 1:
		return "begins with " + fields[0]
	}
	word := fields[len(fields)-1]
	for _, tail := range []string{"ss", "us", "is"} {
		if strings.HasSuffix(word, tail) {
			return ""
		}
	}
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, ".js") &&
		!slices.Contains(plural, word) && strings.IndexFunc(word, unicode.IsDigit) < 0 {
		return "is a plural"
	}
	return ""
}

func (c *checker) set(s Set) {
	switch {
	case len(s.Same) > 0 && len(s.Means)+len(s.Say) > 0:
		c.add(s.Place, "a set has both same and means or say")
	case len(s.Same) == 1:
		c.add(s.Place, "same has one member")
	case len(s.Same) == 0 && (len(s.Means) == 0 || len(s.Say) == 0):
		c.add(s.Place, "a set needs means and say, or same")
	case len(s.Means) > mostSenses:
		c.add(s.Place, "means has %d members, want 1 to %d", len(s.Means), mostSenses)
	}
	seen := map[string]bool{}
	for _, list := range [][]string{s.Means, s.Say, s.Same} {
		for _, p := range list {
			key := phrase.Key(p)
			switch {
			case key == "":
				c.add(s.Place, "%q has no letters", p)
			case len(p) > mostBytes:
				c.add(s.Place, "phrase of %d bytes, limit %d", len(p), mostBytes)
			case seen[key]:
				c.add(s.Place, "%q is in the set twice", p)
			}
			seen[key] = true
		}
	}
}

// equals finds pairs that two sets call the same.
func (c *checker) equals(sets []Set) {
	pairs := map[[2]string]Place{}
	for _, s := range sets {
		for i, a := range s.Same {
			for _, b := range s.Same[i+1:] {
				k := [2]string{phrase.Key(a), phrase.Key(b)}
				if k[0] > k[1] {
					k[0], k[1] = k[1], k[0]
				}
				if at, ok := pairs[k]; ok {
					c.add(s.Place, "%q and %q are called the same in %s:%d", a, b, at.File, at.Line)
				} else {
					pairs[k] = s.Place
				}
			}
		}
	}
	says := map[[2]string]Place{}
	for _, s := range sets {
		for _, say := range s.Say {
			for _, m := range s.Means {
				k := [2]string{phrase.Key(say), phrase.Key(m)}
				if at, ok := says[k]; ok && at != s.Place {
					c.add(s.Place, "%q means %q in %s:%d too", say, m, at.File, at.Line)
				} else {
					says[k] = s.Place
				}
			}
		}
	}
}

// cycles finds phrases that lead back to themselves through say and means.
func (c *checker) cycles(sets []Set) {
	next := map[string][]string{}
	at := map[string]Place{}
	for _, s := range sets {
		for _, say := range s.Say {
			k := phrase.Key(say)
			for _, m := range s.Means {
				next[k] = append(next[k], phrase.Key(m))
			}
			if _, ok := at[k]; !ok {
				at[k] = s.Place
			}
		}
	}
	starts := make([]string, 0, len(next))
	for k := range next {
		starts = append(starts, k)
	}
	slices.Sort(starts)
	// A phrase is open while the walk is below it and closed when no cycle
	// goes on from it. The walk keeps its own stack: chains may be long.
	const opened, closed = 1, 2
	state := map[string]int{}
	type frame struct {
		phrase string
		done   int
	}
	for _, s := range starts {
		if state[s] != 0 {
			continue
		}
		stack := []frame{{s, 0}}
		state[s] = opened
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.done == len(next[f.phrase]) {
				state[f.phrase] = closed
				stack = stack[:len(stack)-1]
				continue
			}
			n := next[f.phrase][f.done]
			f.done++
			switch state[n] {
			case opened:
				c.add(at[f.phrase], "%q means %q, which leads back to it", f.phrase, n)
			case 0:
				state[n] = opened
				stack = append(stack, frame{n, 0})
			}
		}
	}
}
