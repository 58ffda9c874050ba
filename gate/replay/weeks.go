package replay

import (
	"time"

	"github.com/skillgate/skillgate/gate/outcome"
)

// Week is what happened in seven days.
type Week struct {
	From    time.Time     `json:"from"`
	Prompts int           `json:"prompts"`
	Hints   outcome.Tally `json:"hints"` // answers that named something, and what came of them
	Missed  int           `json:"missed"`
}

// Weeks cuts the prompts into weeks that begin on Mondays of zone, oldest first.
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

// SkillWeek is one week of a skill.
type SkillWeek struct {
	From   time.Time `json:"from"` // Monday
	Named  int       `json:"named"`
	Used   int       `json:"used"`
	Missed int       `json:"missed"`
}

// SkillWeeks returns the weeks of every skill that was named, or used by the model, oldest first. Uses of what an
// experiment kept back are left out.
func SkillWeeks(prompts []*Prompt, zone *time.Location) map[string][]SkillWeek {
	out := map[string][]SkillWeek{}
	for _, p := range prompts {
		if p.Recorded == nil {
			continue
		}
		week := func(name string) *SkillWeek {
			weeks, from := out[name], monday(p.Time.In(zone))
			if n := len(weeks); n == 0 || !weeks[n-1].From.Equal(from) {
				weeks = append(weeks, SkillWeek{From: from})
				out[name] = weeks
			}
			return &weeks[len(weeks)-1]
		}
		turn := p.Turn(p.Recorded)
		for _, n := range turn.Named {
			w := week(n.Name)
			w.Named, w.Used = w.Named+1, w.Used+one(turn.Of(n) == outcome.Followed)
		}
		for _, name := range turn.Unnamed() {
			w := week(name)
			w.Used, w.Missed = w.Used+1, w.Missed+1
		}
	}
	return out
}

func monday(t time.Time) time.Time {
	back := (int(t.Weekday()) + 6) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, t.Location())
}
