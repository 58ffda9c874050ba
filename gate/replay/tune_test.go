package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// decided is a prompt whose logged decision has candidates a, b, c, … with these
// scores; used is the name of the skill that was loaded, "" for none reported.
func decided(id string, need float64, used string, inject int, scores ...float64) *Prompt {
	d := &gate.Decision{Verdict: gate.Silent, Reason: gate.BelowNeedMin, Need: need, Candidates: []gate.Candidate{}}
	if inject > 0 {
		d.Verdict, d.Reason = gate.Inject, ""
	}
	for i, s := range scores {
		d.Candidates = append(d.Candidates, gate.Candidate{Rank: i + 1, ID: string(rune('a' + i)),
			Name: string(rune('a' + i)), Pool: "skill", Score: s, Injected: i < inject})
	}
	p := &Prompt{ID: id, Text: id, Level: journal.Full, Recorded: d}
	if used != "" {
		p.Uses = []journal.Outcome{{Tool: journal.ToolSkill, Skill: used, Success: true}}
	}
	return p
}

func tuned(t *testing.T, prompts []*Prompt, keys ...string) (Tuning, error) {
	t.Helper()
	logged := &Side{Name: "recorded", Logged: true, Settings: gate.Settings{NeedMin: 0.2, ScoreMin: 1, TopK: 5}}
	return Tune(t.Context(), Job{Source: Fixed(prompts), A: logged, B: logged, Notes: &Notes{}}, keys)
}

// What is doubtful counts as named only where need is sure: half way from need_min to 1.
func TestTuneLeavesOutTheDoubtful(t *testing.T) {
	var prompts []*Prompt
	for i := range 400 {
		p := decided(fmt.Sprint("p", i), 0.5, "a", 0, 9)
		p.Recorded.Doubtful = i%4 != 0
		if i%4 == 1 {
			p.Recorded.Need = 0.65
		}
		prompts = append(prompts, p)
	}
	got, err := tuned(t, prompts, "need_min")
	if err != nil || got.Now.Injections != 50 || got.Now.Caught != 0.5 {
		t.Errorf("Tune = now %+v, %v; want the 25 %% without doubt and the 25 %% of enough need", got.Now, err)
	}
}

func TestTuneFindsTheThreshold(t *testing.T) {
	// Every fourth prompt needs a skill and has a need above 0.7; the others lie below
	// 0.6 and are bothered for nothing.
	var prompts []*Prompt
	for i := range 400 {
		id := fmt.Sprint("p", i)
		if i%4 == 0 {
			prompts = append(prompts, decided(id, 0.71+float64(i%20)/100, "a", 1, 9, 3))
		} else {
			prompts = append(prompts, decided(id, 0.3+float64(i%30)/100, "", 1, 5, 3))
		}
	}
	got, err := tuned(t, prompts, "need_min", "score_min", "top_k")
	if err != nil {
		t.Fatal(err)
	}
	if got.Prompts != 400 || got.Known != 100 || got.Now.Injections != 100 || got.Now.Caught != 1 {
		t.Errorf("Tune = %d prompts, %d known, now %+v; want 400, 100 and everything injected", got.Prompts, got.Known, got.Now)
	}
	if p := got.Propose; p.Injections != 25 || p.Caught != 1 || p.Named != 25 {
		t.Errorf("Tune proposes %+v, want 25 injections per 100 that catch all, one name each", p)
	}
	if h := got.HeldOut; math.Abs(h.Injections-25) > 3 || h.Caught < 0.9 {
		t.Errorf("held out = %+v, want about 25 injections and nearly all caught", h)
	}
}

// What stands far below the first one is named at no threshold, so a smaller top_k gains nothing.
func TestTuneCountsWhatWouldBeNamed(t *testing.T) {
	var prompts []*Prompt
	for i := range 400 {
		prompts = append(prompts, decided(fmt.Sprint("p", i), 0.9, "a", 1, 9, 4.4, 4))
	}
	got, err := tuned(t, prompts, "top_k")
	if err != nil || got.Now.Named != 100 || got.Propose.TopK != got.Now.TopK {
		t.Errorf("Tune = now %+v, proposal %+v, %v; want one name a prompt and nothing to gain", got.Now, got.Propose, err)
	}
}

func TestTuneRefusesASmallLog(t *testing.T) {
	var prompts []*Prompt
	for i := range minPrompts {
		prompts = append(prompts, decided(fmt.Sprint("p", i), 0.5, "", 1, 5))
	}
	for i := range minUses - 1 {
		prompts[i].Uses = []journal.Outcome{{Tool: journal.ToolSkill, Skill: "a", Success: true}}
	}
	if _, err := tuned(t, prompts, "need_min"); !errors.Is(err, ErrSample) {
		t.Errorf("Tune on %d prompts with %d uses = %v, want ErrSample", minPrompts, minUses-1, err)
	}
	prompts[minUses].Uses = prompts[0].Uses
	if _, err := tuned(t, prompts, "need_min"); err != nil {
		t.Errorf("Tune on %d prompts with %d uses = %v", minPrompts, minUses, err)
	}
	if _, err := tuned(t, prompts[1:], "need_min"); !errors.Is(err, ErrSample) {
		t.Errorf("Tune on %d prompts = %v, want ErrSample", minPrompts-1, err)
	}
}

func TestMeasuresKeepTheUnknownApart(t *testing.T) {
	prompts := []*Prompt{
		decided("followed", 0.9, "a", 2, 9, 8), // first of two was used
		decided("second", 0.9, "b", 2, 9, 8),   // second of two
		decided("other", 0.9, "z", 2, 9, 8),    // another one: a miss
		decided("missed", 0.1, "a", 0, 9, 8),   // nothing was named
		decided("unknown", 0.9, "", 1, 9, 8),   // no use was reported
	}
	failed := decided("failed", 0.9, "", 1, 9)
	failed.Uses = []journal.Outcome{{Tool: journal.ToolSkill, Skill: "a"},
		{Tool: journal.ToolTyped, Skill: "a", Success: true}, {Tool: journal.ToolAgent, Skill: "a", Success: true}}
	quiet := decided("quiet", 0.1, "", 0)
	prompts = append(prompts, failed, quiet)
	for _, p := range prompts[:3] {
		p.Over = true
	}
	ignored := decided("ignored", 0.9, "", 1, 9) // its turn ended without a use: a no
	ignored.Over = true
	prompts = append(prompts, ignored)
	logged := &Side{Name: "recorded", Logged: true}
	job := Job{Source: Fixed(prompts), A: logged, B: logged, Notes: &Notes{}}
	s := NewSummary(job)
	if err := Run(t.Context(), job, func(r *Result) error { s.Add(r); return nil }); err != nil {
		t.Fatal(err)
	}
	s.Finish(job.Notes)
	want := map[string]struct {
		value float64
		n     int
	}{
		"injections":  {6.0 / 8, 8},
		"follow_rate": {2.0 / 4, 4}, // unknown and failed are no cases
		"precision":   {2.0 / 6, 6},
		"caught":      {2.0 / 4, 4},
		"first":       {1.0 / 4, 4},
	}
	for name, w := range want {
		c := s.Measure(name)
		if c == nil || c.A == nil || math.Abs(c.A.Value-w.value) > 1e-12 || c.A.N != w.n || c.Delta.Value != 0 || c.Delta.Low >= 0 || c.Delta.High <= 0 {
			t.Errorf("measure %s = %+v, want %.3f of %d and no difference", name, c, w.value, w.n)
		}
		if c != nil && (c.A.Low > c.A.Value || c.A.High < c.A.Value) {
			t.Errorf("interval of %s = %.3f to %.3f around %.3f", name, c.A.Low, c.A.High, c.A.Value)
		}
	}
	if s.Known != 4 || s.Over != 4 || s.Compared != 8 || s.Changes[Unchanged] != 8 {
		t.Errorf("summary = %d known of %d, %v", s.Known, s.Compared, s.Changes)
	}
}

func TestChangesAndCauses(t *testing.T) {
	match := func(term, field string, score float64) gate.Match {
		return gate.Match{Term: term, Field: field, Score: score}
	}
	base := decided("x", 0.9, "", 2, 9, 8).Recorded
	change := func(f func(*gate.Decision)) *gate.Decision {
		d := *base
		d.Candidates = append([]gate.Candidate{}, base.Candidates...)
		f(&d)
		return &d
	}
	sides := func(needA, needB float64) (*Side, *Side) {
		return &Side{Settings: gate.Settings{NeedMin: needA, TopK: 5}}, &Side{Settings: gate.Settings{NeedMin: needB, TopK: 1}}
	}
	tests := []struct {
		name  string
		b     *gate.Decision
		want  Change
		cause string
	}{
		{"nothing", change(func(*gate.Decision) {}), Unchanged, ""},
		{"a threshold silences", change(func(d *gate.Decision) {
			d.Verdict, d.Reason = gate.Silent, gate.BelowNeedMin
			d.Candidates[0].Injected, d.Candidates[1].Injected = false, false
		}), NowSilent, "need 0.900 on both sides, need_min 0.2 → 0.95"},
		{"the pre-filter stops it", change(func(d *gate.Decision) {
			d.Verdict, d.Reason, d.Candidates = gate.Skip, gate.Greeting, nil
		}), NowSilent, "pre-filter: searched → greeting"},
		{"a term lifts the second", change(func(d *gate.Decision) {
			d.Candidates[0], d.Candidates[1] = d.Candidates[1], d.Candidates[0]
			d.Candidates[0].Score = 12
			d.Candidates[0].Matched = []gate.Match{match("bow", "triggers", 4), match("string", "name", 8)}
		}), Winner, "b scores 8.00 → 12.00: string in name +8.00, bow in triggers +4.00"},
		{"a score moves by less than is shown", change(func(d *gate.Decision) {
			d.Candidates[0], d.Candidates[1] = d.Candidates[1], d.Candidates[0]
			d.Candidates[0].Score += 0.001
			d.Candidates[1].Score -= 0.001
		}), Winner, "a and b score the same on both sides: families, steps or a threshold decide"},
		{"fewer are named", change(func(d *gate.Decision) { d.Candidates[1].Injected = false }), Number, "top_k 5 → 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := sides(0.2, 0.95)
			got := Compare(base, tt.b)
			why := cause(got, &Answer{Decision: base}, &Answer{Decision: tt.b}, a, b)
			if got != tt.want || why != tt.cause {
				t.Errorf("compare = %s because %q, want %s because %q", got, why, tt.want, tt.cause)
			}
		})
	}
}

func TestRunKeepsOrderAndStops(t *testing.T) {
	var prompts []*Prompt
	for i := range 1000 {
		prompts = append(prompts, decided(fmt.Sprint(i), 0.9, "", 1, 9))
	}
	logged := &Side{Logged: true}
	n := 0
	err := Run(t.Context(), Job{Source: Fixed(prompts), A: logged, B: logged, Notes: &Notes{}}, func(r *Result) error {
		if r.Prompt.ID != fmt.Sprint(n) {
			t.Fatalf("result %d is of prompt %s", n, r.Prompt.ID)
		}
		n++
		return nil
	})
	if err != nil || n != 1000 {
		t.Errorf("Run = %v after %d results, want 1000", err, n)
	}
	stop := errors.New("enough")
	if err := Run(t.Context(), Job{Source: Fixed(prompts), A: logged, B: logged, Notes: &Notes{}}, func(*Result) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("Run whose reader fails = %v, want its error", err)
	}
	broken := func(context.Context, store.Filter, *Notes, func(*Prompt) error) error { panic("a cut file") }
	if err := Run(t.Context(), Job{Source: broken, A: logged, B: logged, Notes: &Notes{}}, func(*Result) error { return nil }); err == nil {
		t.Error("Run over a source that panics = nil, want an error")
	}
	mad := &Side{Key: func(*Prompt) string { return "" }, Open: func(*Prompt) (*gate.Gate, error) { panic("a cut index") }}
	if err := Run(t.Context(), Job{Source: Fixed([]*Prompt{{ID: "1", Text: "tune the violin please",
		Level: journal.Full}}), A: mad, B: mad, Notes: &Notes{}}, func(*Result) error { return nil }); err == nil {
		t.Error("Run over an index that panics = nil, want an error")
	}
}
