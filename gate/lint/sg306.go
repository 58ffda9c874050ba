package lint

import (
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/synonyms/terms"
)

var circle = &Rule{
	ID:       "SG306",
	Title:    "boundaries go in a circle",
	Why:      "each of the two says that the other does it: nobody does",
	Advice:   "decide which of the two does it, and take the other's boundary out",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	Bad: Example{Files: []ExampleFile{
		skill("pdf-forms", "Fills PDF forms. Do NOT use for signing contracts (use pdf-sign)."),
		skill("pdf-sign", "Stamps PDF files. Do NOT use for signing contracts (use pdf-forms)."),
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf-forms", "Fills PDF forms. Do NOT use for signing contracts (use pdf-sign)."),
		skill("pdf-sign", "Signs PDF files. Do NOT use for filling forms (use pdf-forms)."),
	}},
	Within: func(l *Library, s *Skill, report Report) {
		for _, b := range s.Boundaries {
			for _, use := range b.Use {
				for _, t := range l.Named(use) {
					if t == s {
						if len(l.Named(use)) == 1 {
							report(Problem{At: s.InDescription(use), Text: fmt.Sprintf("sends %q to itself", printableShort(b.Not))})
						}
						continue
					}
					if back := sendsBack(l, t, s, b.Not); back != "" {
						report(Problem{At: s.InDescription(b.Not), Text: fmt.Sprintf("sends %q to %s, which sends %q back", printableShort(b.Not), t.Name, printableShort(back))})
						return
					}
				}
			}
		}
	},
}

// sendsBack returns what t sends to s where it is the thing that s sends to t.
func sendsBack(l *Library, t, s *Skill, not string) string {
	for _, b := range t.Boundaries {
		for _, use := range b.Use {
			if slices.Contains(skillIDs(l.Named(use)), s.ID) && sameThing(not, b.Not) {
				return b.Not
			}
		}
	}
	return ""
}

func skillIDs(list []*Skill) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.ID
	}
	return out
}

// sameThing reports whether two boundaries are about the same thing: of the words
// of both, most are in each.
func sameThing(a, b string) bool {
	x, y := stems(a), stems(b)
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	all := len(x) + len(y) - both
	return both > 0 && float64(both) >= 0.75*float64(all)
}

func stems(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range terms.Scan(text) {
		out[t.Text] = true
	}
	return out
}
