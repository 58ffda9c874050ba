// Package arms reads the two arms of an experiment from the log: the prompts that got their suggestion and those whose
// suggestion was withheld. A prompt is a hit if the model used a skill of its suggestion, given or withheld, in the
// same turn.
package arms

import (
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Arms is the state of an experiment.
type Arms struct {
	Plan     *experiment.Plan `json:"plan"`
	Test     experiment.Test  `json:"test"`
	Hinted   int              `json:"hinted"`   // prompts that got their suggestion, whether or not their turn has ended
	Held     int              `json:"held"`     // prompts whose suggestion was withheld
	Unknown  int              `json:"unknown"`  // prompts of both arms whose turn may still run or was not observed
	Versions []string         `json:"versions"` // versions of skillgate that took part
	Settings int              `json:"settings"` // number of different settings fingerprints
}

type turn struct {
	outcome.Turn
	session string
	trial   *gate.Trial
}

// Read reads the state of the experiment p from the log.
func Read(ctx context.Context, db *store.DB, p *experiment.Plan) (Arms, error) {
	a := Arms{Plan: p}
	versions, settings := map[string]bool{}, map[string]bool{}
	known := map[[2]string]*turn{} // turns, keyed by session and prompt id
	var drawn []*turn
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // the log is large; collecting garbage more often saves memory
	err := db.Turns(ctx, store.Filter{Logged: p.Started, Drawn: true}, func(x *store.Turn) error {
		t := &turn{x.Turn, x.Session, x.Drawn.Trial}
		if t.trial != nil && t.trial.Experiment != p.ID {
			t.trial = nil
		}
		key := [2]string{x.Session, x.PromptID}
		first := known[key]
		if t.trial != nil {
			versions[x.Drawn.Skillgate], settings[x.Drawn.Settings] = true, true
			switch {
			case first == nil:
				drawn = append(drawn, t)
			case first.trial == nil:
				drawn = append(drawn, first)
			}
		}
		if first != nil { // for a doubly registered hook or a queued prompt, the first draw counts
			first.join(t)
		} else if x.Session != "" && x.PromptID != "" {
			known[key] = t
		}
		return nil
	})
	if err != nil {
		return a, err
	}
	a.Versions, a.Settings = slices.Sorted(maps.Keys(versions)), len(settings)
	var cases []experiment.Case
	for _, t := range drawn {
		if t.trial.Held {
			a.Held++
		} else {
			a.Hinted++
		}
		if !t.Over {
			a.Unknown++
			continue
		}
		c := experiment.Case{Held: t.trial.Held, Hit: t.hit()}
		if p.By == experiment.BySession {
			c.Unit = t.session
		}
		cases = append(cases, c)
	}
	a.Test = experiment.Run(p, cases)
	return a, nil
}

func (t *turn) join(other *turn) {
	t.Named = append(t.Named, other.Named...)
	t.Kept = append(t.Kept, other.Kept...)
	t.Uses = append(t.Uses, other.Uses...)
	t.Over = t.Over || other.Over
	if t.trial == nil {
		t.trial = other.trial
	}
}

func (t *turn) hit() bool {
	return slices.ContainsFunc(slices.Concat(t.Named, t.Kept),
		func(n outcome.Named) bool { return t.Of(n) == outcome.Followed })
}

const few = 30

// Alike returns the design effect of sessions on the share of followed suggestions, from the log since the given time.
// It returns 0 if the log has too few sessions.
func Alike(ctx context.Context, db *store.DB, since time.Time) (float64, error) {
	var followed outcome.Share
	sessions := map[string]bool{}
	err := db.Turns(ctx, store.Filter{Since: since, Verdict: string(gate.Inject)}, func(t *store.Turn) error {
		if t.Over {
			followed.Add(t.Session, t.State() == outcome.Followed)
			sessions[t.Session] = true
		}
		return nil
	})
	if err != nil || len(sessions) < few {
		return 0, err
	}
	return followed.Effect(), nil
}

// Settle ends the running experiment if its test has a result or its time is over, and returns its state. It returns
// nil if no experiment is running.
func Settle(ctx context.Context, db *store.DB, now time.Time) (*Arms, error) {
	p, err := experiment.Load(db.Dir())
	if p == nil || err != nil {
		return nil, err
	}
	a, err := Read(ctx, db, p)
	if err != nil {
		return nil, err
	}
	if a.Test.Found != experiment.Running || !now.Before(p.Until) {
		return &a, p.End(db.Dir(), now, a.Test)
	}
	return &a, nil
}

// Last settles the running experiment and returns its state, or else the state of the newest ended one. It returns nil
// if there has been no experiment.
func Last(ctx context.Context, db *store.DB, now time.Time) (*Arms, error) {
	a, err := Settle(ctx, db, now)
	if a != nil || err != nil {
		return a, err
	}
	past := experiment.Past(db.Dir())
	if len(past) == 0 {
		return nil, nil
	}
	p := past[len(past)-1]
	read, err := Read(ctx, db, p)
	read.Test = *p.Result // the log may have been pruned since
	return &read, err
}
