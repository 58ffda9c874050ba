package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// sg206 is reported as Info if every request that should find the skill finds it.
var sg206 = &Rule{ID: "SG206", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
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
		if strings.ContainsFunc(w, script.Spaceless) && utf8.RuneCountInString(w) > longestWord {
			return // writing without spaces between words
		}
	}
	if len(telling) < minTelling && !hasHangul(s.Text()) {
		p := Problem{At: s.DescriptionPlace(), Text: countTelling(telling, s.Description)}
		if found, asked := l.found(s); asked > 0 && found == asked {
			p.Severity = Info
		}
		report(p)
	}
}}

const minTelling = 2

const longestWord = 5

func countTelling(telling []string, description string) string {
	switch {
	case len(wordsOf(description)) == 0:
		return "the description contains no words"
	case len(telling) == 0:
		return fmt.Sprintf("no word of %q distinguishes this skill from others", source.Short(description))
	}
	return fmt.Sprintf("apart from the name, only %q distinguishes this skill from others; the description is %q",
		telling[0], source.Short(description))
}

var vague = set(`a all an and any anything assist assistance assistant assists best better common complex convenient
	different do does easy efficient enhance etc everything features for from functionality functions
	general generic handle handles handling help helper helpers helpful helps important improve in is it
	jobs just kinds like manage management manages many misc miscellaneous more multiple new of on
	operation operations or other perform performs personal powerful process processes processing
	productivity provide provides purpose quality related requests several simple skill skills smart
	some special stuff such support supports task tasks that the these thing things this tool tooling
	tools to useful use used user users using utilities advanced agent agents ai app application
	applications apps automatic automatically claude code coding comprehensive development effective
	expert guide project projects utility various ways well when with work workflow workflows works you
	your document documents file files data content information command commands working`)
