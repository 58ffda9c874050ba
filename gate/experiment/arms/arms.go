// Package arms reads from the log how the two arms of an experiment fared: the prompts whose
// hint was given, and those whose hint was kept back. What is compared is whether the model
// used, within the turn, a skill that was or would have been named.
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

// Arms is how an experiment stands.
type Arms struct {
	Plan     *experiment.Plan `json:"plan"`
	Test     experiment.Test  `json:"test"`
	Hinted   int              `json:"hinted"`   // prompts of each arm, ended or not
	Held     int              `json:"held"`     //
	Unknown  int              `json:"unknown"`  // of both: the turn may still run, or nothing watched it
	Versions []string         `json:"versions"` // of skillgate that decided
	Settings int              `json:"settings"` // different ones under which was decided
}

type turn struct {
	outcome.Turn
	session string
	trial   *gate.Trial
}

// Read reads how a plan stands.
func Read(ctx context.Context, db *store.DB, p *experiment.Plan) (Arms, error) {
	a := Arms{Plan: p}
	versions, settings := map[string]bool{}, map[string]bool{}
	known := map[[2]string]*turn{} // by session and prompt id
	var drawn []*turn
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // the log is held: half as much again is room enough
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
		if first != nil { // a hook that is registered twice, or a prompt that was queued in a turn: one turn, one lot
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

// Alike returns the design effect of sessions on the share of hints that are followed, as far as the log since
// a time tells: 0 where it holds too few sessions.
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

// Settle ends the experiment that runs where its test or its time is over, and returns how it
// stands; nil where none runs.
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

// Last returns how the experiment that runs stands, ended where it is due, or else the newest that has ended; nil
// where none was started.
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
