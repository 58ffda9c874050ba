package lint

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/synonyms/terms"
)

var nameOnly = &Rule{
	ID:       "SG209",
	Title:    "description only repeats the name",
	Why:      "a prompt that does not hold the name shares no word with the skill",
	Advice:   "say what the skill does, to what, and what users say when they want it",
	See:      specURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf-forms", "A skill for PDF forms."),
	Good:     front("pdf-forms", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		if onlyName(s) {
			report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("%q adds nothing to the name %q", printableShort(s.Description), s.Name)})
		}
	},
}

// onlyName reports whether a description has words of the name and besides them
// only such as fit every skill.
func onlyName(s *Skill) bool {
	own := map[string]bool{}
	for _, t := range terms.Scan(s.Name + " " + s.Folder) {
		own[t.Text] = true
	}
	repeats := false
	for _, t := range terms.Scan(s.Text()) {
		switch {
		case own[t.Text]:
			repeats = true
		case !vague.has(t.Text) && !vague.has(strings.ToLower(t.Text)) && !vagueStem(t.Text) && !nameFiller.has(t.Text):
			return false
		}
	}
	return repeats
}

// vagueStem reports whether the stem of a vague word is w.
func vagueStem(w string) bool {
	for v := range vague.words() {
		if strings.HasPrefix(v, w) && terms.Stem(v) == w {
			return true
		}
	}
	return false
}
