package replay

import (
	"cmp"
	"strings"
)

// Summary is the result of a run.
type Summary struct {
	A        string          `json:"a"` // name of the first side
	B        string          `json:"b"`
	Prompts  int             `json:"prompts"`
	Compared int             `json:"compared"`
	Skipped  map[Skipped]int `json:"skipped"`
	Changes  map[Change]int  `json:"changes"`
	Changed  float64         `json:"changed"` // share of the compared prompts
	Forms    map[Form]int    `json:"forms"`   // forms of the compared prompts
	Unsure   int             `json:"unsure"`  // approximate prompts, which cannot be compared with their logged decision
	Known    int             `json:"known"`   // compared prompts with a known use
	Over     int             `json:"over"`    // compared prompts whose turn was observed and has ended
	Measures []Compared      `json:"measures"`
	Source   Notes           `json:"source"`
	Partial  bool            `json:"partial"` // something could not be read or replayed
	Problems []string        `json:"problems,omitempty"`
	pairs    []pair
	seenWhy  map[string]bool
	loggedA  bool
}

// NewSummary returns an empty summary of j.
func NewSummary(j Job) *Summary {
	return &Summary{
		A: j.A.Name, B: j.B.Name, Skipped: map[Skipped]int{}, Changes: map[Change]int{}, Forms: map[Form]int{},
		Measures: []Compared{}, seenWhy: map[string]bool{}, loggedA: j.A.Logged,
	}
}

const mostProblems = 10

// Add counts one result and reports whether it was compared. A prompt that is known only
// by its terms is not compared with its logged decision, which was made from the text.
func (s *Summary) Add(r *Result) bool {
	s.Prompts++
	if r.Skipped != "" {
		s.Skipped[r.Skipped]++
		if r.Why != nil {
			s.Partial = true
			if why := r.Why.Error(); !s.seenWhy[why] && len(s.Problems) < mostProblems {
				s.seenWhy[why] = true
				s.Problems = append(s.Problems, strings.TrimSpace(why))
			}
		}
		return false
	}
	form := r.Prompt.Form()
	s.Forms[form]++
	if s.loggedA && form == Approximate {
		s.Unsure++
		return false
	}
	s.Compared++
	s.Changes[r.Change]++
	if r.Prompt.Known() {
		s.Known++
	}
	s.Over += one(r.Prompt.Over)
	s.pairs = append(s.pairs, pair{cmp.Or(r.Prompt.Session, r.Prompt.ID), scoreOf(r.Prompt, r.A.Decision),
		scoreOf(r.Prompt, r.B.Decision)})
	return true
}

// Finish computes the rates. n has the notes of the source.
func (s *Summary) Finish(n *Notes) {
	s.Source = *n
	s.Partial = s.Partial || n.Damaged > 0 || len(n.Text) > 0
	if s.Compared > 0 {
		s.Changed = float64(s.Compared-s.Changes[Unchanged]) / float64(s.Compared)
	}
	for _, m := range Measures {
		if c, ok := compareRates(m, s.pairs); ok {
			s.Measures = append(s.Measures, c)
		}
	}
}
