package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate"
)

// fixed answers prompts from a table, the first k of what it has.
type fixed map[string]gate.Decision

func (f fixed) Decide(prompt string, k int) gate.Decision {
	d, ok := f[prompt]
	if !ok {
		return gate.Decision{Verdict: gate.Silent, Reason: gate.NoCandidates}
	}
	d.Candidates = d.Candidates[:min(k, len(d.Candidates))]
	return d
}

func TestRunAndSections(t *testing.T) {
	router := fixed{
		"one":   decision(gate.Inject, "+a", "+b"),
		"two":   decision(gate.Inject, "+x", "+b"),
		"three": decision(gate.Silent, "x", "y"),
		"hello": decision(gate.Skip),
		"why":   decision(gate.Inject, "+a"),
	}
	search := Set{Name: "mine", Prompts: []Prompt{
		{ID: "1", Query: "one", Lang: "en", Task: Search, Kind: "single", Class: "c1", Gold: []string{"a"}},
		{ID: "2", Query: "two", Lang: "en", Task: Search, Kind: "single", Class: "c1", Gold: []string{"b"}},
		{ID: "3", Query: "three", Lang: "ko", Task: Search, Kind: "single", Class: "c1", Gold: []string{"c"}},
		{ID: "4", Query: "absent", Lang: "ko", Task: Search, Kind: "single", Class: "c1", Gold: []string{"c"}},
	}}
	gates := Set{Name: "gates", Prompts: []Prompt{
		{ID: "5", Query: "hello", Lang: "en", Task: Gate, Kind: kindGreeting},
		{ID: "6", Query: "why", Lang: "en", Task: Gate, Kind: kindNative},
	}}
	calls := 0
	var outcomes []Outcome
	for _, s := range []Set{search, gates} {
		got, err := Run(context.Background(), router, s, nil, Options{K: 20, Done: func() { calls++ }})
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, got...)
	}
	if calls != 6 {
		t.Errorf("Done was called %d times, want 6", calls)
	}
	sections := Sections(outcomes, 20)
	var names []string
	for _, s := range sections {
		names = append(names, s.Set+"/"+string(s.Task))
	}
	if got := strings.Join(names, " "); got != "mine/search gates/gate /gate" {
		t.Fatalf("Sections = %s, want mine/search, gates/gate and the sum", got)
	}
	check := func(section int, by, name, measure string, n int, mean float64) {
		t.Helper()
		for _, g := range sections[section].Groups {
			if g.By == by && g.Name == name {
				if r := g.Rates[measure]; r.N != n || !near(r.Mean, mean) {
					t.Errorf("section %d, %s %s, %s = %+v, want n %d, mean %.3f", section, by, name, measure, r, n, mean)
				}
				return
			}
		}
		t.Errorf("section %d has no group %s %s", section, by, name)
	}
	check(0, "all", "all", "hit@1", 4, 0.25)
	check(0, "all", "all", "hit@3", 4, 0.5)
	check(0, "lang", "en", "hit@3", 2, 1)
	check(0, "lang", "ko", "hit@20", 2, 0)
	check(0, "lang", "en", "MRR@10", 2, 0.75)
	check(1, "all", "all", skipped, 1, 1)
	check(1, "kind", "native", nativeInjected, 1, 1)
	check(2, "all", "all", nativeInjected, 1, 1)
	check(2, "all", "all", injected, 4, 0.5)
	check(2, "lang", "ko", gatedHit, 2, 0)
	for _, g := range sections[0].Groups {
		if g.By == "class" {
			t.Errorf("section 0 has a group for its only class %s", g.Name)
		}
	}
}

// generous answers with all it has, whatever k.
type generous gate.Decision

func (g generous) Decide(string, int) gate.Decision { return gate.Decision(g) }

func TestRunKeepsTheFirstK(t *testing.T) {
	s := Set{Prompts: []Prompt{{ID: "1", Query: "q", Task: Search, Gold: []string{"c"}}}}
	got, err := Run(context.Background(), generous(decision(gate.Inject, "+a", "+b", "+c")), s, nil, Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	o := got[0]
	if len(o.Ranked) != 2 || o.Labels[0].Rank != 0 || o.Values["MRR"] != 0 || o.Values[gatedHit] != 1 {
		t.Errorf("Run(k 2) = %d places, c at %d, MRR %.2f, gated hit %.0f, want 2, 0, 0, 1", len(o.Ranked), o.Labels[0].Rank, o.Values["MRR"], o.Values[gatedHit])
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := Set{Prompts: []Prompt{{ID: "1", Query: "one", Task: Search, Gold: []string{"a"}}}}
	if _, err := Run(ctx, fixed{}, s, nil, Options{K: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run(cancelled) = %v, want context.Canceled", err)
	}
}
