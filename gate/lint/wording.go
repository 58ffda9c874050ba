package lint

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/synonyms/lang"
)

var usageClauses = sync.OnceValue(func() (all []func() *regexp.Regexp) {
	for _, l := range lang.All {
		all = append(all, lazy(l.Usage))
	}
	return append(all, lazy(lang.OtherUsage))
})

func hasUsage(s *Skill) bool {
	found := func(clause func() *regexp.Regexp) bool { return clause().MatchString(s.Text()) }
	return len(s.Triggers) > 0 || len(catalog.Said(s.Description, s.WhenToUse)) > 0 ||
		slices.ContainsFunc(usageClauses(), found)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
