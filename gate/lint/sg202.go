package lint

import (
	"fmt"
	"strings"
)

var notThirdPerson = &Rule{
	ID:       "SG202",
	Title:    "description speaks as I or to you",
	Why:      "the description is inserted among those of other skills, where \"I\" and \"you\" are somebody else; it also spends words that find nothing",
	Advice:   "write in the third person: \"Fills PDF forms\", not \"I can help you fill\" or \"You are an expert in PDF\"",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf", "I can help you fill PDF forms. Use when a task names a .pdf file."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		text := singleQuoted.get().ReplaceAllStringFunc(unquote(s.Description), blank)
		for _, one := range sentences(text) {
			if usageFirst.get().MatchString(one) || occasion.get().MatchString(one) {
				continue // "Use when I say …" quotes the user
			}
			if m := otherPerson.get().FindStringIndex(one); m != nil {
				report(Problem{At: s.InDescription(one[m[0]:m[1]]), Text: fmt.Sprintf("says %q", strings.TrimSpace(one[m[0]:m[1]]))})
				return
			}
		}
	},
}

var (
	otherPerson  = lazy(`\b(I can|I will|I'll|I help|I am|I'm|You are (a|an|the)\b|You('re| are) [a-z]+ing\b|You help\b|[Yy]ou can (use|create|build|run|ask)|[Hh]elps? you\b|[Ww]e (can|will|help))|^(This (skill|tool) )?([Ll]ets|[Aa]llows|[Ee]nables|[Gg]ives) you\b|저는|제가 |도와드립니다|도와드려요|해드립니다|해드려요|여러분`)
	occasion     = lazy(`(?i)\b(use (this|it|when)|when(ever)? |trigger|asks?\b|says?\b)`)
	singleQuoted = lazy(`(^|[\s(,:])'[^'\n]{2,120}'`)
)

func blank(s string) string { return strings.Repeat(" ", len(s)) }
