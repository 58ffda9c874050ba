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

// usages find the clauses that say when to use a skill, an expression a language.
var usages struct {
	once sync.Once
	all  []*expression
}

func usageClauses() []*expression {
	usages.once.Do(func() {
		for _, l := range lang.All {
			usages.all = append(usages.all, lazy(l.Usage))
		}
		usages.all = append(usages.all, lazy(lang.OtherUsage))
	})
	return usages.all
}

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

// sentences cuts text at full stops and the like that a space and a capital, a
// quotation mark or a letter of a script without capitals follow.
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
