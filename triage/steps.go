package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

const (
	maxSteps     = 6    // more parts are a specification, not a sequence
	maxComposite = 2000 // longer texts describe one thing at length
	maxPreface   = 80   // behind more text, a list or a clause tells a story
)

// split returns the steps of a composite request, in order, as parts of text;
// nil when text asks for one thing.
//
// Three shapes are composite: a numbered list, a chain of arrows, and clauses
// joined by words that put one piece of work after another (then, 한 다음,
// 하고,), where at least two clauses name work of different kinds. Joints that
// also join the steps of one piece of work (and, -고, -아서) split only where
// such a shape is already certain, or where both sides name different crafts.
func split(text string) []string {
	if len(text) > maxComposite || strings.Contains(text, "```") {
		return nil
	}
	if steps := numbered(text); steps != nil {
		return steps
	}
	if steps := arrows(text); steps != nil {
		return steps
	}
	switch grammar := grammarOf(text); {
	case grammar.Spaceless:
		return splitSpaceless(text)
	case grammar.VerbLast:
		return splitVerbLast(text)
	}
	return splitVerbFirst(text)
}

// numbered returns the items of a list with numbers 1, 2, … in order, over
// lines or within one.
func numbered(text string) []string {
	var starts, ends []int // of the markers
	for i := 0; i < len(text); {
		end, n := marker(text, i)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		switch n {
		case len(starts) + 1:
			starts, ends = append(starts, i), append(ends, end)
		case 1:
			starts, ends = []int{i}, []int{end}
		}
		i = end
	}
	if len(starts) < 2 || len(starts) > maxSteps || starts[0] > maxPreface {
		return nil
	}
	steps := make([]string, len(starts))
	for k := range starts {
		stop := len(text)
		if k+1 < len(starts) {
			stop = starts[k+1]
		}
		item := text[ends[k]:stop]
		if k+1 == len(starts) { // the last item ends with its line
			item, _, _ = strings.Cut(item, "\n")
		}
		if steps[k] = trimStep(item); !asksWork(steps[k]) {
			return nil
		}
	}
	return steps
}

// marker returns the number of the list marker that starts at text[i] and its
// end: "1. ", "2) ", "(3) ", "①". A decimal and a version are none.
func marker(text string, i int) (end, n int) {
	if r, size := utf8.DecodeRuneInString(text[i:]); '①' <= r && r <= '⑨' {
		return i + size, int(r-'①') + 1
	}
	if i > 0 && text[i-1] != ' ' && text[i-1] != '\n' && text[i-1] != '\t' && text[i-1] != '(' && text[i-1] != ':' {
		return 0, 0
	}
	if text[i] == '(' {
		i++
	}
	if i+2 >= len(text) || text[i] < '1' || text[i] > '9' {
		return 0, 0
	}
	if c := text[i+1]; c != '.' && c != ')' {
		return 0, 0
	}
	if text[i+2] != ' ' && (text[i+1] == '.' || text[i+2] < utf8.RuneSelf) {
		return 0, 0
	}
	return i + 2, int(text[i] - '0')
}

// arrows returns the parts of a chain such as "요약 → 번역 → 공유". Two parts
// are a chain only when both name work: "heroku -> fly" does not.
func arrows(text string) []string {
	var parts []string
	rest := text
	for {
		at, size := nextArrow(rest)
		if at < 0 {
			break
		}
		parts = append(parts, trimStep(rest[:at]))
		rest = rest[at+size:]
	}
	if parts == nil {
		return nil
	}
	parts = append(parts, trimStep(rest))
	if len(parts) > maxSteps {
		return nil
	}
	for _, p := range parts {
		if !namesWork(p) {
			return nil
		}
	}
	return parts
}

func nextArrow(s string) (at, size int) {
	at = -1
	for _, mark := range [...]string{"→", " -> ", " => ", " >> ", "➡", "⇒"} {
		if i := strings.Index(s, mark); i >= 0 && (at < 0 || i < at) {
			at, size = i, len(mark)
		}
	}
	return at, size
}

// namesWork reports whether a part of an arrow chain says what to do.
func namesWork(s string) bool {
	for _, w := range fields(s) {
		word := strings.Trim(s[w.start:w.end], ".,!?()")
		if craftIn(word) != vocab.NoCraft {
			return true
		}
		if c := craftOf(strings.ToLower(word)); c != vocab.NoCraft && c != vocab.LightWork {
			return true
		}
	}
	return false
}

// asksWork reports whether an item of a list is something to do: it starts
// with a verb of work, ends with a request, or names a craft.
func asksWork(s string) bool {
	words := fields(s)
	if len(words) == 0 {
		return false
	}
	first := s[words[0].start:words[0].end]
	return craftOf(strings.ToLower(strings.Trim(first, "*_,.:"))) != vocab.NoCraft || hasRequest(s) || namesWork(s)
}

// trimStep cuts white space and separators off a step.
func trimStep(s string) string { return strings.Trim(s, " \t\n,;·、。") }

// word is a run of printing characters.
type word struct{ start, end int }

// fields returns the words of s.
func fields(s string) []word {
	words := make([]word, 0, 16)
	for i := 0; i < len(s); {
		if s[i] <= ' ' {
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] > ' ' {
			j++
		}
		words = append(words, word{i, j})
		i = j
	}
	return words
}

// clause is a part of a request between two joints.
type clause struct {
	start, end int
	joint      joint // to the clause before it
	craft      vocab.Craft
	ends       bool // the joint closes a list: "…, and"
}

// joint is what joins a clause to the one before it.
type joint uint8

const (
	opening joint = iota // nothing: the first clause
	weak                 // -아서 before a delivery: a step only beside other steps
	loose                // and, -고, a comma: also joins the parts of one piece of work
	firm                 // then, 한 다음, 하고,: one piece of work after another
)

// merge joins clause i to the one before it.
func merge(cs []clause, i int) []clause {
	cs[i-1].end = cs[i].end
	if cs[i-1].craft == vocab.NoCraft {
		cs[i-1].craft = cs[i].craft
	}
	return append(cs[:i], cs[i+1:]...)
}

// craftsApart returns the steps of clauses joined only loosely: all of them
// when each names a craft that stands for itself and neighbours name different
// ones, else nil.
func craftsApart(text string, cs []clause) []string {
	for i, c := range cs {
		if !standsAlone(c.craft) || i > 0 && c.craft == cs[i-1].craft {
			return nil
		}
	}
	return stepsOf(text, cs)
}

// stepsOf returns the texts of clauses, nil unless there are 2 to maxSteps.
func stepsOf(text string, cs []clause) []string {
	for len(cs) > maxSteps {
		i := len(cs) - 1
		for i > 1 && cs[i].joint == firm {
			i--
		}
		cs = merge(cs, i)
	}
	if len(cs) < 2 {
		return nil
	}
	steps := make([]string, 0, len(cs))
	for _, c := range cs {
		if s := trimStep(text[c.start:c.end]); s != "" {
			steps = append(steps, s)
		}
	}
	if len(steps) < 2 {
		return nil
	}
	return steps
}
