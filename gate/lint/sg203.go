package lint

var noTriggers = &Rule{
	ID:       "SG203",
	Title:    "description does not say when to use the skill",
	Why:      "users ask for an outcome in their own words; without those words only somebody who knows the skill finds it",
	Advice:   "add \"Use when the user asks to …\" with the phrases users say, in every language they write in",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf", "Fills and reads PDF forms."),
	Good:     front("pdf", "PDF 서식을 채우고 읽는다. 사용자가 PDF 양식을 채워 달라고 요청할 때 사용한다."),
	Check: func(s *Skill, report Report) {
		if s.Described() && !hasUsage(s) && !bare(s.Description) && !internalOnly(s) {
			report(Problem{At: s.DescriptionPlace(), Text: "nothing in the description says when to use the skill"})
		}
	},
}

// bare reports whether a description is too short for SG203 to add to what SG206
// and SG209 say.
func bare(description string) bool { return len(wordsOf(description)) < 3 }
