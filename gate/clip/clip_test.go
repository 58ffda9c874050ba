package clip

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestClip(t *testing.T) {
	tests := []struct {
		name, s      string
		n            int
		bytes, chars string
	}{
		{"shorter", "abc", 4, "abc", "abc"},
		{"as long", "abc", 3, "abc", "abc"},
		{"longer", "abcd", 3, "abc", "abc"},
		{"within a syllable", "a가나", 3, "a", "a가나"},
		{"after a syllable", "a가나다", 4, "a가", "a가나다"},
		{"fewer characters than bytes", "가나다", 2, "", "가나"},
		{"an emoji", "🙂x", 3, "", "🙂x"},
		{"broken UTF-8", "\xff\xfe\xfd", 2, "\xff\xfe", "\xff\xfe"},
		{"nothing", "", 0, "", ""},
		{"no room", "ab", 0, "", ""},
		{"less than no room", "ab", -1, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Bytes(tt.s, tt.n)
			assert.Equal(t, tt.bytes, got, "Bytes(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.bytes)
			got = Chars(tt.s, tt.n)
			assert.Equal(t, tt.chars, got, "Chars(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.chars)
		})
	}
}

func TestUTF16(t *testing.T) {
	tests := []struct {
		s    string
		want int
	}{{"", 0}, {"ab", 2}, {"한글", 2}, {"🙂", 2}, {"a🙂가", 4}, {"\xff", 1}}
	for _, tt := range tests {
		assert.Equal(t, tt.want, UTF16(tt.s), tt.s)
	}
}
