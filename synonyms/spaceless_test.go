package synonyms

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

const minutes = `
spaceless:
  議事録: {en: [meeting minutes]}
  議事: {en: [proceedings]}
  作る: {en: [make, create], also: [作って, 作り], generic: true}
  レポート: {en: [report]}
korean:
  보고서: {en: [report]}
`

func TestWordsWithoutSpaces(t *testing.T) {
	d := small(t, minutes)
	tests := []struct {
		name, text string
		want       []Word
	}{
		{"the longest word counts", "議事録を", []Word{{Text: "議事録", Known: true, End: 9}}},
		{"an inflected form gives its headword", "作って", []Word{{Text: "作る", Known: true, Generic: true, End: 9}}},
		{"words follow each other", "議事録作り", []Word{{Text: "議事録", Known: true, End: 9}, {Text: "作る", Known: true, Generic: true, Start: 9, End: 15}}},
		{"Korean stands beside it in order", "レポート 보고서 議事", []Word{
			{Text: "レポート", Known: true, End: 12}, {Text: "보고서", Known: true, Start: 13, End: 22}, {Text: "議事", Known: true, Start: 23, End: 29}}},
		{"unknown words give nothing", "会議室", nil},
		{"Latin gives nothing", "report", nil},
	}
	for _, tt := range tests {
		assert.Empty(t, cmp.Diff(tt.want, d.Words(tt.text)), tt.name)
	}
}

func TestSensesOfWordsWithoutSpaces(t *testing.T) {
	d := small(t, minutes)
	got := d.Senses("議事録")
	assert.True(t, cmp.Equal(got, []string{"meeting minutes"}), "Senses = %q", got)
	got = d.Stems("作る")
	assert.True(t, cmp.Equal(got, []string{"make", "creat"}), "Stems = %q", got)
	assert.Nil(t, d.Senses("作って"))
	got = d.Korean("report")
	assert.True(t, cmp.Equal(got, []string{"보고서"}), "Korean = %q, want no word of another language", got)
	assert.Nil(t, d.English("report 議事録"))
	user := small(t, "spaceless: {議事: {en: [agenda]}}")
	got = d.With(user).Senses("議事")
	assert.True(t, cmp.Equal(got, []string{"agenda"}), "Senses = %q, want the user's", got)
}
