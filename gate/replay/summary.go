package replay

import (
	"cmp"
	"strings"
)

// Summary is the result of a replay.
type Summary struct {
	A        string          `json:"a"` // name of side A
	B        string          `json:"b"`
	Prompts  int             `json:"prompts"`
	Compared int             `json:"compared"`
	Skipped  map[Skipped]int `json:"skipped"`
	Changes  map[Change]int  `json:"changes"`
	Changed  float64         `json:"changed"` // share of compared prompts whose decisions differ
	Forms    map[Form]int    `json:"forms"`   // number of compared prompts by form
	Unsure   int             `json:"unsure"`  // approximate prompts, which are not compared with their logged decisions
	Known    int             `json:"known"`   // compared prompts for which a used skill is known
	Over     int             `json:"over"`    // compared prompts whose turn was watched and has finished
	Measures []Compared      `json:"measures"`
	Source   Notes           `json:"source"`
	Partial  bool            `json:"partial"` // true if some data could not be read or replayed
	Problems []string        `json:"problems,omitempty"`
	pairs    []pair
	seenWhy  map[string]bool
	loggedA  bool
}

// NewSummary returns an empty summary for j.
func NewSummary(j Job) *Summary {
	return &Summary{
		A: j.A.Name, B: j.B.Name, Skipped: map[Skipped]int{}, Changes: map[Change]int{}, Forms: map[Form]int{},
		Measures: []Compared{}, seenWhy: map[string]bool{}, loggedA: j.A.Logged,
	}
}

const mostProblems = 10

// Add counts r and reports whether it was compared. An approximate prompt is not compared with its logged decision,
// which was made from the whole text.
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

// Finish computes the rates. n has the notes of the source. Call it after the last Add.
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
