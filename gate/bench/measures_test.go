package bench

import (
	"testing"

	"github.com/skillgate/skillgate/gate"
)

// decision is one with the given ids ranked; those with a "+" are injected.
func decision(verdict gate.Verdict, ids ...string) gate.Decision {
	d := gate.Decision{Verdict: verdict, Need: 0.5}
	for i, id := range ids {
		injected := id[0] == '+'
		if injected {
			id = id[1:]
		}
		d.Candidates = append(d.Candidates, gate.Candidate{
			Rank: i + 1, ID: id, Score: float64(20 - i), Injected: injected,
			Matched: []gate.Match{{Term: "word-" + id, Field: "name", Score: float64(20 - i)}},
		})
	}
	return d
}

func never(a, b string) bool { return false }

func TestMeasure(t *testing.T) {
	copies := func(a, b string) bool { return a == "gold" && b == "copy" || a == "copy" && b == "gold" }
	search := Prompt{Task: Search, Gold: []string{"gold"}, AlsoOK: []string{"fine", "copy"}}
	pair := Prompt{Task: Pair, Helpful: "good", Risky: "sib/bad"}
	boundary := Prompt{Task: Boundary, Gold: []string{"gold"}, AlsoOK: []string{"fine"}, NotAbove: "not"}
	composite := Prompt{Task: Composite, Gold: []string{"a", "b"}, Steps: [][]string{{"a", "a2"}, {"b"}}}
	tests := []struct {
		name string
		p    Prompt
		d    gate.Decision
		k    int
		want map[string]float64 // some of the measures; -1: must not be there
	}{
		{
			"gold first and injected", search, decision(gate.Inject, "+gold", "+x"), 20,
			map[string]float64{"hit@1": 1, "strict hit@1": 1, "MRR@10": 1, "R@1": 1, "nDCG@1": 1, "MAP": 1, "FC@3": 1, injected: 1, gatedHit: 1},
		},
		{
			"also_ok first is a hit, not a strict one", search, decision(gate.Inject, "+fine", "+gold"), 20,
			map[string]float64{"hit@1": 1, "strict hit@1": 0, "strict hit@5": 1, "MRR@10": 1, "R@1": 0, "R@3": 1, "nDCG@5": 0.6309, "MAP": 0.5},
		},
		{
			"a copy in also_ok stands for gold in recall", search, decision(gate.Inject, "+copy"), 20,
			map[string]float64{"hit@1": 1, "strict hit@1": 0, "R@1": 1, "FC@3": 1, "nDCG@1": 1},
		},
		{
			"retrieved but silent", search, decision(gate.Silent, "gold"), 20,
			map[string]float64{"hit@1": 1, injected: 0, gatedHit: 0},
		},
		{
			"injected without a right one", search, decision(gate.Inject, "+x", "gold"), 20,
			map[string]float64{"hit@1": 0, "hit@3": 1, "MRR@10": 0.5, injected: 1, gatedHit: 0},
		},
		{
			"named by the prompt counts as injected", search, decision(gate.Force, "+gold"), 20,
			map[string]float64{injected: 1, gatedHit: 1},
		},
		{
			"skipped", search, decision(gate.Skip), 20,
			map[string]float64{"hit@20": 0, "MRR@10": 0, "MRR": 0, "MAP": 0, injected: 0, gatedHit: 0},
		},
		{
			"no measure deeper than the list", search, decision(gate.Silent, "gold"), 5,
			map[string]float64{"hit@5": 1, "hit@10": -1, "MRR@10": -1, "R@20": -1, "MRR": 1},
		},
		{
			"what is injected past the end of the list counts for the gate only", search, decision(gate.Inject, "+x", "+y", "+gold"), 2,
			map[string]float64{"hit@1": 0, "MRR": 0, "MAP": 0, gatedHit: 1},
		},
		{
			"every step covered by 3", composite, decision(gate.Inject, "+a2", "+x", "+b"), 20,
			map[string]float64{"coverage@3": 1, "coverage@8": 1, "hit@1": 1, "strict hit@1": 0, "R@3": 0.5, "FC@3": 0, gatedHit: 1},
		},
		{
			"composite without gold has no recall", Prompt{Task: Composite, Steps: [][]string{{"a"}}}, decision(gate.Inject, "+a"), 20,
			map[string]float64{"coverage@3": 1, "hit@1": 1, "R@3": -1, "MAP": -1, "nDCG@5": -1},
		},
		{
			"helpful above risky", pair, decision(gate.Inject, "good", "sib/bad"), 20,
			map[string]float64{"R@1": 1, "HSR@1": 0, "HSR@3": 1, helpfulAbove: 1, injected: -1},
		},
		{
			"risky above helpful", pair, decision(gate.Inject, "sib/bad", "good"), 20,
			map[string]float64{"R@1": 0, "R@5": 1, "HSR@1": 1, helpfulAbove: 0},
		},
		{
			"risky not shown", pair, decision(gate.Inject, "x", "good"), 20,
			map[string]float64{"R@5": 1, "HSR@10": 0, helpfulAbove: 1},
		},
		{
			"neither shown is not above", pair, decision(gate.Inject, "x"), 20,
			map[string]float64{"R@5": 0, "HSR@5": 0, helpfulAbove: 0},
		},
		{
			"boundary with the excluded one below", boundary, decision(gate.Inject, "x", "gold", "not"), 20,
			map[string]float64{boundaryRight: 1, "hit@1": 0, "hit@5": 1},
		},
		{
			"boundary with the excluded one above", boundary, decision(gate.Inject, "not", "gold"), 20,
			map[string]float64{boundaryRight: 0},
		},
		{
			"boundary with gold sixth", boundary, decision(gate.Inject, "1", "2", "3", "4", "5", "gold"), 20,
			map[string]float64{boundaryRight: 0, "hit@5": 0},
		},
		{
			"boundary wants gold, not also_ok", boundary, decision(gate.Inject, "fine"), 20,
			map[string]float64{boundaryRight: 0, "hit@1": 1},
		},
		{
			"greeting skipped", Prompt{Task: Gate, Kind: kindGreeting}, decision(gate.Skip), 20,
			map[string]float64{skipped: 1, chatInjected: 0, nativeInjected: -1},
		},
		{
			"greeting skipped after a search", Prompt{Task: Gate, Kind: kindGreeting}, decision(gate.Skip, "x"), 20,
			map[string]float64{skipped: 0, chatInjected: 0},
		},
		{
			"command searched and silent", Prompt{Task: Gate, Kind: kindCommand}, decision(gate.Silent, "x"), 20,
			map[string]float64{skipped: 0, chatInjected: 0},
		},
		{
			"ack injected", Prompt{Task: Gate, Kind: kindAck}, decision(gate.Inject, "+x"), 20,
			map[string]float64{skipped: 0, chatInjected: 1},
		},
		{
			"native injected", Prompt{Task: Gate, Kind: kindNative}, decision(gate.Inject, "+x"), 20,
			map[string]float64{nativeInjected: 1, skipped: -1, injected: -1},
		},
		{
			"native skipped", Prompt{Task: Gate, Kind: kindNative}, decision(gate.Skip), 20,
			map[string]float64{nativeInjected: 0},
		},
		{
			"work skipped", Prompt{Task: Gate, Kind: kindFalseSkip}, decision(gate.Skip), 20,
			map[string]float64{wronglySkipped: 1},
		},
		{
			"work searched", Prompt{Task: Gate, Kind: kindFalseSkip}, decision(gate.Silent), 20,
			map[string]float64{wronglySkipped: 0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := measure(&tt.p, &tt.d, tt.k, copies)
			for name, want := range tt.want {
				v, ok := got[name]
				if !ok && want != -1 || ok && !near(v, want) {
					t.Errorf("measure(%+v, %v)[%q] = %.4f, %t, want %.4f (-1: absent)", tt.p, ids(tt.d.Candidates), name, v, ok, want)
				}
			}
		})
	}
}

func TestACopyStandsForOneGoldOnly(t *testing.T) {
	all := func(a, b string) bool { return true }
	p := Prompt{Task: Search, Gold: []string{"a", "b"}, AlsoOK: []string{"c"}}
	d := decision(gate.Silent, "c")
	got := measure(&p, &d, 20, all)
	if !near(got["R@10"], 0.5) || got["nDCG@10"] > 1 {
		t.Errorf("measure(gold a b, copy c at 1) = R@10 %.2f, nDCG@10 %.2f, want R@10 .5, nDCG@10 at most 1", got["R@10"], got["nDCG@10"])
	}
}

func TestGradesAreForGainOnly(t *testing.T) {
	p := Prompt{Task: Search, Gold: []string{"g"}, Grades: map[string]float64{"g": 3, "half": 1}}
	d := decision(gate.Silent, "half", "g")
	got := measure(&p, &d, 20, never)
	// dcg = 1 + 3/log2(3) = 2.8928; ideal = 3 + 1/log2(3) = 3.6309
	if !near(got["nDCG@3"], 0.7967) || got["R@1"] != 0 || !near(got["MRR@10"], 0.5) {
		t.Errorf("measure(graded) = nDCG@3 %.4f, R@1 %.1f, MRR@10 %.2f, want .7967, 0, .5", got["nDCG@3"], got["R@1"], got["MRR@10"])
	}
}

// TestMeasuresAreComputed guards the names: what a table would show must be
// what measure writes.
func TestMeasuresAreComputed(t *testing.T) {
	d := decision(gate.Inject, "+a")
	prompts := map[Task][]Prompt{
		Search:    {{Task: Search, Gold: []string{"a"}}},
		Composite: {{Task: Composite, Gold: []string{"a"}, Steps: [][]string{{"a"}}}},
		Pair:      {{Task: Pair, Helpful: "a", Risky: "b"}},
		Boundary:  {{Task: Boundary, Gold: []string{"a"}, NotAbove: "b"}},
		Gate:      {{Task: Gate, Kind: kindAck}, {Task: Gate, Kind: kindNative}, {Task: Gate, Kind: kindFalseSkip}, {Task: Search, Gold: []string{"a"}}},
	}
	for task, list := range prompts {
		have := map[string]bool{}
		for i := range list {
			for name := range measure(&list[i], &d, 50, never) {
				have[name] = true
			}
		}
		styles := []Style{Own}
		if task == Search {
			styles = []Style{Own, SkillRetBench, SkillRouter, BEIR}
		}
		for _, style := range styles {
			names := Measures(task, style, 50)
			if len(names) == 0 {
				t.Errorf("Measures(%s, %q, 50) is empty", task, style)
			}
			for _, name := range names {
				if !have[name] {
					t.Errorf("Measures(%s, %q, 50) has %q, which measure does not compute", task, style, name)
				}
			}
		}
	}
}
