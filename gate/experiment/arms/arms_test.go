package arms

import (
	"fmt"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// user is somebody who types into a log.
type user struct {
	t     *testing.T
	dir   string
	at    time.Time
	level string
	plan  *experiment.Plan
}

func (u *user) append(r journal.Record, session string) {
	u.t.Helper()
	r.Session, r.Transcript = session, "/transcripts/"+session
	if err := journal.Append(u.dir, r); err != nil {
		u.t.Fatal(err)
	}
}

func (u *user) record(kind journal.Kind) journal.Record {
	u.t.Helper()
	u.at = u.at.Add(time.Minute)
	r, err := journal.New(kind, u.at)
	if err != nil {
		u.t.Fatal(err)
	}
	return r
}

// types logs a prompt whose hint is pdf, and what is used for it.
func (u *user) types(session, id, text string, used ...string) *gate.Trial {
	u.t.Helper()
	r := u.record(journal.KindDecision)
	r.PromptID, r.Skillgate = id, "v1"
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
	p, err := experiment.New(noon, 0.5, by, 7, 0.2, 30)
	if err != nil {
		t.Fatal(err)
	}
	return &user{t: t, dir: t.TempDir(), at: noon, level: level, plan: p}
}

func (u *user) read() Arms {
	u.t.Helper()
	db, err := store.Open(u.t.Context(), u.dir)
	if err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(func() { db.Close() })
	if _, err := db.Fold(u.t.Context(), u.at, time.Second); err != nil {
		u.t.Fatal(err)
	}
	a, err := Read(u.t.Context(), db, u.plan, func(file string) map[string]bool {
		return map[string]bool{"p-" + file[len("/transcripts/"):] + "-0": true, "p-" + file[len("/transcripts/"):] +
			"-1": false}
	})
	if err != nil {
		u.t.Fatal(err)
	}
	return a
}

func TestReadCountsBothArms(t *testing.T) {
	for level, corrects := range map[string]bool{journal.Full: true, journal.Terms: false, journal.Hash: false,
		journal.None: false} {
		t.Run(level, func(t *testing.T) {
			u := newUser(t, level, experiment.BySession)
			var drawn [2]int
			for s := range 40 {
				session := fmt.Sprint("s", s)
				u.append(u.record(journal.KindSession), session)
				var used []string
				trial := u.types(session, "p-"+session+"-0", "make a form of it", used...)
				if !trial.Held {
					drawn[0]++
					o := u.record(journal.KindOutcome)
					o.PromptID, o.Outcome = "p-"+session+"-0", &journal.Outcome{Tool: journal.ToolSkill, Skill: "pdf",
						Success: true}
					u.append(o, session)
				} else {
					drawn[1]++
				}
				u.types(session, "p-"+session+"-1", map[bool]string{true: "아니, 그 양식 말고",
					false: "thanks, now the next form"}[trial.Held])
			}
			a := u.read()
			if a.Hinted != 2*drawn[0] || a.Held != 2*drawn[1] || a.Unknown != 40 || a.Test.Cases > 40 {
				t.Fatalf("Read = %d and %d prompts, %d unknown, %d cases; want %v sessions of two, of which one prompt has ended", a.Hinted, a.Held, a.Unknown, a.Test.Cases, drawn)
			}
			if a.Test.Hinted.Value != 1 || a.Test.Held.Value != 0 || a.Test.Found != experiment.Helps {
				t.Errorf("Test = %+v, want every hint followed and nothing else used", a.Test)
			}
			got := map[string]*[3]float64{}
			for _, c := range a.Besides {
				got[c.Name] = c.Difference
			}
			if d := got[Later]; d == nil || d[0] != 1 || d[1] < 0.5 {
				t.Errorf("%s = %v, want 1 and an interval well above 0", Later, d)
			}
			if d := got[Interrupted]; d == nil || d[0] != 0 {
				t.Errorf("%s = %v, want all in both arms", Interrupted, d)
			}
			if d := got[Corrected]; (d != nil) != corrects || d != nil && d[0] != -1 {
				t.Errorf("%s = %v at level %s, want known only where texts are kept", Corrected, d, level)
			}
		})
	}
}

func TestCorrections(t *testing.T) {
	for text, want := range map[string]bool{
		"no, the other file": true, "No": true, "아니 그거 말고": true, "그게 아니라 표로": true, "wrong one": true, "now the next": false,
		"notes for the meeting": false, "아침 회의 정리해줘": false, "stopwatch app": false, "": false,
	} {
		if got := corrects(text); got != want {
			t.Errorf("corrects(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestSettleEndsWhatIsOver(t *testing.T) {
	u := newUser(t, journal.Full, experiment.ByPrompt)
	if err := experiment.Start(u.dir, u.plan); err != nil {
		t.Fatal(err)
	}
	u.append(u.record(journal.KindSession), "s")
	for i := range 20 {
		u.types("s", fmt.Sprint("p", i), "make a form of it")
	}
	db, err := store.Open(t.Context(), u.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Fold(t.Context(), u.at, time.Second); err != nil {
		t.Fatal(err)
	}
	if a, err := Settle(t.Context(), db, u.at, nil); err != nil || a == nil || a.Plan.Ended != nil ||
		a.Test.Cases != 19 {
		t.Fatalf("Settle on the first day = %+v, %v, want it to run on with 19 cases", a, err)
	}
	if a, err := Settle(t.Context(), db, u.plan.Until, nil); err != nil || a == nil || a.Plan.Ended == nil {
		t.Fatalf("Settle after the last day = %+v, %v, want it ended", a, err)
	}
	if a, err := Settle(t.Context(), db, u.plan.Until, nil); a != nil || err != nil {
		t.Errorf("Settle again = %+v, %v, want nothing to settle", a, err)
	}
	if past := experiment.Past(u.dir); len(past) != 1 || past[0].Found != experiment.Running {
		t.Errorf("Past = %+v, want the one that found nothing out", past)
	}
}
