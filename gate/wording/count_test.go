package wording

import "testing"

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n          int
		noun, want string
	}{
		{1, "skill", "1 skill"}, {2, "skill", "2 skills"}, {0, "skill", "0 skills"}, {-1, "point", "-1 points"},
		{1, "library", "1 library"}, {3, "library", "3 libraries"}, {2, "day", "2 days"}, {2, "near miss", "2 near misses"},
		{2, "index", "2 indexes"}, {2, "match", "2 matches"}, {4, "Korean word", "4 Korean words"},
	} {
		if got := Count(tt.n, tt.noun); got != tt.want {
			t.Errorf("Count(%d, %q) = %q, want %q", tt.n, tt.noun, got, tt.want)
		}
	}
}
