package job

import (
	"slices"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/lint"
)

const maxPrompts = 20

// CountUsage adds a logged decision and its outcomes to the counts by skill.
func CountUsage(out map[string]lint.Usage, d *gate.Decision, outcomes []journal.Outcome) {
	for _, c := range d.Candidates {
		if c.Pool == "agent" || c.Step > 0 {
			continue
		}
		u := out[c.Name]
		if c.Injected {
			u.Named++
			if u.Langs == nil {
				u.Langs = map[string]int{}
			}
			u.Langs[d.Lang]++
		}
		loaded := slices.ContainsFunc(outcomes, func(o journal.Outcome) bool {
			return o.Success && journal.SameUse(c.Name, c.Path, o.Skill, o.Path)
		})
		if loaded && d.Prompt != "" {
			u.Prompts = append(u.Prompts, d.Prompt)
			u.Prompts = u.Prompts[max(0, len(u.Prompts)-maxPrompts):]
		}
		out[c.Name] = u
	}
}
