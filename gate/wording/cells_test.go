package wording

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestClip(t *testing.T) {
	tests := []struct {
		name, s string
		width   int
		n       int
		want    string
	}{
		{"shorter", "abc", 3, 4, "abc"},
		{"as wide", "abc", 3, 3, "abc"},
		{"wider", "abcd", 4, 3, "ab…"},
		{"Hangul", "가나다", 6, 5, "가나…"},
		{"half of a syllable", "가나다", 6, 4, "가…"},
		{"Hangul written letter by letter", "\u1100\u1161\u11a8\u1102\u1161", 4, 3, "\u1100\u1161\u11a8…"},
		{"an accent of its own", "e\u0301e\u0301e\u0301", 3, 2, "e\u0301…"},
		{"no room for anything else", "abc", 3, 1, "…"},
		{"nothing", "", 0, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.width, Width(tt.s))
			got := Clip(tt.s, tt.n)
			assert.Equal(t, tt.want, got, "Clip(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		})
	}
}

func TestLongest(t *testing.T) {
	for _, tt := range []struct {
		s    string
		want int
	}{{"", 0}, {"a longer word", 6}, {"pr-security-review", 9}, {"분기별-매출-실적", 7}, {"보고서→report", 7}, {"a-", 2}} {
		assert.Equal(t, tt.want, Longest(tt.s), tt.s)
	}
}
