package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/lint"
)

// usageDays is how far back lint asks the journal.
const usageDays = 30

// usage asks the journal how often skills were named and loaded. It returns nil
// where there is no journal; one that cannot be read is noted and no reason to stop.
func (e *env) usage(ctx context.Context, d dirs.Dirs) map[string]lint.Usage {
	if !store.Exists(d.State) {
		return nil
	}
	out, err := e.askJournal(ctx)
	if err != nil {
		fmt.Fprintf(e.stderr, "skillgate: note: %v: rules that ask the journal find nothing\n", err)
		if exit := (*exitError)(nil); errors.As(err, &exit) && exit.hint != "" {
			fmt.Fprintf(e.stderr, "skillgate: hint: %s\n", exit.hint)
		}
		return nil
	}
	return out
}

func (e *env) askJournal(ctx context.Context) (map[string]lint.Usage, error) {
	db, err := logged.Open(ctx, e.app())
	if err != nil {
		return nil, err
	}
	defer db.Close()
	out := map[string]lint.Usage{}
	err = db.Each(ctx, store.Filter{Since: e.now().Add(-usageDays * 24 * time.Hour)}, func(entry store.Entry) error {
		if entry.Decision != nil {
			countUsage(out, entry.Decision, entry.Outcomes)
		}
		return nil
	})
	return out, err
}

func countUsage(out map[string]lint.Usage, d *gate.Decision, outcomes []journal.Outcome) {
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
			for _, o := range outcomes {
				if o.Success && store.SameUse(c.Name, c.Path, o.Skill, o.Path) {
					u.Loaded++
					break
				}
			}
		}
		out[c.Name] = u
	}
}
