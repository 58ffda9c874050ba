package lint

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// usageClauses finds the clauses that say when to use a skill, with an expression for each language.
var usageClauses = sync.OnceValue(func() (all []*expression) {
	for _, l := range lang.All {
		all = append(all, lazy(l.Usage))
	}
	return append(all, lazy(lang.OtherUsage))
})

func hasUsage(s *Skill) bool {
	if s.usage == 0 {
		s.usage = -1
		found := func(clause *expression) bool { return clause.get().FindStringIndex(s.Text()) != nil }
		if len(s.Triggers) > 0 || len(catalog.Said(s.Description, s.WhenToUse)) > 0 ||
			slices.ContainsFunc(usageClauses(), found) {
			s.usage = 1
		}
	}
	return s.usage > 0
}

func sentences(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		if r != '.' && r != '!' && r != '?' && r != '。' && r != '\n' {
			continue
		}
		rest := text[i+utf8.RuneLen(r):]
		if r != '\n' && r != '。' {
			if rest == "" || rest[0] != ' ' {
				continue
			}
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
			if !unicode.IsUpper(next) && !lang.Caseless(next) && next != '"' && next != '(' && next != '\'' ||
				shortForm(text[start:i]) {
				continue
			}
		}
		if one := strings.TrimSpace(text[start : i+utf8.RuneLen(r)]); one != "" {
			out = append(out, one)
		}
		start = i + utf8.RuneLen(r)
	}
	if one := strings.TrimSpace(text[start:]); one != "" {
		out = append(out, one)
	}
	return out
}

func shortForm(s string) bool {
	i := strings.LastIndexAny(s, " (")
	last := strings.ToLower(s[i+1:])
	switch last {
	case "e.g", "i.e", "etc", "vs", "cf", "dr", "mr", "ms", "no", "inc", "ltd", "st", "approx", "fig":
		return true
	}
	return len(last) == 1 && last[0] < 0x80 && unicode.IsLetter(rune(last[0]))
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
