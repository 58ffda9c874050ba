package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint/measure"
	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/synonyms/terms"
)

var sg203 = &Rule{ID: "SG203", Severity: Info, Check: func(s *Skill, report Report) {
	if !s.Described() || hasUsage(s) || len(wording.Words(s.Description)) < 3 || internalOnly(s) || chinese(s.Text()) ||
		s.Front.hasValue("disable-model-invocation", "trueWords") || s.Front.hasValue("user-invocable", "falseWords") {
		return
	}
	report.at(s.DescriptionPlace(), "the description does not say when to use the skill")
}}

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

// Spoken returns the codes of the languages of at least spokenShare of the descriptions or of the logged prompts.
func Spoken(descriptions []string, usage map[string]Usage) []string {
	var out []string
	for _, l := range lang.All {
		written := count(descriptions, func(d string) bool { return writes(d, l) })
		prompts, all := 0, 0
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
		return len(expr("englishWord").FindAllString(text, minEnglish)) == minEnglish
	}
	return strings.ContainsFunc(text, l.Script)
}

const minEnglish = 3    // minimum number of English words in an English text; fewer may be names
const spokenShare = 0.4 // minimum share of the descriptions or prompts

func internalOnly(s *Skill) bool {
	return expr("internalOnly").MatchString(s.Text()) ||
		s.Front.hasValue("user-invocable", "falseWords") && len(s.Triggers) == 0
}

// sg206 is reported as Info if the description has a distinctive word or every request finds the skill.
var sg206 = &Rule{ID: "SG206", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	if !s.Described() {
		return
	}
	if left := expr("unfilled").FindString(s.Description); left != "" && !s.forCopying() &&
		!strings.Contains(s.Description, `"`+left) {
		report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("%q is left over from a template", source.Short(left))})
		return
	}
	if all := expr("claimsAll").FindString(s.Description); all != "" {
		report.at(s.InDescription(all), "the description claims requests of other skills: %q", all)
		return
	}
	if s.part != "" {
		return
	}
	own := map[string]bool{}
	for _, t := range terms.Scan(s.Name + " " + s.Folder) {
		own[t.Text] = true
	}
	var telling []string
	for _, w := range wording.Words(s.Text()) {
		if !words("vague")[w] && !vocab.Stop.Has(w) && !own[terms.Stem(w)] && !slices.Contains(telling, w) {
			telling = append(telling, w)
		}
		if strings.ContainsFunc(w, script.Spaceless) && utf8.RuneCountInString(w) > longestWord {
			return // writing without spaces between words
		}
	}
	requests := cmp.Or(l.measured(s), new(measure.Result)).Requests
	found, asked := count(requests, func(r findable.Request) bool { return r.Place <= reach }), len(requests)
	if len(telling) < minTelling && !strings.ContainsFunc(s.Text(), script.Hangul) {
		few := len(telling) == 0 && len(wording.Words(s.Description)) < 4 && (asked == 0 || found < asked)
		report(Problem{At: s.DescriptionPlace(), Severity: Info.when(!few),
			Text: fmt.Sprintf("the description has too few distinctive words (%d instead of at least %d): %q",
				len(telling), minTelling, source.Short(s.Description))})
	}
}}

const (
	minTelling  = 2
	longestWord = 5
)

func (s *Skill) forCopying() bool { return expr("copied").MatchString(s.ID) }

var sg213 = &Rule{ID: "SG213", Severity: Warning, Check: func(s *Skill, report Report) {
	d, ok := s.Front.Scalar("description")
	d = strings.TrimSpace(d)
	if !ok || d == "" {
		return
	}
	tail := d[max(0, len(d)-60):]
	if i := strings.IndexAny(tail, " \n"); i >= 0 && len(d) > 60 {
		tail = tail[i+1:]
	}
	last := strings.Fields(d)
	end := s.InDescription(strings.Join(last[max(0, len(last)-2):], " "))
	k, _ := s.Front.Key("description")
	switch {
	case k.Node != nil && k.Node.Style == 0 && expr("cutOff").MatchString(k.Node.LineComment):
		report(Problem{At: end, Text: fmt.Sprintf("a YAML comment begins after %q", tail),
			Hint: "put the description in quotation marks, because # after a space begins a comment"})
	case strings.HasSuffix(d, "...") || strings.HasSuffix(d, "…"):
		report.at(end, "the description seems to be cut off: it ends in %q", tail)
	case expr("dangling").MatchString(d[max(0, len(d)-maxTail):]) || strings.Count(d, "(") > strings.Count(d, ")")+1:
		report.at(end, "the description ends in the middle of a clause: %q", tail)
	}
}}

const maxTail = 300 // bytes at the end of a description in which SG213 looks for its last words

var usageClauses = sync.OnceValue(func() (all []expression) {
	for _, l := range lang.All {
		all = append(all, lazy(l.Usage))
	}
	return append(all, lazy(lang.OtherUsage))
})

func hasUsage(s *Skill) bool {
	return len(s.Triggers) > 0 || expr("userSays").MatchString(s.Description) ||
		len(catalog.Said(s.Description, s.WhenToUse)) > 0 ||
		slices.ContainsFunc(usageClauses(), func(clause expression) bool { return clause().MatchString(s.Text()) })
}
