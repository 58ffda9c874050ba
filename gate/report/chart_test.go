package report

import (
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate/journal/store"
)

// Days without prompts take their room, and a clock that was years off does not fill the chart.
func TestDayChartShowsGaps(t *testing.T) {
	chart := func(dates ...string) string {
		var days []store.Day
		for _, d := range dates {
			days = append(days, store.Day{Date: d, Decisions: 1})
		}
		return string(dayChart(days))
	}
	for name, tt := range map[string]struct {
		dates []string
		want  int // bars, with and without a hint
	}{
		"days in a row":    {[]string{"2026-11-01", "2026-11-02"}, 2 * 2},
		"a week between":   {[]string{"2026-11-01", "2026-11-09"}, 2 * 9},
		"a clock of 1999":  {[]string{"1999-01-01", "2026-11-09"}, 2 * (2 + mostGap)},
		"one day is alone": {[]string{"2026-11-01"}, 2},
	} {
		if got := strings.Count(chart(tt.dates...), "<rect"); got != tt.want {
			t.Errorf("%s: %d bars, want %d", name, got, tt.want)
		}
	}
}
