package replay

import (
	"time"

	"github.com/skillgate/skillgate/gate/outcome"
)

// Week summarizes the decisions of seven days.
type Week struct {
	From    time.Time     `json:"from"`
	Prompts int           `json:"prompts"`
	Hints   outcome.Tally `json:"hints"` // outcomes of decisions with a suggestion
	Missed  int           `json:"missed"`
}

// Weeks summarizes prompts, which must be sorted by time, by week. Weeks begin on Mondays in zone.
func Weeks(prompts []*Prompt, zone *time.Location) []Week {
	var out []Week
	for _, p := range prompts {
		from := monday(p.Time.In(zone))
		if len(out) == 0 || from.After(out[len(out)-1].From) {
			out = append(out, Week{From: from})
		}
		w := &out[len(out)-1]
		w.Prompts++
		if p.Recorded == nil {
			continue
		}
		turn := p.Turn(p.Recorded)
		if state := turn.State(); state != "" {
			w.Hints.Add(p.Session, state, p.Over)
		}
		w.Missed += min(1, len(turn.Unnamed()))
	}
	for i := range out {
		out[i].Hints.Close()
	}
	return out
}

func monday(t time.Time) time.Time {
	back := (int(t.Weekday()) + 6) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, t.Location())
}
