package lint

var hiddenFromModel = &Rule{
	ID:       "SG135",
	Title:    "model may not run it, though its description says when to",
	Why:      "with disable-model-invocation the skill is in no listing and the Skill tool refuses it: the description's triggers never fire",
	Advice:   "take disable-model-invocation out, or write the description for the people who type the name",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Info,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\ndisable-model-invocation: true\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     file("pdf", "---\nname: pdf\ndescription: Fills a PDF form.\ndisable-model-invocation: true\n---\n# PDF\n\n1. Read the form.\n"),
	Check: func(s *Skill, report Report) {
		if on(s, "disable-model-invocation") && hasUsage(s) && !off(s, "user-invocable") {
			report(Problem{At: s.Key("disable-model-invocation"), Text: "the skill is never offered to the model"})
		}
	},
}
