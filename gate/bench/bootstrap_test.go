package bench

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate"
)

func TestInterval(t *testing.T) {
	constant := []float64{0.5, 0.5, 0.5}
	if low, high := interval(constant, 1000, 1); low != 0.5 || high != 0.5 {
		t.Errorf("interval(constant .5) = %.3f to %.3f, want .5 to .5", low, high)
	}
	// 30 of 100 prompts gain: p = .3, error .0458, so about .3 ± 1.96 · .0458.
	deltas := make([]float64, 100)
	for i := range 30 {
		deltas[i] = 1
	}
	low, high := interval(deltas, 10_000, 1)
	if low < 0.20 || low > 0.22 || high < 0.38 || high > 0.40 {
		t.Errorf("interval(30 of 100) = %.3f to %.3f, want about .21 to .39", low, high)
	}
	again, _ := interval(deltas, 10_000, 1)
	other, _ := interval(deltas, 10_000, 2)
	if again != low {
		t.Errorf("interval with the same seed = %.4f, then %.4f", low, again)
	}
	if other < 0.19 || other > 0.23 {
		t.Errorf("interval with another seed starts at %.4f, want about .21", other)
	}
}

// report runs prompts of the gold skill "a" and a native one through rankings.
func report(t *testing.T, rankings map[string]gate.Decision) *Report {
	t.Helper()
	s := Set{Name: "mine"}
	for _, q := range sorted(rankings) {
		p := Prompt{ID: q, Query: q, Task: Search, Gold: []string{"a"}}
		if strings.HasPrefix(q, "native") {
			p = Prompt{ID: q, Query: q, Task: Gate, Kind: kindNative}
		}
		s.Prompts = append(s.Prompts, p)
	}
	outcomes, err := Run(t.Context(), fixed(rankings), s, nil, Options{K: 20})
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{K: 20}
	r.Sum(outcomes)
	return r
}

func TestCompareAndDiff(t *testing.T) {
	before := report(t, map[string]gate.Decision{
		"p1": decision(gate.Inject, "+a"), "p2": decision(gate.Inject, "+x", "+y", "+a"), "p3": decision(gate.Inject, "+a"),
		"native": decision(gate.Inject, "+x"), "gone": decision(gate.Inject, "+a"),
	})
	after := report(t, map[string]gate.Decision{
		"p1": decision(gate.Inject, "+a"), "p2": decision(gate.Inject, "+a"), "p3": decision(gate.Silent, "x", "a"),
		"native": decision(gate.Silent, "x"), "new": decision(gate.Inject, "+a"),
	})
	find := func(measure string) Difference {
		for _, d := range Compare(before, after) {
			if d.Measure == measure {
				return d
			}
		}
		t.Fatalf("Compare has no %s", measure)
		return Difference{}
	}
	if d := find("hit@1"); d.N != 3 || !near(d.Before, 2.0/3) || !near(d.After, 2.0/3) || d.Better != 1 || d.Worse != 1 || d.Low > -0.5 || d.High < 0.5 {
		t.Errorf("Compare hit@1 = %+v, want n 3, .667 both, one better, one worse, an interval around 0", d)
	}
	if d := find("MRR@10"); !near(d.Delta, (2.0/3-0.5)/3) {
		t.Errorf("Compare MRR@10 change = %.4f, want %.4f", d.Delta, (2.0/3-0.5)/3)
	}
	if d := find(nativeInjected); d.Delta != -1 || d.Better != 1 || d.Worse != 0 {
		t.Errorf("Compare native injected = %+v, want change -1 that counts as better", d)
	}
	diff := DiffReports(before, after)
	var got []string
	for _, c := range diff.Changes {
		got = append(got, c.ID+": "+c.Before+" → "+c.After)
	}
	want := []string{
		"p3: #1, inject → #2, silent",
		"native: inject → silent",
		"p2: #3, inject → #1, inject",
	}
	if !slices.Equal(got, want) {
		t.Errorf("DiffReports changes = %q, want %q", got, want)
	}
	if diff.Same != 1 || diff.Only != 2 {
		t.Errorf("DiffReports = %d same, %d in one only, want 1, 2", diff.Same, diff.Only)
	}
}

func TestDiffOfOtherTasks(t *testing.T) {
	pair := Prompt{ID: "p", Query: "p", Task: Pair, Helpful: "h", Risky: "r"}
	composite := Prompt{ID: "c", Query: "c", Task: Composite, Steps: [][]string{{"a", "shared"}, {"shared", "b"}}}
	boundary := Prompt{ID: "b", Query: "b", Task: Boundary, Gold: []string{"g"}, NotAbove: "n"}
	run := func(p, c, b gate.Decision) *Report {
		outcomes, err := Run(t.Context(), fixed{"p": p, "c": c, "b": b}, Set{Name: "s", Prompts: []Prompt{pair, composite, boundary}}, nil, Options{K: 20})
		if err != nil {
			t.Fatal(err)
		}
		r := &Report{K: 20}
		r.Sum(outcomes)
		return r
	}
	diff := DiffReports(
		run(decision(gate.Inject, "+h", "+r"), decision(gate.Inject, "+a"), decision(gate.Inject, "+n", "+g")),
		run(decision(gate.Inject, "+r", "+h"), decision(gate.Inject, "+x", "+shared"), decision(gate.Inject, "+g", "+n")),
	)
	var got []string
	for _, c := range diff.Changes {
		got = append(got, c.ID+": "+c.Before+" → "+c.After)
	}
	want := []string{
		"p: helpful #1, risky #2 → helpful #2, risky #1",
		"c: steps #1 –, inject → steps #2 #2, inject",
		"b: gold #2, not_above #1 → gold #1, not_above #2",
	}
	if !slices.Equal(got, want) || diff.Changes[0].Better || !diff.Changes[1].Better || !diff.Changes[2].Better {
		t.Errorf("DiffReports = %q, want %q, the first of them worse", got, want)
	}
}

func TestSavedRunComesBack(t *testing.T) {
	r := report(t, map[string]gate.Decision{"p1": decision(gate.Inject, "+a"), "native": decision(gate.Silent)})
	file := filepath.Join(t.TempDir(), "run.json")
	if err := r.Save(file); err != nil {
		t.Fatal(err)
	}
	back, err := ReadReport(file)
	if err != nil {
		t.Fatalf("ReadReport(%s): %v", file, err)
	}
	if d := DiffReports(r, back); len(d.Changes) != 0 || d.Same != 2 || d.Only != 0 {
		t.Errorf("DiffReports(saved, read) = %+v, want 2 the same", d)
	}
	r.Outcomes = nil
	if err := r.Save(file); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadReport(file); err == nil || !strings.Contains(err.Error(), "no outcomes") {
		t.Errorf("ReadReport(without outcomes) = %v, want an error that says so", err)
	}
	r.Version = 0
	r.Save(file)
	if _, err := ReadReport(file); err == nil || !strings.Contains(err.Error(), "version 0") {
		t.Errorf("ReadReport(version 0) = %v, want an error that says so", err)
	}
}
