package lint

import "strings"

var nobodyMayRun = &Rule{
	ID:       "SG134",
	Title:    "neither the user nor the model may run it",
	Why:      "disable-model-invocation hides the skill from the model and user-invocable: false from the menu: nothing is left",
	Advice:   "take one of the two out",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\ndisable-model-invocation: true\nuser-invocable: false\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Use when a task names a .pdf file.\nuser-invocable: false\n---\n# PDF\n\n1. Read the form.\n"),
	Check: func(s *Skill, report Report) {
		if off(s, "user-invocable") && on(s, "disable-model-invocation") {
			report(Problem{At: s.Key("user-invocable"), Text: "disable-model-invocation is on and user-invocable is off"})
		}
	},
}

func on(s *Skill, key string) bool {
	v, _ := s.Front.Scalar(key)
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

func off(s *Skill, key string) bool {
	v, _ := s.Front.Scalar(key)
	switch strings.ToLower(v) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}
