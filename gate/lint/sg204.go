package lint

import (
	"strings"
)

var languageMissing = &Rule{
	ID:       "SG204",
	Title:    "no trigger in a language that users write in",
	Why:      "a Korean request shares no word with an English description, nor the other way round: the gate's dictionary bridges common words, not names, slang and phrases",
	Advice:   "add the words users say in that language, as in: Korean triggers: \"…\"",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Info,
	Bad:      front("pdf", "Fills and reads PDF forms. Use when the user says \"fill in this form\"."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when the user says \"fill in this form\" or \"PDF 양식 채워줘\"."),
	Within: func(l *Library, s *Skill, report Report) {
		if !s.Described() || !hasUsage(s) || internalOnly(s) {
			return
		}
		text := s.Text() + " " + strings.Join(s.Triggers, " ")
		if l.Wants("ko") && !hasHangul(text) {
			report(Problem{At: s.DescriptionPlace(), Text: "no trigger in Korean", Hint: "add the Korean words users say, as in: Korean triggers: \"…\""})
		}
		if l.Wants("en") && len(englishWords(text)) < 3 {
			report(Problem{At: s.DescriptionPlace(), Text: "no trigger in English", Hint: "add \"Use when the user asks to …\" with English phrases"})
		}
	},
}

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
