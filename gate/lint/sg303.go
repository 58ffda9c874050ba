package lint

var notInEnglish = &Rule{
	ID:       "SG303",
	Title:    "no English prompt reaches the skill",
	Why:      "neither an English trigger of its own nor its name or its telling words in English bring it among the first five",
	Advice:   "add the words English users say, as in: Use when the user asks to \"…\"",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	Bad:      file("뚤릅", "---\nname: 뚤릅\ndescription: 꿻뜛을 뺧뀒한다. 뚤릅이 필요할 때 사용한다.\n---\n# 뚤릅\n\n1. 시작한다.\n"),
	Good:     file("ttulleup", "---\nname: ttulleup\ndescription: 꿻뜛을 뺧뀒한다. Use when the user asks for the ttulleup report.\n---\n# 뚤릅\n\n1. 시작한다.\n"),
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || !l.Wants("en") || m.Reach["en"].Found || internalOnly(s) {
			return
		}
		report(Problem{At: s.DescriptionPlace(), Text: unreachedText(m.Reach["en"], m, "English")})
	},
}
