package triage

import (
	"slices"
	"testing"
)

func TestExplicit(t *testing.T) {
	installed := map[string]bool{}
	for _, n := range []string{"pdf", "docx", "review", "commit", "login", "code-tour", "threat-model", "kit:brainstorm", "data_prep", "회의록-정리"} {
		installed[n] = true
	}
	tests := []struct {
		name, text string
		want       []string
	}{
		{"use the skill", "use the pdf skill to fill in the form", []string{"pdf"}},
		{"use skill and name", "use skill pdf on this", []string{"pdf"}},
		{"capitals", "use the PDF skill", []string{"pdf"}},
		{"using", "using code-tour, walk me through the parser", []string{"code-tour"}},
		{"run", "run threat-model on the gateway", []string{"threat-model"}},
		{"with skill", "with the docx skill write the offer", []string{"docx"}},
		{"plugin name", "start with kit:brainstorm please", []string{"kit:brainstorm"}},
		{"underscore", "use data_prep before training", []string{"data_prep"}},
		{"slash in a sentence", "check the diff with /review and then /commit", []string{"review", "commit"}},
		{"name in backquotes", "use the `threat-model` skill here", []string{"threat-model"}},
		{"slash in backquotes", "마지막에 `/commit` 도 실행해줘", []string{"commit"}},
		{"스킬로", "pdf 스킬로 표 뽑아줘", []string{"pdf"}},
		{"스킬 써서", "docx 스킬 써서 제안서 만들어줘", []string{"docx"}},
		{"스킬을 사용해서", "review 스킬을 사용해서 봐줘", []string{"review"}},
		{"bare 로 after a hyphenated name", "code-tour로 설명해줘", []string{"code-tour"}},
		{"로 만들어줘", "code-tour로 안내 문서 만들어줘", []string{"code-tour"}},
		{"돌려줘", "threat-model 돌려줘", []string{"threat-model"}},
		{"을 써서", "threat-model을 써서 점검해줘", []string{"threat-model"}},
		{"agent", "code-tour 에이전트한테 맡겨줘", []string{"code-tour"}},
		{"Korean name", "회의록-정리 스킬로 부탁해", []string{"회의록-정리"}},
		{"Korean name with a particle", "회의록-정리로 해줘", []string{"회의록-정리"}},
		{"name and nothing else", "pdf 스킬", []string{"pdf"}},
		{"two hyphenated names", "use code-tour and threat-model on auth", []string{"code-tour", "threat-model"}},
		{"list of skills", "use the pdf and docx skills", []string{"pdf", "docx"}},
		{"Korean list", "pdf랑 docx 스킬 써서 만들어줘", []string{"pdf", "docx"}},
		{"once each", "use threat-model, then use threat-model again", []string{"threat-model"}},
		{"the other one", "pdf 말고 docx 스킬로 써줘", []string{"docx"}},
		{"the other one in English", "don't use code-tour, use threat-model", []string{"threat-model"}},
		{"instead of", "use threat-model instead of code-tour", []string{"threat-model"}},
		{"ability question is a request", "can you use threat-model on this?", []string{"threat-model"}},

		{"common word", "use pdf as the output format", nil},
		{"common word with 로", "pdf로 저장해줘", nil},
		{"common verb", "review the code and commit", nil},
		{"run and a common word", "run review", nil},
		{"path", "open skills/code-tour/SKILL.md", nil},
		{"file name", "use code-tour.md as a template", nil},
		{"URL", "see https://example.com/code-tour and use it", nil},
		{"mail address", "mail code-tour@example.com", nil},
		{"code block", "```\nuse code-tour\n```\n이 로그 봐줘", nil},
		{"inline code", "`npm run code-tour` 왜 느려?", nil},
		{"route", "the /login endpoint returns 500, use better errors", nil},
		{"Korean route", "/login 페이지 다시 디자인해줘", nil},
		{"negated", "without the pdf skill", nil},
		{"Korean negation", "threat-model 스킬 쓰지 말고 직접 봐줘", nil},
		{"하지 마", "code-tour 스킬은 절대 쓰지 마", nil},
		{"negated for a reason", "without code-tour, because it is slow", nil},
		{"a reminder is a request", "don't forget to use threat-model", []string{"threat-model"}},
		{"so is a proposal", "why not use the pdf skill", []string{"pdf"}},
		{"a negation of other work", "it does not build, use threat-model", []string{"threat-model"}},
		{"빼고", "code-tour 빼고 다 돌려줘", nil},
		{"what is", "what is threat-model?", nil},
		{"what does it do", "what does the pdf skill do?", nil},
		{"뭐야", "threat-model이 뭐야?", nil},
		{"뭐하는 거야", "code-tour 스킬이 뭐하는 거야", nil},
		{"how to use", "how do i use threat-model?", nil},
		{"사용법", "threat-model 사용법 알려줘", nil},
		{"shall we", "threat-model 스킬 쓸까?", nil},
		{"editing the skill", "fix the description of the pdf skill", nil},
		{"naming", "브랜치 이름을 code-tour로 바꿔줘", nil},
		{"past use", "i used threat-model yesterday and it crashed", nil},
		{"part of another name", "use my-code-tour-2", nil},
		{"not installed", "use the xlsx skill", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Explicit(tt.text, func(n string) bool { return installed[n] })
			if !slices.Equal(got, tt.want) {
				t.Errorf("Explicit(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}
