package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestJapaneseLanguage(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"kana and Han", "売上データを分析してグラフにして", "ja"},
		{"with the name of a tool", "Slackに投稿して", "ja"},
		{"with English words", "この pull request の description を summarize してほしいです", "mixed"},
		{"Han alone may be Chinese", "分析销售数据", "other"},
		{"Korean with one kana word", "이 문서에서 カタカナ 부분만 한국어로 번역해줘", "ko"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Classify(tt.text).Lang, tt.name)
	}
}

func TestJapaneseQuestions(t *testing.T) {
	for text, want := range map[string]bool{
		"リファクタリングとは何ですか？": true,
		"このエラーはどういう意味？":   true,
		"議事録をまとめて":        false,
	} {
		assert.Equal(t, want, Mention(text), text)
	}
}
