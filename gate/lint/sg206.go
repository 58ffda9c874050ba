package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/synonyms/terms"
)

var vagueDescription = &Rule{
	ID:       "SG206",
	Title:    "description says nothing in particular",
	Why:      "words that fit every skill find none: the retriever weighs a word by how few skills have it",
	Advice:   "name the file types, tools, objects and results",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf", "Helps with various document tasks."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		own := map[string]bool{}
		for _, t := range terms.Scan(s.Name + " " + s.Folder) {
			own[t.Text] = true
		}
		var telling []string
		for _, w := range wordsOf(s.Text()) {
			if !vague.has(w) && !vocab.Stop.Has(w) && !own[terms.Stem(w)] && !slices.Contains(telling, w) {
				telling = append(telling, w)
			}
		}
		if len(telling) < minTelling && !hasHangul(s.Text()) && !onlyName(s) {
			report(Problem{At: s.DescriptionPlace(), Text: countTelling(telling, s.Description)})
		}
	},
}

// minTelling is how many words a description needs besides those of the name: one
// for what is done and one for what it is done to.
const minTelling = 2

func countTelling(telling []string, description string) string {
	switch {
	case len(wordsOf(description)) == 0:
		return "the description holds no word"
	case len(telling) == 0:
		return fmt.Sprintf("no word of %q tells this skill from another", printableShort(description))
	}
	return fmt.Sprintf("besides the name only %q tells this skill from another: %q", telling[0], printableShort(description))
}

func printableShort(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return string(r)
}

var vague = set(`a all an and any anything assist assistance assistant assists best better common complex convenient different do does easy
	efficient enhance etc everything features for from functionality functions general generic handle handles handling help helper helpers helpful helps
	important improve in is it jobs just kinds like manage management manages many misc miscellaneous more multiple new of on operation operations or other
	perform performs personal powerful process processes processing productivity provide provides purpose quality related requests several simple skill skills
	smart some special stuff such support supports task tasks that the these thing things this tool tooling tools to useful use used user users using utilities
	advanced agent agents ai app application applications apps automatic automatically claude code coding comprehensive development effective expert guide project projects
	utility various ways well when with work workflow workflows works you your document documents file files data content information`)
