package lint

import (
	"fmt"
)

var overBroad = &Rule{
	ID:       "SG207",
	Title:    "description claims every task",
	Why:      "\"always use\" pulls the skill into prompts it does nothing for, and a user with two such skills has none",
	Advice:   "say for which requests, or put the instruction into CLAUDE.md, which is always read",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("style", "House style for prose. Always use this skill before any task."),
	Good:     front("style", "House style for prose. Use when the user asks to edit or proofread a text."),
	Check: func(s *Skill, report Report) {
		if !s.Described() {
			return
		}
		text := unquote(s.Text())
		for _, one := range sentences(text) {
			if isRefusal(one) {
				continue
			}
			if m := everyTask().FindString(one); m != "" {
				report(Problem{At: s.InDescription(m), Text: fmt.Sprintf("says %q", m)})
				return
			}
		}
	},
}

var everyTask = lazy(`(?i)\b(always use (this|it)( skill)?( (for|on|in) (all|every|any)| first|\.|$)|use (this skill )?(for|on|in|before|at the start of) (every|any|all|each) (conversations?|sessions?|requests?|tasks?|prompts?|questions?|messages?|responses?|interactions?)\b|(before|at the start of) (any|every|each|all) (response|task|conversation|session|action|interaction|message|request)s?\b|must (always )?be used (for|in|before) (every|any|all)( [a-z]+)? (tasks?|requests?|prompts?|conversations?)|for (any|all) (and all )?(tasks?|requests?|purposes?|questions?)\b[^a-z]*($|\.))|(항상|언제나|무조건) (이 스킬을 )?(사용|호출|실행)|모든 (요청|작업|대화|질문)(에|에서|마다) (사용|적용|호출|실행)`)
