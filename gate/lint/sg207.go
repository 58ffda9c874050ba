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

// everyTask finds a claim to every request. What goes on to say which requests
// ("any request involving the robot") claims no more than those.
var everyTask = lazy(`(?i)\b(always use (this|it)( skill)?( first)?( (for|on|in) (all|every|any) [a-z]+)?|(use (this skill )?|used |apply )(for|on|in|before|at the start of) (every|any|all|each) ` + anyWork + `|(before|at the start of|when starting) (any|every|each|all) ` + anyWork + `|must (always )?be used (for|in|before) (every|any|all) ` + anyWork + `)(\s*[.,;:!?)—–]|\s*$|\s+(including|regardless|without|even|first|and|-)(\s|$))|(항상|언제나|무조건) (이 스킬을 )?(사용|호출|실행)|모든 (요청|작업|대화|질문)(에|에서|마다) (사용|적용|호출|실행)`)

const anyWork = `(conversations?|sessions?|requests?|tasks?|prompts?|questions?|messages?|responses?|interactions?|actions?)`
