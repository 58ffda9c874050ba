package replay

import (
	"context"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/replay/lab"
)

// missReport is what replay misses --json prints.
type missReport struct {
	Prompts int           `json:"prompts"`
	Known   int           `json:"known"` // of them, with a known use
	Misses  []replay.Miss `json:"misses"`
	Partial bool          `json:"partial"`
}

// deep is how many candidates are looked at for the skill that was used.
const deep = 40

func findMisses(ctx context.Context, m *lab.Lab, src *prompts, f *Options) error {
	a := f.App
	side, err := m.Side(ctx, &f.change, deep)
	if err != nil {
		return err
	}
	find, err := m.Skills(ctx, &f.change)
	if err != nil {
		return err
	}
	report := missReport{}
	var misses replay.Misses
	notes := &replay.Notes{}
	logged := &replay.Side{Name: "recorded", Logged: true}
	if !src.logged {
		logged = side
	}
	bar := a.Progress("looking for misses", src.ownBar)
	err = replay.Run(ctx, replay.Job{Source: src.source, Filter: src.filter, A: logged, B: side, Notes: notes,
		Progress: func(n int) { bar.Set(n, max(n, src.total)) }},
		func(r *replay.Result) error {
			report.Prompts++
			if r.Prompt.Known() {
				report.Known++
			}
			misses.Add(r)
			return nil
		})
	bar.Done()
	if err != nil {
		return err
	}
	report.Misses = misses.List(func(skill string) bool { return find.ByUse("", journal.Outcome{Skill: skill}) != nil })
	report.Partial = notes.Damaged > 0 || len(m.Notes()) > 0
	if f.JSON {
		return a.PrintJSON(report)
	}
	return printMisses(a, report)
}
