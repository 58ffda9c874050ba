package hooks

import (
	"slices"
	"strings"
)

// Listing is how a host lists skills at the start of a session: every name, and
// descriptions as far as a budget has room for them.
type Listing struct {
	Fraction  float64    // part of the context window that is the budget
	BudgetVar string     // environment variable that sets the budget, in display columns
	ModelVar  string     // environment variable that names the model
	MaxDesc   int        // characters of one description that are shown
	Models    []Model    // the first whose Part a model's name has; the last fits every model
	LongMark  string     // in a model's name: it has the long window, whatever Models says
	Own       []OwnSkill // the host's own skills, as the newest version that was measured lists them
	Others    []string   // own skills that other versions list, or only some accounts or settings
	Uses      string     // file in the home folder or in the host's that counts how often skills are used
	Again     string     // when the whole listing is sent again, in words
}

// Model is how a host sees the models whose name has a part.
type Model struct {
	Part          string
	Window        int // context window in tokens
	CharsPerToken int
}

// OwnSkill is one of the host's own skills.
type OwnSkill struct {
	Name   string
	Chars  int // of its description
	Breaks int // lines of it but the last; a line break is a character without width
}

// Comes reports whether a skill of that name comes with the host in some version.
func (l *Listing) Comes(name string) bool {
	return slices.Contains(l.names(), name)
}

func (l *Listing) names() []string {
	names := slices.Clone(l.Others)
	for _, o := range l.Own {
		names = append(names, o.Name)
	}
	return names
}

// longWindow is the context window of a model with LongMark in its name, in tokens.
const longWindow = 1_000_000

// Model returns the model of that name, "" for the one that most sessions have.
func (l *Listing) Model(name string) Model {
	for _, m := range l.Models {
		if strings.Contains(name, m.Part) {
			if strings.Contains(name, l.LongMark) {
				m.Window = longWindow
			}
			return m
		}
	}
	return Model{}
}
