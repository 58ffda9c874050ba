package lint

import "testing"

func TestDistance(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       int
	}{
		{"equal", "license", "license", 0},
		{"a letter replaced", "licence", "license", 1},
		{"a letter left out", "licnse", "license", 1},
		{"a letter too many", "liccense", "license", 1},
		{"a syllable replaced", "보고서", "보고사", 1},
		{"a syllable left out", "보고서", "보고", 1},
		{"nothing and a word", "", "tag", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, back := distance(tt.a, tt.b), distance(tt.b, tt.a); got != tt.want || back != tt.want {
				t.Errorf("distance(%q, %q) = %d and %d back, want %d", tt.a, tt.b, got, back, tt.want)
			}
		})
	}
}
