package bench

import (
	"slices"
	"testing"

	"github.com/skillgate/skillgate/gate"
)

// decision returns a decision with the given ids as candidates; those with a "+" are injected.
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

func TestMeasure(t *testing.T) {
	search := Prompt{Task: Search, Gold: []string{"gold"}, AlsoOK: []string{"fine"}}
	pair := Prompt{Task: Pair, Helpful: "good", Risky: "sib/bad"}
	boundary := Prompt{Task: Boundary, Gold: []string{"gold"}, AlsoOK: []string{"fine"}, NotAbove: "not"}
	composite := Prompt{Task: Composite, Gold: []string{"a", "b"}, Steps: [][]string{{"a", "a2"}, {"b"}}}
	tests := []struct {
		name string
		p    Prompt
		d    gate.Decision
		k    int
		want map[string]float64 // some of the measures; -1 means absent
	}{
		{"gold first and injected", search, decision(gate.Inject, "+gold", "+x"), 20,
			map[string]float64{"hit@1": 1, "MRR@10": 1, "R@1": 1, "nDCG@1": 1, "MAP": 1, "FC@3": 1, spoken: 1, rightShown: 1}},
		{"also_ok first is a hit, not a strict one", search, decision(gate.Inject, "+fine", "+gold"), 20,
			map[string]float64{"hit@1": 1, "MRR@10": 1, "R@1": 0, "R@3": 1, "nDCG@5": 0.6309, "MAP": 0.5}},
		{"retrieved but silent", search, decision(gate.Silent, "gold"), 20, map[string]float64{"hit@1": 1, spoken: 0, rightShown: 0}},
		{"injected without a right one", search, decision(gate.Inject, "+x", "gold"), 20,
			map[string]float64{"hit@1": 0, "hit@5": 1, "MRR@10": 0.5, spoken: 1, rightShown: 0}},
		{"named by the prompt counts as injected", search, decision(gate.Force, "+gold"), 20, map[string]float64{spoken: 1, rightShown: 1}},
		{"skipped", search, decision(gate.Skip), 20, map[string]float64{"hit@5": 0, "MRR@10": 0, "MRR": 0, "MAP": 0, spoken: 0, rightShown: 0}},
		{"no measure deeper than the list", search, decision(gate.Silent, "gold"), 5,
			map[string]float64{"hit@5": 1, "R@10": -1, "MRR@10": -1, "R@20": -1, "MRR": 1}},
		{"what is injected past the end of the list counts for the gate only", search, decision(gate.Inject, "+x", "+y", "+gold"), 2,
			map[string]float64{"hit@1": 0, "MRR": 0, "MAP": 0, rightShown: 1}},
		{"every step covered by 3", composite, decision(gate.Inject, "+a2", "+x", "+b"), 20,
			map[string]float64{"coverage@5": 1, "coverage@8": 1, "hit@1": 1, "R@3": 0.5, "FC@3": 0, rightShown: 1}},
		{"composite without gold has no recall", Prompt{Task: Composite, Steps: [][]string{{"a"}}}, decision(gate.Inject, "+a"), 20,
			map[string]float64{"coverage@5": 1, "hit@1": 1, "R@3": -1, "MAP": -1, "nDCG@5": -1}},
		{"helpful above risky", pair, decision(gate.Inject, "good", "sib/bad"), 20, map[string]float64{"R@1": 1, "HSR@5": 1, helpfulAbove: 1}},
		{"risky above helpful", pair, decision(gate.Inject, "sib/bad", "good"), 20, map[string]float64{"R@1": 0, "R@5": 1, "HSR@5": 1, helpfulAbove: 0}},
		{"risky not shown", pair, decision(gate.Inject, "x", "good"), 20, map[string]float64{"R@5": 1, "HSR@5": 0, helpfulAbove: 1}},
		{"neither shown is not above", pair, decision(gate.Inject, "x"), 20, map[string]float64{"R@5": 0, "HSR@5": 0, helpfulAbove: 0}},
		{"boundary with the excluded one below", boundary, decision(gate.Inject, "x", "gold", "not"), 20,
			map[string]float64{boundaryRight: 1, "hit@1": 0, "hit@5": 1}},
		{"boundary with the excluded one above", boundary, decision(gate.Inject, "not", "gold"), 20, map[string]float64{boundaryRight: 0}},
		{"boundary with gold sixth", boundary, decision(gate.Inject, "1", "2", "3", "4", "5", "gold"), 20, map[string]float64{boundaryRight: 0, "hit@5": 0}},
		{"boundary wants gold, not also_ok", boundary, decision(gate.Inject, "fine"), 20, map[string]float64{boundaryRight: 0, "hit@1": 1}},
		{"greeting skipped", Prompt{Task: Gate, Kind: kindGreeting}, decision(gate.Skip), 20, map[string]float64{skipped: 1, spoken: 0, wronglySkipped: -1}},
		{"greeting skipped after a search", Prompt{Task: Gate, Kind: kindGreeting}, decision(gate.Skip, "x"), 20, map[string]float64{skipped: 0, spoken: 0}},
		{"command searched and silent", Prompt{Task: Gate, Kind: kindCommand}, decision(gate.Silent, "x"), 20, map[string]float64{skipped: 0, spoken: 0}},
		{"ack injected", Prompt{Task: Gate, Kind: kindAck}, decision(gate.Inject, "+x"), 20, map[string]float64{skipped: 0, spoken: 1}},
		{"native injected", Prompt{Task: Gate, Kind: kindNative}, decision(gate.Inject, "+x"), 20, map[string]float64{spoken: 1, skipped: -1}},
		{"native skipped", Prompt{Task: Gate, Kind: kindNative}, decision(gate.Skip), 20, map[string]float64{spoken: 0}},
		{"work skipped", Prompt{Task: Gate, Kind: kindFalseSkip}, decision(gate.Skip), 20, map[string]float64{wronglySkipped: 1}},
		{"work searched", Prompt{Task: Gate, Kind: kindFalseSkip}, decision(gate.Silent), 20, map[string]float64{wronglySkipped: 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := measure(&tt.p, &tt.d, tt.k)
			for name, want := range tt.want {
				v, ok := got[name]
				if !ok && want != -1 || ok && !near(v, want) {
					t.Errorf("measure(%+v, %v)[%q] = %.4f, %t, want %.4f (-1: absent)", tt.p, ids(tt.d.Candidates), name, v, ok, want)
				}
			}
		})
	}
}

func TestGradesAreForGainOnly(t *testing.T) {
	p := Prompt{Task: Search, Gold: []string{"g"}, Grades: map[string]float64{"g": 3, "half": 1}}
	d := decision(gate.Silent, "half", "g")
	got := measure(&p, &d, 20)
	// dcg = 1 + 3/log2(3) = 2.8928; ideal = 3 + 1/log2(3) = 3.6309
	if !near(got["nDCG@3"], 0.7967) || got["R@1"] != 0 || !near(got["MRR@10"], 0.5) {
		t.Errorf("measure(graded) = nDCG@3 %.4f, R@1 %.1f, MRR@10 %.2f, want .7967, 0, .5", got["nDCG@3"], got["R@1"], got["MRR@10"])
	}
}

// Every measure of a table must be one that measure computes.
func TestMeasuresAreComputed(t *testing.T) {
	d := decision(gate.Inject, "+a")
	d.Candidates[0].Rerank = 1
	have := map[string]bool{excludedShown: true, charsAdded: true} // measures of cases
	for _, p := range []Prompt{
		{Task: Search, Gold: []string{"a"}}, {Task: Composite, Gold: []string{"a"}, Steps: [][]string{{"a"}}},
		{Task: Pair, Helpful: "a", Risky: "b"}, {Task: Boundary, Gold: []string{"a"}, NotAbove: "b"},
		{Task: Gate, Kind: kindAck}, {Task: Gate, Kind: kindFalseSkip},
	} {
		for name := range measure(&p, &d, 50) {
			have[name] = true
		}
	}
	for _, name := range slices.Concat(TableMeasures, suiteMeasures, ownMeasures, retBenchMeasures, skillRouterMeasures, beirMeasures) {
		if !have[name] || !slices.Contains(TableMeasures, name) {
			t.Errorf("%q is not computed, or in no table", name)
		}
	}
}
