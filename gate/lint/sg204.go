package lint

import (
	"strings"
)

var languageMissing = &Rule{
	ID:       "SG204",
	Title:    "no trigger in a language that users write in",
	Why:      "a Korean request shares no word with an English description, nor the other way round: the gate's dictionary bridges common words, not names, slang and phrases. Languages that fewer than one in twenty descriptions of a library have are left to SG302 and SG303",
	Advice:   "add the words users say in that language, as in: Korean triggers: \"…\"; or list the languages users write in under lint.languages",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Info,
	Bad:      front("pdf", "Fills and reads PDF forms. Use when the user says \"fill in this form\"."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when the user says \"fill in this form\" or \"PDF 양식 채워줘\"."),
	Within: func(l *Library, s *Skill, report Report) {
		if !s.Described() || !hasUsage(s) || internalOnly(s) || byNameOnly.get().MatchString(s.Text()) {
			return
		}
		wanted := func(lang string) bool { return l.Wants(lang) && !l.foreign(lang) }
		text := s.Text() + " " + strings.Join(s.Triggers, " ")
		if wanted("ko") && !hasHangul(text) && !koreanNames.get().MatchString(text) {
			report(Problem{At: s.DescriptionPlace(), Text: "no trigger in Korean", Hint: "add the Korean words users say, as in: Korean triggers: \"…\""})
		}
		// A text in a third language is for those who write in it; SG303 says whether
		// an English prompt reaches it.
		if wanted("en") && hasHangul(text) && len(englishWords(text)) < minEnglish {
			report(Problem{At: s.DescriptionPlace(), Text: "no trigger in English", Hint: "add \"Use when the user asks to …\" with English phrases"})
		}
	},
}

// foreign reports whether hardly any description of a library is in lang: what
// all its authors leave out is not a mistake of one of them. SG302 and SG303 then say
// which skills no prompt in it reaches.
func (l *Library) foreign(lang string) bool {
	l.writeOnce.Do(func() {
		l.written = map[string]int{}
		for _, s := range l.Skills {
			if !s.Described() {
				continue
			}
			l.written[""]++
			if hasHangul(s.Text()) {
				l.written["ko"]++
			}
			if len(englishWords(s.Text())) >= minEnglish {
				l.written["en"]++
			}
		}
	})
	return l.written[""] >= minLibrary && float64(l.written[lang]) < foreignShare*float64(l.written[""])
}

const (
	minEnglish   = 3    // words that make a text English; fewer may be names
	foreignShare = 0.05 // of the descriptions
)

// koreanNames finds a list that is said to be Korean and has names in Latin letters.
var koreanNames = lazy(`(?i)korean (triggers?|keywords?)( phrases?)?\s*[:：]\s*\S`)

// englishWords lists the words of text in Latin letters; an abbreviation such as
// API or PDF is no English.
func englishWords(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }) {
		if len(w) >= 2 && w != strings.ToUpper(w) {
			out = append(out, strings.ToLower(w))
		}
	}
	return out
}

// internalOnly reports whether a description says that only other skills run it.
func internalOnly(s *Skill) bool {
	low := strings.ToLower(s.Text())
	for _, p := range []string{"invoked only by", "called only by", "used only by", "internal skill", "internal use only", "not user-invocable", "never invoked directly", "only invoked by", "called by the ", "invoked by the ", "내부 전용", "내부용"} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return off(s, "user-invocable") && len(s.Triggers) == 0
}
