package report

import (
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/replay"
)

// Weeks without prompts take space, but the gap of a wrong clock is cut out and labelled.
func TestWeekChartShowsGaps(t *testing.T) {
	week := func(t time.Time) replay.Week { return replay.Week{From: t} }
	list := []replay.Week{week(noon), week(noon.AddDate(0, 0, 7*3)), week(noon.AddDate(0, 0, 7*40))}
	p := Page{Options: Options{Weeks: filled(list)}}
	chart := string(p.weekChart().svg())
	if n := strings.Count(chart, "<rect"); n != 2*5 || !strings.Contains(chart, "┆ 2026-04-01 … 2026-12-08") {
		t.Errorf("%d bars: %s", n, chart)
	}
}
