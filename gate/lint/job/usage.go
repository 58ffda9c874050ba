package job

import (
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/lint"
)

// CountUsage adds a logged decision, and what came of it, to counts by skill.
func CountUsage(out map[string]lint.Usage, d *gate.Decision, outcomes []journal.Outcome) {
	var first string
	for _, c := range d.Candidates {
		if c.Pool == "agent" || c.Step > 0 {
			continue
		}
		u := out[c.Name]
		switch {
		case first == "":
			first = c.Name
		case c.Rank == 2 && d.Verdict == gate.Inject:
			if u.Second == nil {
				u.Second = map[string]int{}
			}
			u.Second[first]++
		}
		if c.Injected {
			u.Named++
			if u.Langs == nil {
				u.Langs = map[string]int{}
			}
			u.Langs[d.Lang]++
			for _, o := range outcomes {
				if o.Success && journal.SameUse(c.Name, c.Path, o.Skill, o.Path) {
					u.Loaded++
					break
				}
			}
		}
		out[c.Name] = u
	}
}
