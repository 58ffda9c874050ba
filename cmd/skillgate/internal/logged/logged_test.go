package logged

import (
	"testing"
	"time"
)

func TestParseWhen(t *testing.T) {
	seoul := time.FixedZone("KST", 9*3600)
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, seoul)
	tests := []struct {
		text string
		want time.Time
	}{
		{"", time.Time{}},
		{"90m", now.Add(-90 * time.Minute)},
		{"7d", now.AddDate(0, 0, -7)},
		{"2w", now.AddDate(0, 0, -14)},
		{"2026-03-01", time.Date(2026, 3, 1, 0, 0, 0, 0, seoul)},
		{"2026-03-01T08:30", time.Date(2026, 3, 1, 8, 30, 0, 0, seoul)},
		{"2026-03-01T08:30:00Z", time.Date(2026, 3, 1, 8, 30, 0, 0, time.UTC)},
	}
	for _, tt := range tests {
		if got, err := When("since", tt.text, now); err != nil || !got.Equal(tt.want) {
			t.Errorf("parseWhen(%q) = %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{"soon", "d", "-1d", "-1h", "1.5d", "99999999d", "2026-13-01"} {
		if got, err := When("since", text, now); err == nil {
			t.Errorf("parseWhen(%q) = %v, want an error", text, got)
		}
	}
}
