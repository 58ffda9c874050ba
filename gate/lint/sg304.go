package lint

import (
	"fmt"
	"strings"
)

var collision = &Rule{
	ID:       "SG304",
	Title:    "another skill answers to this one's description",
	Why:      "prompts for this skill find both with nearly the same score, and the order is chance",
	Advice:   "say in both descriptions what tells them apart, or merge the two",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	Bad: Example{Files: []ExampleFile{
		skill("pdf-forms", "Fills the fields of PDF forms with the values of a table. Use when the user asks to fill a form."),
		skill("pdf-filler", "Fills the fields of PDF forms with values from a table. Use when the user wants to fill a form."),
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf-forms", "Fills the fields of PDF forms with the values of a table. Use when the user asks to fill a form. Do NOT use for forms in Word (use word-forms)."),
		skill("word-forms", "Fills the fields of Word forms with the values of a table. Use when the user asks to fill a .docx form. Do NOT use for PDF forms (use pdf-forms)."),
	}},
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil {
			return
		}
		for _, r := range m.Rivals {
			if !r.collides() || s.sendsTo(l, r.ID) || l.byID[r.ID] != nil && l.byID[r.ID].sendsTo(l, s.ID) {
				continue
			}
			report(Problem{At: s.DescriptionPlace(), Text: rivalText(r), Hint: l.rivalHint(r)})
			return
		}
	},
}

const (
	collideRatio = 0.92 // of the own score, for the rival's on this skill's description
	headRatio    = 0.6  // of what name, description and triggers score: a long body alone is not a rival
	takenRatio   = 0.8  // with most of the triggers lost too, less is enough
)

// collides reports whether a rival's score is so near that chance decides.
func (r Rival) collides() bool {
	return r.Head >= headRatio && (r.Ratio >= collideRatio || r.Ratio >= takenRatio && r.Of >= 2 && 2*r.Taken > r.Of)
}

// sendsTo reports whether a boundary of s names the skill with that ID.
func (s *Skill) sendsTo(l *Library, id string) bool {
	for _, b := range s.Boundaries {
		for _, use := range b.Use {
			for _, t := range l.Named(use) {
				if t.ID == id {
					return true
				}
			}
		}
	}
	return false
}

func rivalText(r Rival) string {
	text := fmt.Sprintf("%s scores %.0f %% of this skill on its own description", r.Name, 100*r.Ratio)
	if r.Taken > 0 {
		text += fmt.Sprintf(" and is first for %d of its %d triggers", r.Taken, r.Of)
	}
	return text
}

func (l *Library) rivalHint(r Rival) string {
	var separates []string
	for _, w := range r.Separates {
		if other := l.byID[r.ID]; other == nil || !containsFold(other.Src.Text, w) {
			separates = append(separates, w)
		}
	}
	switch {
	case len(separates) > 0:
		return fmt.Sprintf("%s has no %s: say it in the first words, and add \"Do NOT use for … (use %s)\"", r.Name, strings.Join(quoted(separates), ", "), r.Name)
	case r.Short:
		return fmt.Sprintf("it says too little of itself: add what only this skill does, and \"Do NOT use for … (use %s)\"", r.Name)
	}
	return fmt.Sprintf("nothing that it says it does is missing in %s: merge the two, or say what only this one does", r.Name)
}

func containsFold(text, word string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(word))
}

func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = fmt.Sprintf("%q", s)
	}
	return out
}
