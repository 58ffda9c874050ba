package lint

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

var commonTrigger = &Rule{
	ID:       "SG215",
	Title:    "trigger is one word that many skills have",
	Why:      "a prompt that holds it finds them all; the word adds to the skill's length and tells it from nobody",
	Advice:   "make it a phrase: what is done, to what",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      Example{Crowd: Crowd{24, "Writes the release report of product %s. Use when the user says \"report\"."}, Files: []ExampleFile{skill("budget", "Adds up the costs of a quarter. Use when the user says \"report\".")}},
	Good:     Example{Crowd: Crowd{24, "Writes the release report of product %s. Use when the user asks for its release report."}, Files: []ExampleFile{skill("budget", "Adds up the costs of a quarter. Use when the user says \"quarterly costs\".")}},
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || len(l.Skills) < minLibrary {
			return
		}
		for _, p := range m.Probes {
			if p.Kind == "trigger" && p.Said && commonWord(p) && !inClause(s, p.Text) {
				report(Problem{At: s.InDescription(p.Text), Text: oneWord(p)})
			}
		}
	},
}

func oneWord(p Probe) string {
	if !strings.Contains(p.Text, " ") {
		return fmt.Sprintf("%q is one word, and %.0f %% of the skills have it", p.Text, 100*p.Share)
	}
	word := "one word"
	for _, w := range wordsOf(p.Text) {
		if len(w) > 1 && !vocab.Stop.Has(w) {
			word = fmt.Sprintf("the word %q", w)
			break
		}
	}
	return fmt.Sprintf("%q comes down to %s, and %.0f %% of the skills have it", p.Text, word, 100*p.Share)
}

// inClause reports whether a quoted phrase is part of a clause of the description
// or a pattern, and nothing that users say as it stands: they are "the same agent"
// as before.
func inClause(s *Skill, phrase string) bool {
	if variable.get().MatchString(phrase) {
		return true
	}
	before, _, ok := strings.Cut(s.Text(), `"`+phrase+`"`)
	return ok && clauseBefore.get().MatchString(before)
}

// variable finds a capital that stands for what the user names: "use X not Y".
var variable = lazy(`(^| )[XYZN]( |$)`)

var clauseBefore = lazy(`(?i)\b(are|is|be|as|called|named|the|an?|of|not|its|their)\s+$`)

// commonWord reports whether a probe is one word that decides nothing.
func commonWord(p Probe) bool {
	return p.Words == 1 && p.Share >= deadShare && (p.Place == 0 || p.Place > reach)
}

// minLibrary is how many skills it takes for shares of them to mean anything.
const minLibrary = 20

// Crowd is skills whose descriptions differ in one word. They are written out only
// where they are looked at: every process starts with every rule.
type Crowd struct {
	Skills      int
	Description string // with %s for the word
}

// All returns the files of an example, the computed ones first.
func (e Example) All() []ExampleFile {
	var all []ExampleFile
	for i := range e.Crowd.Skills {
		word := "p" + string(rune('a'+i/26)) + string(rune('a'+i%26)) + "x"
		all = append(all, skill("report-"+word, fmt.Sprintf(e.Crowd.Description, word)))
	}
	if e.Made != nil {
		all = append(all, e.Made()...)
	}
	return append(all, e.Files...)
}
