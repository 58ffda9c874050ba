package lint

import (
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/synonyms/terms"
)

var deadVocabulary = &Rule{
	ID:       "SG216",
	Title:    "description is made of words that everybody uses",
	Why:      "BM25 weighs a word by how few skills have it: words that stand in many never decide between them",
	Advice:   "name what only this skill has: the file type, the service, the object, the result",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      Example{Crowd: Crowd{24, "Writes the weekly report of product %s for the team. Use when the user asks for the weekly report."}, Files: []ExampleFile{skill("weekly", "Writes the weekly report for the team. Use when the user asks for the report.")}},
	Good: Example{
		Crowd: Crowd{24, "Writes the weekly report of product %s for the team. Use when the user asks for the weekly report."},
		Files: []ExampleFile{
			skill("budget", "Adds up the costs of a quarter by cost centre. Use when the user asks for the quarterly budget."),
		},
	},
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || len(l.Skills) < minLibrary || m.Words < minVocabulary {
			return
		}
		if m.Known > 0 || foundByTrigger(s, m) {
			return
		}
		var words []string
		for _, w := range wordsOf(s.claim()) {
			if !vocab.Stop.Has(w) && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("what it says it does is in words that each stand in more than %.0f %% of the skills: %s", 100*deadShare, quoteList(words, 6))})
	},
}

// foundByTrigger reports whether one of the phrases that users say, other than the
// name, brings the skill to the top.
func foundByTrigger(s *Skill, m *Measured) bool {
	own := map[string]bool{}
	for _, t := range terms.Scan(s.Name + " " + s.Folder) {
		own[t.Text] = true
	}
	for _, p := range m.Probes {
		if p.Kind == "trigger" && p.Said && p.Place == 1 {
			for _, t := range terms.Scan(p.Text) {
				if !own[t.Text] {
					return true
				}
			}
		}
	}
	return false
}

const minVocabulary = 3 // words; fewer are SG206's
