package report

import (
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
)

// Days without prompts take their room; a clock that was years off does not fill the chart, which says what it
// leaves out.
func TestDayChartShowsGaps(t *testing.T) {
	chart := func(dates ...string) string {
		var days []store.Day
		for _, d := range dates {
			days = append(days, store.Day{Date: d, Decisions: 1})
		}
		var p Page
		p.Stats.PerDay = days
		return string(p.dayChart().svg())
	}
	for name, tt := range map[string]struct {
		dates []string
		want  int // bars, with and without a hint
		gap   string
	}{
		"days in a row":    {[]string{"2026-11-01", "2026-11-02"}, 2 * 2, ""},
		"a week between":   {[]string{"2026-11-01", "2026-11-09"}, 2 * 9, ""},
		"31 days between":  {[]string{"2026-10-01", "2026-11-02"}, 2 * 33, ""},
		"32 days between":  {[]string{"2026-10-01", "2026-11-03"}, 2 * 2, "2026-10-02 … 2026-11-02"},
		"a clock of 1999":  {[]string{"1999-01-01", "2026-11-09"}, 2 * 2, "1999-01-02 … 2026-11-08"},
		"one day is alone": {[]string{"2026-11-01"}, 2, ""},
	} {
		got := chart(tt.dates...)
		if n := strings.Count(got, "<rect"); n != tt.want {
			t.Errorf("%s: %d bars, want %d", name, n, tt.want)
		}
		drawn, said := strings.Contains(got, `<line class="break"`), strings.Contains(got, "┆ "+tt.gap+"</span>")
		if drawn != (tt.gap != "") || said != drawn {
			t.Errorf("%s: the chart is %s, want a break of %q", name, got, tt.gap)
		}
	}
}

// Weeks do the same.
func TestWeekChartShowsGaps(t *testing.T) {
	week := func(t time.Time) replay.Week { return replay.Week{From: t} }
	list := []replay.Week{week(noon), week(noon.AddDate(0, 0, 7*3)), week(noon.AddDate(0, 0, 7*40))}
	p := Page{Options: Options{Weeks: filled(list, func(w replay.Week) time.Time { return w.From }, 7, week)}}
	chart := string(p.weekChart().svg())
	if n := strings.Count(chart, "<rect"); n != 2*5 || !strings.Contains(chart, "┆ 2026-04-01 … 2026-12-08") {
		t.Errorf("%d bars: %s", n, chart)
	}
}
