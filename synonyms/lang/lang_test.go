package lang

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"English", "fill the form", "en"},
		{"Korean", "양식 채워줘", "ko"},
		{"Korean with a Latin name", "PDF 양식", "ko"},
		{"letters of chat", "ㅇㅋ", "ko"},
		{"no letter", "42 + 1", ""},
		{"a script of no language here", "привет", ""},
		{"Japanese", "議事録をまとめて", "ja"},
		{"Japanese with a Latin name", "PDFの作成", "ja"},
		{"Han alone", "議事録", "ja"},
		{"Korean with a Chinese word", "한자 漢字 설명", "ko"},
		{"letters with marks", "déjà vu", "en"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if l := Of(tt.text); l != nil {
				got = l.Code
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestAllAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range All {
		if l.Code == "" || l.Name == "" || l.Script == nil || l.ScriptName == "" || l.Usage == "" {
			t.Errorf("language %q is incomplete", l.Code)
		}
		if seen[l.Code] || Find(l.Code) != l {
			t.Errorf("code %q is not its own", l.Code)
		}
		seen[l.Code] = true
	}
	require.Nil(t, Find("xx"), "a code that there is not has a language, or no language is not English")
	assert.Equal(t, All[0].Code, CodeOf("42"), "a code that there is not has a language, or no language is not English")
}

func TestUsage(t *testing.T) {
	tests := []struct{ name, code, says, silent string }{
		{"English", "en", "Fills forms. Use when a form is to be filled.", "Fills forms of all kinds."},
		{"English for a preference", "en", "Fills forms. Preferred for short ones.", "Fills the preferred forms."},
		{"English for a case", "en", "Fills forms. For a long one, use pages.", "Fills forms for daily use."},
		{"Korean", "ko", "양식을 채운다. 양식을 채울 때 사용한다.", "양식을 채우고 읽는다."},
		{"Japanese with a noun", "ja", "フォームに記入する。フォームの記入を依頼された場合に使用する。", "フォームに記入する。"},
		{"Korean for work in general", "ko", "양식을 채운다. 서식 작업 전반에 활용한다.", "서식 작업을 돕는다."},
		{"Korean for requests", "ko", "양식을 채워 달라는 요청에 반응한다.", "양식 요청을 모아 정리한다."},
		{"Japanese scenes", "ja", "フォームに記入する。使用場面：申請書の記入。", "フォームの場面を説明する。"},
		{"English after a dash", "en", "Fills forms. TRIGGERS - fill a form, sign it.", "Fills forms - and triggers-based ones."},
		{"English for lists", "en", "Sends messages. Trigger phrases (three) — send it.", "Adds webhooks, and batch triggers — all of them."},
		{"Japanese quotations", "ja", "フォームに記入する。「申請書を書く」「記入」などで発動。", "「申請書」を起動する。"},
		{"Japanese by itself", "ja", "書式を直す。誤りが見つかった場合に自動的に発動します。", "誤りを自動的に直す。"},
		{"Japanese between two works", "ja", "記録を作る。作業の区切りで使用してください。", "作業の区切りを記録する。"},
		{"Japanese before a work", "ja", "書式を調べる。送る前に使用する。", "以前使用した書式を探す。"},
		{"Japanese with a wish", "ja", "記入したいときに使う。", "フォームを読む。"},
		{"Chinese", "", "当用户需要填写表单时使用。", "填写表单。"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := OtherUsage
			if l := Find(tt.code); l != nil {
				text = l.Usage
			}
			clause := regexp.MustCompile(text)
			assert.True(t, clause.MatchString(tt.says), "no clause in %q", tt.says)
			assert.False(t, clause.MatchString(tt.silent), "a clause in %q", tt.silent)
		})
	}
}

func TestCaseless(t *testing.T) {
	for r, want := range map[rune]bool{'가': true, 'あ': true, 'ー': true, 'ㅋ': true, 'a': false, 'Z': false, '1': false,
		'。': false} {
		assert.Equal(t, want, Caseless(r), r)
	}
}
