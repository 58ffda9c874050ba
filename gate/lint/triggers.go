package lint

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// sg203 is reported as Info unless fewer than half of the requests that should find the skill find it.
var sg203 = &Rule{ID: "SG203", Severity: Warning, Choice: true, Within: func(l *Library, s *Skill, report Report) {
	if !s.Described() || hasUsage(s) || len(wordsOf(s.Description)) < 3 || internalOnly(s) || chinese(s.Text()) ||
		s.Front.hasValue("disable-model-invocation", trueWords) {
		return
	}
	p := Problem{At: s.DescriptionPlace(), Text: "the description does not say when to use the skill", Severity: Info}
	if found, n := l.found(s); 2*found < n {
		p.Severity = Warning
		p.Text += fmt.Sprintf("; only %d of %d requests taken from it find the skill among the first %d", found, n, reach)
	}
	report(p)
}}

func (l *Library) found(s *Skill) (found, asked int) {
	m := l.measured(s)
	if m == nil {
		return 0, 0
	}
	for _, r := range m.Requests {
		if r.Place <= reach {
			found++
		}
	}
	return found, len(m.Requests)
}

func chinese(text string) bool {
	han, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			return false
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			other++
		}
	}
	return han > 0 && 4*han >= other
}

// Spoken returns the codes of the languages in which a library's users write: those of at least spokenShare of the
// descriptions or of the logged prompts.
func Spoken(descriptions []string, usage map[string]Usage) []string {
	var out []string
	for _, l := range lang.All {
		written, prompts, all := 0, 0, 0
		for _, d := range descriptions {
			if writes(d, l) {
				written++
			}
		}
		for _, u := range usage {
			prompts += u.Langs[l.Code]
			all += u.Named
		}
		if written > 0 && float64(written) >= spokenShare*float64(len(descriptions)) || prompts > 0 &&
			float64(prompts) >= spokenShare*float64(all) {
			out = append(out, l.Code)
		}
	}
	return out
}

func writes(text string, l *lang.Language) bool {
	if l == lang.All[0] {
		return len(englishWords(text)) >= minEnglish
	}
	return strings.ContainsFunc(text, l.Script)
}

const (
	minEnglish  = 3   // minimum number of English words in an English text; fewer may be names
	spokenShare = 0.4 // minimum share of the descriptions or prompts
)

func englishWords(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text,
		func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }) {
		if len(w) >= 2 && w != strings.ToUpper(w) {
			out = append(out, strings.ToLower(w))
		}
	}
	return out
}

func internalOnly(s *Skill) bool {
	return expr("internalOnly").MatchString(s.Text()) ||
		s.Front.hasValue("user-invocable", falseWords) && len(s.Triggers) == 0
}

func quoteList(list []string, n int) string {
	var b strings.Builder
	for i, s := range list {
		if i == n {
			fmt.Fprintf(&b, " and %d more", len(list)-n)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", source.Short(s))
	}
	return b.String()
}
