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

func TestMissReasons(t *testing.T) {
	search := Prompt{ID: "1", Query: "q", Task: Search, Gold: []string{"gold"}, AlsoOK: []string{"fine"}}
	held := decision(gate.Inject, "+x")
	held.Candidates[0].HeldBack = []string{"gold"}
	skippedGreeting := decision(gate.Skip)
	skippedGreeting.Reason = gate.Greeting
	needless := decision(gate.Silent, "gold")
	needless.Need, needless.Reason = 0.31, gate.BelowNeedMin
	weak := decision(gate.Silent, "gold")
	weak.Reason = gate.BelowScoreMin
	failed := decision(gate.Error)
	failed.Reason = gate.Deadline
	none := decision(gate.Silent)
	none.Reason = gate.NoCandidates
	long := decision(gate.Inject, "+x", "y", "z", "gold")
	heldDeep := decision(gate.Inject, "+x", "y", "z", "copy")
	heldDeep.Candidates[3].HeldBack = []string{"gold"}
	tests := []struct {
		name string
		p    Prompt
		d    gate.Decision
		k    int
		want string
	}{
		{"held back past the list", search, heldDeep, 3, "gold is held back by copy"},
		{"right", search, decision(gate.Inject, "+gold"), 3, ""},
		{"also right", search, decision(gate.Inject, "+fine", "gold"), 3, ""},
		{"second", search, decision(gate.Inject, "+x", "+gold"), 3, "gold at 2 with 19.0 (word-gold 19.0), below x 20.0 (word-x 20.0)"},
		{"listed, not injected", search, decision(gate.Inject, "+x", "gold"), 3,
			"gold at 2 with 19.0 (word-gold 19.0), below x 20.0 (word-x 20.0); not among the injected (place 2)"},
		{"past the list, found by looking deeper", search, long, 3, "gold at 4 with 17.0 (word-gold 17.0), below x 20.0 (word-x 20.0)"},
		{"not retrieved", search, decision(gate.Inject, "+x", "y"), 3, "gold not among the 2 retrieved; first is x 20.0 (word-x 20.0)"},
		{"no candidates", search, none, 3, "gold not retrieved: no candidates; silent: no_candidates"},
		{"held back by its family", search, held, 3, "gold is held back by x"},
		{"skipped", search, skippedGreeting, 3, "skipped by triage as greeting"},
		{"need too low", search, needless, 3, "silenced by need 0.31 (best score 20.0)"},
		{"score too low", search, weak, 3, "silenced by score 20.0 (need 0.50)"},
		{"failed", search, failed, 3, "failed: deadline"},
		{"native left alone", Prompt{Query: "q", Task: Gate, Kind: kindNative}, decision(gate.Silent, "x"), 3, ""},
		{"native injected", Prompt{Query: "q", Task: Gate, Kind: kindNative}, decision(gate.Inject, "+x"), 3, "injected with need 0.50: x 20.0 (word-x 20.0)"},
		{"greeting searched", Prompt{Query: "q", Task: Gate, Kind: kindGreeting}, decision(gate.Silent, "x"), 3, "searched, not skipped as greeting"},
		{"greeting injected", Prompt{Query: "q", Task: Gate, Kind: kindGreeting}, decision(gate.Inject, "+x"), 3, "injected with need 0.50: x 20.0 (word-x 20.0)"},
		{"work skipped", Prompt{Query: "q", Task: Gate, Kind: kindFalseSkip}, skippedGreeting, 3, "skipped by triage as greeting"},
		{"pair right", Prompt{Query: "q", Task: Pair, Helpful: "gold", Risky: "y"}, decision(gate.Inject, "+gold", "y"), 3, ""},
		{"pair wrong", Prompt{Query: "q", Task: Pair, Helpful: "gold", Risky: "x"}, decision(gate.Inject, "+x", "gold"), 3,
			"gold at 2 with 19.0 (word-gold 19.0), below x 20.0 (word-x 20.0); x at 1 is above with 20.0 (word-x 20.0)"},
		{"boundary wrong", Prompt{Query: "q", Task: Boundary, Gold: []string{"gold"}, NotAbove: "x"},
			decision(gate.Inject, "+x", "gold"), 3, "x at 1 is above with 20.0 (word-x 20.0)"},
		{"a step missing", Prompt{Query: "q", Task: Composite, Steps: [][]string{{"gold"}, {"s2"}}},
			decision(gate.Inject, "+gold"), 3, "step 2: s2 not among the 1 retrieved; first is gold 20.0 (word-gold 20.0)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Run(context.Background(), fixed{"q": tt.d}, Set{Prompts: []Prompt{tt.p}}, nil, Options{K: tt.k, Deep: 50})
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Miss != tt.want {
				t.Errorf("Run(%s).Miss = %q, want %q", tt.name, got[0].Miss, tt.want)
			}
		})
	}
}

func TestTermsAreSummedOverFields(t *testing.T) {
	got := terms([]gate.Match{
		{Term: "배포", Via: "deploy", Field: "name", Score: 2}, {Term: "배포", Via: "deploy", Field: "body", Score: 1.5},
		{Term: "b", Field: "body", Score: 3}, {Term: "c", Field: "body", Score: 1}, {Term: "d", Field: "body", Score: 0.5},
	})
	if want := "배포→deploy 3.5, b 3.0, c 1.0"; got != want {
		t.Errorf("terms = %q, want %q", got, want)
	}
}
