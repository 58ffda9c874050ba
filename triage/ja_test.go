package triage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

func TestJapaneseKinds(t *testing.T) {
	tests := []struct {
		name, text string
		want       Kind
	}{
		{"good morning", "おはようございます", Greeting},
		{"hello and please", "こんにちは、よろしくお願いします！", Greeting},
		{"goodbye", "お疲れ様でした。また明日", Greeting},
		{"thanks and praise", "ありがとうございます、完璧です！", Ack},
		{"understood with an ending", "了解ですよ", Ack},
		{"go on", "はい、続けてください", Ack},
		{"stop", "ちょっと待ってください", Ack},
		{"a loan of English with an ending", "OKです", Ack},
		{"an edit of a line", "src/main.tsの12行目を削除して", Search},
		{"an edit that needs thought", "src/main.tsの認証処理を直して", Search},
		{"a document is edited", "report.docxの内容を修正して", Search},
		{"a question about a line", "main.tsの12行目は何？", Search},
		{"work", "会議の議事録をまとめて", Search},
		{"thanks before work", "ありがとう、次はテストを書いて", Search},
		{"a word that begins with an answer", "はいからな見出しを考えて", Search},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Classify(tt.text).Kind)
		})
	}
}

func TestJapaneseLanguage(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"kana and Han", "売上データを分析してグラフにして", "ja"},
		{"with the name of a tool", "Slackに投稿して", "ja"},
		{"with English words", "この pull request の description を summarize してほしいです", "mixed"},
		{"Han alone may be Chinese", "分析销售数据", "other"},
		{"Korean with one kana word", "이 문서에서 カタカナ 부분만 한국어로 번역해줘", "ko"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Classify(tt.text).Lang)
		})
	}
}

func TestJapaneseSteps(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"one thing", "議事録を要約して", nil},
		{"after that", "議事録を要約して、その後英語に翻訳して", []string{"議事録を要約して", "英語に翻訳して"}},
		{"then", "データを収集してから可視化して", []string{"データを収集", "可視化して"}},
		{"three", "コードを調査して、次に設計して、最後に実装して", []string{"コードを調査して", "設計して", "実装して"}},
		{"the same craft twice", "要約して、その後短く要約して", nil},
		{"a list", "1. 要約する\n2. 翻訳する", []string{"要約する", "翻訳する"}},
		{"arrows", "要約 → 翻訳 → 共有", []string{"要約", "翻訳", "共有"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Empty(t, cmp.Diff(tt.want, Classify(tt.text).Steps))
		})
	}
}

func TestJapaneseNames(t *testing.T) {
	isName := func(s string) bool { return s == "pr-review" || s == "pdf" }
	tests := []struct {
		name, text string
		want       []string
	}{
		{"by the skill", "pdfスキルで要約して", []string{"pdf"}},
		{"with the skill", "pr-reviewスキルを使って確認して", []string{"pr-review"}},
		{"a name is put to use", "pr-reviewを使ってください", []string{"pr-review"}},
		{"a question about it", "pr-reviewスキルとは何ですか？", nil},
		{"how to use it", "pr-reviewの使い方を教えて", nil},
		{"a common word", "pdfを要約して", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Empty(t, cmp.Diff(tt.want, Explicit(tt.text, isName)))
		})
	}
}

func TestJapaneseQuestions(t *testing.T) {
	for text, want := range map[string]bool{
		"リファクタリングとは何ですか？": true,
		"このエラーはどういう意味？":   true,
		"議事録をまとめて":        false,
	} {
		assert.Equal(t, want, Mention(text))
	}
}
