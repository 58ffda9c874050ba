// Package history counts prompts by week, for all skills and for each, and finds suggestions that were used and would
// not be made now.
package history

import (
	"time"

	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
)

// SkillWeek is one week of a skill.
type SkillWeek struct {
	From   time.Time `json:"from"` // Monday
	Named  int       `json:"named"`
	Used   int       `json:"used"`
	Missed int       `json:"missed"`
}

// Skills returns the weeks of every skill that was named, or used by the model, oldest first. Uses of what an
// experiment kept back are left out.
func Skills(prompts []*replay.Prompt, zone *time.Location) map[string][]SkillWeek {
	out := map[string][]SkillWeek{}
	for _, p := range prompts {
		if p.Recorded == nil {
			continue
		}
		week := func(name string) *SkillWeek {
			out[name] = inWeek(out[name], monday(p.Time.In(zone)))
			return &out[name][len(out[name])-1]
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

// inWeek makes the week that begins then the last of weeks.
func inWeek(weeks []SkillWeek, from time.Time) []SkillWeek {
	if n := len(weeks); n > 0 && weeks[n-1].From.Equal(from) {
		return weeks
	}
	return append(weeks, SkillWeek{From: from})
}

// monday is the start of a time's week in its zone.
func monday(t time.Time) time.Time {
	back := (int(t.Weekday()) + 6) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, t.Location())
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
