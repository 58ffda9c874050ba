package index

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
)

func TestTermsWithoutSpaces(t *testing.T) {
	parsed, err := source.Parse(source.File{Name: "d.yaml", Data: []byte(
		"spaceless:\n  議事録: {en: [minutes]}\n  作る: {en: [make], also: [作って]}\n  まとめる: {en: [summarize], also: [まとめて]}\n")})
	require.NoError(t, err)
	dict, err := synonyms.Open(string(parsed.Compile()))
	require.NoError(t, err)
	tests := []struct{ name, text, want string }{
		{"Han that no word covers is bigrams", "数据库设计", "数据 据库 库设 设计"},
		{"a word of the dictionary is whole", "議事録", "議事録"},
		{"what stands around it is bigrams", "会議議事録作成", "会議 議事録 作成"},
		{"a word may go from one script to the other", "議事録作って", "議事録 作る"},
		{"Katakana is one word", "レポート作成", "レポート 作成"},
		{"Hiragana of the dictionary", "まとめて", "まとめる"},
		{"Latin and Hangul stay as they are", "PDF 양식", "pdf 양식"},
	}
	a := NewAnalyzer(dict)
	for _, tt := range tests {
		assert.Equal(t, tt.want, strings.Join(a.Terms(tt.text), " "), tt.name)
	}
}
