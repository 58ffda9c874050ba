package lint

import (
	"fmt"
	"strings"
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
			at := everyTask.get().FindStringSubmatchIndex(one)
			if at == nil || !inUse.get().MatchString(one[:at[1]]) {
				continue
			}
			m := one[at[0]:at[1]]
			if at[3] > 0 {
				m = one[at[2]:at[3]] // without what stands behind the claim
			} else {
				m = strings.TrimRight(strings.TrimSuffix(m, " or "), " .-")
			}
			report(Problem{At: s.InDescription(m), Text: fmt.Sprintf("says %q, which takes in prompts that it does nothing for", m)})
			return
		}
	},
}

// everyTask finds a claim to every request. What goes on to say which requests
// ("any request involving the robot") claims no more than those.
var everyTask = lazy(`(?i)\b(always use (this|it)( skill)?( first)?( (for|on|in) (all|every|any) [a-z]+)?` +
	`|(use (this skill )?|used |apply )(for|on|in|before|at the start of) ` + anyWork +
	`|(before|at the start of) ` + anyWork +
	`|(when|before|after) (starting|beginning|executing|making|completing|doing) ` + anyWork +
	`|use (this skill |this |it )?(first )?before starting work` +
	`|(activates?|enforces?) [^.]{0,60} for ` + anyWork +
	`|must (always )?be used (for|in|before) ` + anyWork +
	`)(\s*[.,;:!?)—–]|\s*$|\s+(including|regardless|without|even|first|and|or|to check|-)(\s|$))` +
	`|\b(use when starting an? (new )?(session|conversation))(\.|$| or | - )` +
	`|(항상|언제나|무조건) (이 스킬을 )?(사용|호출|실행)(한다|합니다|하세요|할 것|해야)|모든 (요청|작업|대화|질문)(에|에서|마다) (사용|적용|호출|실행)`)

const anyWork = `(every|any|all|each) ((coding |creative (or constructive )?|multi-step |code )?(work|tasks?|changes?|projects?)|conversations?|sessions?|requests?|prompts?|questions?|messages?|responses?|interactions?|actions?)`

// inUse finds what makes of "before any change" a claim of the skill: a rule of
// its work ("asks before any change") is none.
var inUse = lazy(`(?i)\b(use|used|invoke|invoked|apply|enforces?|activates?|activated|triggers?|triggered|consult)\b|사용|호출|실행|적용`)
