package stats

import "testing"

func TestBetween(t *testing.T) {
	for _, tt := range [][3]string{
		{"2026-11-01", "2026-11-02", ""},
		{"2026-11-01", "2026-11-03", "2026-11-02"},
		{"2026-10-30", "2026-11-03", "2026-10-31 … 2026-11-02"},
	} {
		if got := between(tt[0], tt[1]); got != tt[2] {
			t.Errorf("between(%s, %s) = %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}
