package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLang(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"Korean", "분기 실적을 표로 정리해줘", "ko"},
		{"English", "turn the minutes into action items", "en"},
		{"both carry content", "onboarding checklist 만들어서 팀 wiki에 올려줘", "mixed"},
		{"one English name", "Figma 시안 검토해줘", "ko"},
		{"particles on English words", "backend log랑 metric 비교해줘", "mixed"},
		{"path is no English", "src/app/main.go 구조 설명해줘", "ko"},
		{"URL is no English", "https://example.com/docs/getting-started 요약해줘", "ko"},
		{"identifiers are no English", "getUserName() user_id 값 바꿔줘", "ko"},
		{"code is no English", "`return nil, errors.New(\"boom\")` 이 줄 뜻이 뭐야", "ko"},
		{"fenced code is no English", "고쳐줘\n```go\nfunc main() { fmt.Println(\"hello world\") }\n```", "ko"},
		{"one Korean word in English", "translate the whole onboarding guide and the release notes into Korean 한국어 for the new colleagues please", "en"},
		{"Japanese", "この資料を要約してください", "ja"},
		{"kana and Han", "売上データを分析してグラフにして", "ja"},
		{"the name of a tool and Japanese", "Slackに投稿して", "ja"},
		{"English words in Japanese", "この pull request の description を summarize してほしいです", "mixed"},
		{"Korean with one kana word", "이 문서에서 カタカナ 부분만 한국어로 번역해줘", "ko"},
		{"Chinese", "请总结这份报告", "other"},
		{"numbers", "12 34 56", "other"},
		{"nothing", "", "other"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Lang(tt.text), tt.name)
	}
}

func TestGrammarOf(t *testing.T) {
	for text, want := range map[string]string{
		"fix the login ㅋㅋ": "en", "login 고쳐줘": "ko", "ログインを直して": "ja", "'ありがとう' 번역해줘": "ko", "": "en", "修正": "en",
	} {
		assert.Equal(t, want, grammarOf(text).Code, text)
	}
}
