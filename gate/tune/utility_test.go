package tune

import (
	"math/rand/v2"
	"testing"

	"github.com/skillgate/skillgate/gate/ltr"
)

// choicesBy makes choices in which the candidate with most of feature f is right,
// with the score saying nothing.
func choicesBy(f ltr.Feature, n int) []Choice {
	rng := rand.New(rand.NewPCG(1, 2))
	var out []Choice
	for i := range n {
		c := Choice{Fold: i % 5, X: make([]ltr.Features, 6), Right: make([]bool, 6)}
		best := 0
		for j := range c.X {
			c.X[j][ltr.Score] = -rng.Float64()
			c.X[j][ltr.Cost] = rng.Float64()
			c.X[j][f] = rng.Float64()
			if c.X[j][f] > c.X[best][f] {
				best = j
			}
		}
		c.Right[best] = true
		out = append(out, c)
	}
	return out
}

func TestUtilityLearnsWhatDecides(t *testing.T) {
	choices := choicesBy(ltr.Intent, 200)
	ranks := CrossValidateUtility(choices, 1)
	before := make([]int, len(choices))
	for i, c := range choices {
		before[i] = FirstRight(nil, c)
	}
	if got, was := HitAt(ranks, 1), HitAt(before, 1); got < 0.9 || was > 0.4 {
		t.Errorf("hit@1, cross-validated = %.2f, of the order that was %.2f, want at least .9 over at most .4", got, was)
	}
	m := Utility(choices, 1)
	if m[ltr.Intent] <= m[ltr.Cost] || m[ltr.Intent] <= 0 {
		t.Errorf("weights of intent %v and cost %v, want the first positive and the larger", m[ltr.Intent], m[ltr.Cost])
	}
	if again := Utility(choices, 1); *again != *m {
		t.Errorf("Utility of the same choices = %v, then %v", m, again)
	}
}

func TestUtilityWithoutEvidenceKeepsTheOrder(t *testing.T) {
	choices := choicesBy(ltr.Intent, 20)
	for name, given := range map[string][]Choice{
		"no choices":                 nil,
		"no right candidate":         {{X: choices[0].X, Right: make([]bool, 6)}},
		"a penalty beyond all doubt": choices,
	} {
		m := Utility(given, 1e9)
		var worse, better ltr.Features
		worse[ltr.Score], worse[ltr.Intent] = -0.1, 1
		if m.Utility(&better) <= m.Utility(&worse) {
			t.Errorf("%s: utility %v of the better score, %v of the worse, want the order of the scores", name, m.Utility(&better), m.Utility(&worse))
		}
	}
}

func TestFirstRight(t *testing.T) {
	c := Choice{X: make([]ltr.Features, 3), Right: []bool{false, false, true}}
	c.X[2][ltr.Intent] = 1
	var m ltr.Model
	m[ltr.Intent] = 1
	if got := FirstRight(nil, c); got != 3 {
		t.Errorf("FirstRight in the order that was = %d, want 3", got)
	}
	if got := FirstRight(&m, c); got != 1 {
		t.Errorf("FirstRight in the model's order = %d, want 1", got)
	}
	if got := FirstRight(&m, Choice{X: c.X, Right: make([]bool, 3)}); got != 0 {
		t.Errorf("FirstRight without a right one = %d, want 0", got)
	}
}
