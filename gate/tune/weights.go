// Package tune fits the numbers of ranking and of the gate to labelled prompts.
//
// Weights are fitted by coordinate ascent: each weight in turn is tried at a few
// multiples of itself, and the best is kept. The objective is the mean over sets
// of the mean gain over prompts, where a prompt whose first right skill is at
// rank r gains 1/log2(1+r), nothing beyond rank 20 (nDCG with one relevant
// document). Everything is deterministic.
package tune

import (
	"context"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/rank"
)

// Prompt is one labelled prompt: its text as the gate searches it, and the IDs
// that are right.
type Prompt struct {
	Text  string
	Right map[string]bool
}

// Set is one library and its prompts.
type Set struct {
	Name    string
	Prompts []Prompt
	Ranker  *rank.Ranker
	ID      func(doc uint32) string // of a document
}

const depth = 20

func gain(r int) float64 {
	if r < 1 || r > depth {
		return 0
	}
	return 1 / math.Log2(1+float64(r))
}

// Ranks returns, set by set, the rank of each prompt's first right skill (0:
// beyond depth) with weights w.
func Ranks(ctx context.Context, sets []Set, w rank.Weights) ([][]int, error) {
	out := make([][]int, len(sets))
	for i, s := range sets {
		s.Ranker.Weights = w
		out[i] = make([]int, len(s.Prompts))
		for j, p := range s.Prompts {
			at, err := s.firstRight(ctx, p)
			if err != nil {
				return nil, err
			}
			out[i][j] = at
		}
	}
	return out, nil
}

func (s *Set) firstRight(ctx context.Context, p Prompt) (int, error) {
	res, err := s.Ranker.Search(ctx, s.Ranker.Parse(p.Text))
	if err != nil {
		return 0, err
	}
	for i, h := range s.Ranker.Top(&res, depth, nil) {
		if p.Right[s.ID(h.Doc)] {
			return i + 1, nil
		}
	}
	return 0, nil
}

// Objective is the mean over sets of the mean gain of their prompts.
func Objective(ranks [][]int) float64 {
	total := 0.0
	for _, set := range ranks {
		for _, r := range set {
			total += gain(r) / float64(len(set))
		}
	}
	return total / float64(max(len(ranks), 1))
}

// HitAt returns the share of prompts with a right skill in the first k.
func HitAt(ranks []int, k int) float64 {
	hits := 0
	for _, r := range ranks {
		if r >= 1 && r <= k {
			hits++
		}
	}
	return float64(hits) / float64(max(len(ranks), 1))
}

var steps = []float64{0.5, 0.75, 0.9, 1.1, 1.33, 2}

// minGain is the least improvement of the objective that counts: below it a step
// fits a single prompt.
const minGain = 0.0004

// Weights climbs from start and returns the best weights found. names limits
// what is tuned (nil: everything). progress is told each improvement; nil: no one.
func Weights(ctx context.Context, sets []Set, start rank.Weights, names []string, passes int,
	progress func(name string, value, objective float64)) (rank.Weights, error) {
	best := start
	ranks, err := Ranks(ctx, sets, best)
	if err != nil {
		return best, err
	}
	top := Objective(ranks)
	for range passes {
		before := top
		for _, name := range best.Names() {
			if names != nil && !slices.Contains(names, name) {
				continue
			}
			value, lo, hi, _ := best.Get(name)
			pick, pickTop := value, top
			for _, step := range steps {
				v := min(max(value*step, lo), hi)
				if value == 0 {
					v = min(max(0.05*step, lo), hi)
				}
				trial := best
				if err := trial.Set(name, v); err != nil {
					return best, err
				}
				if ranks, err = Ranks(ctx, sets, trial); err != nil {
					return best, err
				}
				if o := Objective(ranks); o > pickTop+minGain {
					pick, pickTop = v, o
				}
			}
			if pick != value {
				if err := best.Set(name, pick); err != nil {
					return best, err
				}
				top = pickTop
				if progress != nil {
					progress(name, pick, top)
				}
			}
		}
		if top-before < minGain {
			break
		}
	}
	return best, nil
}
