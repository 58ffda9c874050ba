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
	if left := expr("unfilled").FindString(s.Description); left != "" && !s.forCopying() {
		report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("%q is left over from a template", source.Short(left))})
		return
	}
	own := map[string]bool{}
	for _, t := range terms.Scan(s.Name + " " + s.Folder) {
		own[t.Text] = true
	}
	var telling []string
	for _, w := range wordsOf(s.Text()) {
		if !words("vague")[w] && !vocab.Stop.Has(w) && !own[terms.Stem(w)] && !slices.Contains(telling, w) {
			telling = append(telling, w)
		}
		if strings.ContainsFunc(w, script.Spaceless) && utf8.RuneCountInString(w) > longestWord {
			return // writing without spaces between words
		}
	}
	if len(telling) < minTelling && !strings.ContainsFunc(s.Text(), script.Hangul) {
		p := Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf(
			"the description has too few distinctive words (%d instead of at least %d): %q", len(telling), minTelling,
			source.Short(s.Description))}
		if found, asked := l.found(s); asked > 0 && found == asked {
			p.Severity = Info
		}
		report(p)
	}
}}

const minTelling = 2

const longestWord = 5
