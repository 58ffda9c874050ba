package bench

import (
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
)

func TestPlainRankings(t *testing.T) {
	entries := []catalog.Entry{
		{ID: "kiln", Name: "kiln-master", Description: "Fires clay pots.", Body: "Glaze, then fire at 1200 degrees."},
		{ID: "loom", Name: "loom", Description: "Weaves scarves on a loom.", Body: "A scarf is woven, row by row."},
		{ID: "도예", Name: "clay-ko", Description: "도자기를 굽는다.", Body: "가마에서 굽는다."},
	}
	tests := []struct {
		name, how, query, right string
		first                   float64
	}{
		{"a word of the description", fullText, "pots of clay", "kiln", 1},
		{"a word of the body, in capitals", fullText, "GLAZE", "kiln", 1},
		{"words do not meet inside other words", fullText, "weave", "loom", 0},
		{"letters meet inside words", trigrams, "scar", "loom", 1},
		{"two letters meet nothing", trigrams, "by", "loom", 0},
		{"a Korean word with another ending", fullText, "도자기가", "도예", 0},
		{"a Korean word as it stands", fullText, "도자기를", "도예", 1},
		{"a Korean word inside another", trigrams, "도자기", "도예", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Plain(tt.how, "three", "set", entries, []Case{{ID: "c", Query: tt.query, Source: "s", Right: []string{tt.right}}})
			if len(got) != 1 || got[0].Values[hit1] != tt.first || got[0].Set != "set, "+tt.how {
				t.Errorf("Plain(%s, %q) = %+v, want hit@1 %v of %s", tt.how, tt.query, got, tt.first, tt.right)
			}
		})
	}
}

func TestOnlyDescriptionsInKoreanAreKorean(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"Korean", "도자기를 굽고 유약을 바른다", true},
		{"Korean with an English product", "Kiln 2로 도자기를 굽는다", true},
		{"English with a Korean trigger", `Fires clay pots in a kiln. Use when the user says "도자기"`, false},
		{"nothing", "", false},
	}
	for _, tt := range tests {
		if got := inKorean(tt.text); got != tt.want {
			t.Errorf("%s: inKorean(%q) = %v, want %v", tt.name, tt.text, got, tt.want)
		}
	}
}
