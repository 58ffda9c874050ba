package wording

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	names := []string{"notion-meeting-sync", "pdf", "pdf-forms", "회의록", "tea-brewing", "tea-tasting"}
	tests := []struct{ what, name, want string }{
		{"the name", "pdf", "pdf"},
		{"a letter too few", "notion-meeting-syn", "notion-meeting-sync"},
		{"two letters changed", "tee-brewimg", "tea-brewing"},
		{"a syllable", "회의룩", "회의록"},
		{"the start of one", "notion", "notion-meeting-sync"},
		{"the start of two", "tea-", ""},
		{"too short to be a misspelling", "px", ""},
		{"something else", "kubernetes", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			assert.Equal(t, tt.want, Nearest(tt.name, names))
		})
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     int
	}{{"", "", 0}, {"license", "license", 0}, {"tea", "", 3}, {"", "차", 1}, {"tea", "tae", 2}, {"보고서", "보고사", 1}, {"보고서", "보고", 1},
		{"licnse", "license", 1}, {"liccense", "license", 1}} {
		got := Distance(tt.from, tt.to)
		assert.Equal(t, tt.want, got, "Distance(%q, %q) = %d, want %d", tt.from, tt.to, got, tt.want)
	}
}
