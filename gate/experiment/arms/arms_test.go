package arms

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

type user struct {
	t     *testing.T
	dir   string
	at    time.Time
	level string
	plan  *experiment.Plan

	version string
}

func (u *user) append(r journal.Record, session string) {
	u.t.Helper()
	r.Session, r.Transcript = session, "/transcripts/"+session
	require.NoError(u.t, journal.Append(u.dir, r))
}

func (u *user) record(kind journal.Kind) journal.Record {
	u.t.Helper()
	u.at = u.at.Add(time.Minute)
	r := journal.New(kind, u.at)
	return r
}

func (u *user) types(session, id, text string, used ...string) *gate.Trial {
	u.t.Helper()
	r := u.record(journal.KindDecision)
	r.PromptID, r.Skillgate = id, u.version
	d := gate.Decision{Prompt: text, Verdict: gate.Inject, Candidates: []gate.Candidate{{Name: "pdf", Pool: "skill",
		Injected: true}}}
	u.plan.Assign(&d, session, id, r.Time)
	r.SetDecision(d, u.level, []string{"term"})
	u.append(r, session)
	for _, skill := range used {
		o := u.record(journal.KindOutcome)
		o.PromptID, o.Outcome = id, &journal.Outcome{Tool: journal.ToolSkill, Skill: skill, Success: true}
		u.append(o, session)
	}
	return d.Trial
}

func newUser(t *testing.T, level, by string) *user {
	t.Helper()
	p, err := experiment.New(noon, 0.5, by, 7, 0.2, 0, 30)
	require.NoError(t, err)
	return &user{t: t, dir: t.TempDir(), at: noon, level: level, plan: p, version: "v1"}
}

func (u *user) open() *store.DB {
	u.t.Helper()
	db, err := store.Open(u.t.Context(), u.dir)
	require.NoError(u.t, err)
	u.t.Cleanup(func() { db.Close() })
	_, err = db.Fold(u.t.Context(), u.at, time.Second)
	require.NoError(u.t, err)
	return db
}

func (u *user) read() Arms {
	u.t.Helper()
	a, err := Read(u.t.Context(), u.open(), u.plan)
	require.NoError(u.t, err)
	return a
}

func TestReadCountsBothArms(t *testing.T) {
	for _, level := range []string{journal.Full, journal.Terms, journal.Hash, journal.None} {
		t.Run(level, func(t *testing.T) {
			u := newUser(t, level, experiment.BySession)
			var drawn [2]int
			for s := range 80 {
				session := fmt.Sprint("s", s)
				u.append(u.record(journal.KindSession), session)
				trial := u.types(session, "p-"+session+"-0", "make a form of it")
				if !trial.Held {
					drawn[0]++
					o := u.record(journal.KindOutcome)
					o.PromptID, o.Outcome = "p-"+session+"-0", &journal.Outcome{Tool: journal.ToolSkill, Skill: "pdf",
						Success: true}
					u.append(o, session)
				} else {
					drawn[1]++
				}
				u.types(session, "p-"+session+"-1", "now the next form")
			}
			a := u.read()
			if a.Hinted != 2*drawn[0] || a.Held != 2*drawn[1] || a.Unknown != 80 || a.Test.Cases > 80 {
				t.Fatalf("Read = %d and %d prompts, %d unknown, %d cases; want %v sessions of two, of which one prompt has ended",
					a.Hinted, a.Held, a.Unknown, a.Test.Cases, drawn)
			}
			if a.Test.Hinted.Value != 1 || a.Test.Held.Value != 0 || a.Test.Found != experiment.Helps {
				t.Errorf("Test = %+v, want every hint followed and nothing else used", a.Test)
			}
		})
	}
}

// A hook that is registered twice logs a prompt twice, and a queued prompt belongs to the running turn.
func TestOneTurnCountsOnce(t *testing.T) {
	u := newUser(t, journal.Full, experiment.ByPrompt)
	u.append(u.record(journal.KindSession), "s")
	for i := range 20 {
		id := fmt.Sprint("p", i)
		u.types("s", id, "make a form of it")
		u.types("s", id, "make a form of it", "pdf")
	}
	a := u.read()
	if a.Hinted+a.Held != 20 || a.Test.Cases != 19 || a.Test.Hinted.Hits+a.Test.Held.Hits != 19 {
		t.Errorf("20 prompts logged twice are %d and %d prompts, %d cases with %d and %d uses; want 20, 19 and 19",
			a.Hinted, a.Held, a.Test.Cases, a.Test.Hinted.Hits, a.Test.Held.Hits)
	}
}

func TestAnUpgradeGoesOn(t *testing.T) {
	u := newUser(t, journal.Full, experiment.BySession)
	u.append(u.record(journal.KindSession), "s")
	var held [2]int
	for i := range 6 {
		if i == 3 {
			u.version = "v2"
		}
		if u.types("s", fmt.Sprint("p", i), "make a form of it", "pdf").Held {
			held[i/3]++
		}
	}
	a := u.read()
	if held[0] != held[1] || len(a.Versions) != 2 || a.Hinted+a.Held != 6 || a.Test.Cases != 5 {
		t.Errorf("across an upgrade: %v of 3 held, versions %v, %d prompts, %d cases", held, a.Versions, a.Hinted+a.Held,
			a.Test.Cases)
	}
}

// Prompts of the experiment count even if the clock was set back; prompts logged before it do not.
func TestAClockThatJumpsLosesNothing(t *testing.T) {
	u := newUser(t, journal.Full, experiment.ByPrompt)
	other := *u.plan
	other.ID = "an older one"
	u.at, u.plan = noon.AddDate(0, 0, -1), &other
	u.append(u.record(journal.KindSession), "old")
	u.types("old", "p", "make a form of it", "pdf")
	u.at, other.ID = noon, newUser(t, journal.Full, experiment.ByPrompt).plan.ID
	for s, at := range []time.Time{noon, noon.AddDate(-1, 0, 0), noon.AddDate(0, 0, 7), noon.AddDate(-25, 0, 0)} {
		u.at = at
		session := fmt.Sprint("s", s)
		u.append(u.record(journal.KindSession), session)
		for i := range 4 {
			u.types(session, fmt.Sprint(session, "-", i), "make a form of it", "pdf")
		}
	}
	if a := u.read(); a.Hinted+a.Held != 16 || a.Unknown != 4 {
		t.Errorf("%d and %d prompts, of %d no end is known: want 16 of four clocks, of which the last of each goes on",
			a.Hinted, a.Held, a.Unknown)
	}
}

func TestAlikeness(t *testing.T) {
	for name, tt := range map[string]struct {
		sessions int
		alike    bool
		low, hi  float64
	}{
		"too few sessions to tell":         {29, true, 0, 0},
		"a session uses all hints or none": {40, true, 4, 5.5},
		"sessions do not differ":           {40, false, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, journal.Full, experiment.ByPrompt)
			u.plan.Share = 0
			for s := range tt.sessions {
				session := fmt.Sprint("s", s)
				u.append(u.record(journal.KindSession), session)
				for i := range 6 { // five of them end
					var used []string
					if tt.alike && s%2 == 0 || !tt.alike && i%2 == 0 {
						used = []string{"pdf"}
					}
					u.types(session, fmt.Sprint(session, "-", i), fmt.Sprint("make form ", i), used...)
				}
			}
			if got, err := Alike(t.Context(), u.open(), noon); err != nil || got < tt.low || got > tt.hi {
				t.Errorf("Alike = %.2f, %v, want %g to %g", got, err, tt.low, tt.hi)
			}
		})
	}
}

func TestSettleEndsWhatIsOver(t *testing.T) {
	u := newUser(t, journal.Full, experiment.ByPrompt)
	require.NoError(t, experiment.Start(u.dir, u.plan))
	u.append(u.record(journal.KindSession), "s")
	for i := range 20 {
		u.types("s", fmt.Sprint("p", i), "make a form of it")
	}
	db, err := store.Open(t.Context(), u.dir)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Fold(t.Context(), u.at, time.Second)
	require.NoError(t, err)
	if a, err := Settle(t.Context(), db, u.at); err != nil || a == nil || a.Plan.Ended != nil ||
		a.Test.Cases != 19 {
		t.Fatalf("Settle on the first day = %+v, %v, want it to run on with 19 cases", a, err)
	}
	if a, err := Settle(t.Context(), db, u.plan.Until); err != nil || a == nil || a.Plan.Ended == nil {
		t.Fatalf("Settle after the last day = %+v, %v, want it ended", a, err)
	}
	if a, err := Settle(t.Context(), db, u.plan.Until); a != nil || err != nil {
		t.Errorf("Settle again = %+v, %v, want nothing to settle", a, err)
	}
	if past := experiment.Past(u.dir); len(past) != 1 || past[0].Found != experiment.Running {
		t.Errorf("Past = %+v, want the one that found nothing out", past)
	}
}
