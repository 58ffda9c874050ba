package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
)

var overBudget = &Rule{
	ID:       "SG404",
	Title:    "descriptions do not fit into the host's listing",
	Why:      "the host lists every skill's name; descriptions beyond 1 % of the context are dropped, those of the least used skills first",
	Advice:   "shorten descriptions, move skills to a library folder that only skillgate reads, or set skillOverrides to name-only",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupLibrary,
	Severity: Info,
	Bad:      installed(crowd(40, "Writes the weekly report of product %s for everybody who reads it: "+strings.Repeat("with figures, ", 20)+"and a chart.")),
	Good:     installed(front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.")),
	Whole: func(l *Library, report Report) {
		lost, total := l.dropped()
		if len(lost) == 0 {
			return
		}
		names := make([]string, len(lost))
		for i, s := range lost {
			names[i] = s.Name
		}
		report(Problem{
			At:   Place{},
			Text: fmt.Sprintf("names and descriptions are %d characters, the listing has %d: %d skills lose their description: %s", total, l.budget(), len(lost), strings.Join(names, ", ")),
		})
	},
}

// DefaultBudget is the listing's size in characters: 1 % of a window of 200,000
// tokens at four characters each.
const DefaultBudget = 8000

func (l *Library) budget() int { return cmp.Or(l.Budget, DefaultBudget) }

// dropped predicts which skills lose their description in the host's listing, and
// returns the characters that the whole would take.
func (l *Library) dropped() (lost []*Skill, total int) {
	var listed []*Skill
	names := 0
	for _, s := range l.Skills {
		if s.Err != nil || s.Source == catalog.Library || s.Source == catalog.Agents || !s.ModelInvocable || l.Shadowed[s.ID] != "" {
			continue
		}
		listed = append(listed, s)
		names += utf8.RuneCountInString(s.Name) + len("- \n")
	}
	total = names
	slices.SortStableFunc(listed, func(a, b *Skill) int { return cmp.Compare(l.Usage[b.Name].Loaded, l.Usage[a.Name].Loaded) })
	left := l.budget() - names
	for _, s := range listed {
		n := min(utf8.RuneCountInString(s.Text()), maxListing) + len(": ")
		total += n
		if left -= n; left < 0 {
			lost = append(lost, s)
		}
	}
	return lost, total
}

// installed marks an example's skills as those of a user's skills folder.
func installed(e Example) Example {
	e.Installed = true
	return e
}
