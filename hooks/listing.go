package hooks

import (
	"slices"
	"strings"
)

// Listing describes how a host lists skills at the start of a session: all names, and as many descriptions as fit into
// a budget.
type Listing struct {
	Fraction  float64    // budget as a share of the context window
	BudgetVar string     // environment variable with the budget in display columns
	ModelVar  string     // environment variable with the name of the model
	MaxDesc   int        // maximum length of a description in the listing, in characters
	Models    []Model    // the first one whose Part occurs in a model's name applies; the last one matches all
	LongMark  string     // text in the names of models whose context window is longWindow
	Own       []OwnSkill // the host's own skills, as listed by the newest version that was measured
	Others    []string   // names of the host's own skills in other versions, accounts or settings
	Uses      string     // file in the home folder or the host's folder that counts uses of skills
	Again     string     // text that says when the host sends the complete listing again
}

// Model describes the models whose name contains Part.
type Model struct {
	Part          string
	Window        int // context window in tokens
	CharsPerToken int
}

// OwnSkill is a skill that is built into the host.
type OwnSkill struct {
	Name   string
	Chars  int // length of the description
	Breaks int // number of line breaks in the description, which have no width
}

// Comes reports whether any version of the host includes a skill with the given name.
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

// Model returns the model with the given name. For "" it returns the model that most sessions use.
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
