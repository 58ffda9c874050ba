package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate"
)

// The least log that a proposal may rest on. With 30 uses the interval of a share
// is still up to 36 points wide; below that a point says nothing.
const (
	minPrompts = 200 // searched prompts
	minUses    = 30  // of which a use is known
)

// ErrSample says that a log is too small to tune on.
var ErrSample = errors.New("too few prompts")

// Thresholds are the settings that tuning moves.
type Thresholds struct {
	ScoreMin float64 `json:"score_min"`
	NeedMin  float64 `json:"need_min"`
	TopK     int     `json:"top_k"`
}

// Point is one choice of thresholds and what it gives on the log.
type Point struct {
	Thresholds
	Injections float64 `json:"injections"` // per 100 searched prompts
	Named      float64 `json:"named"`      // skills named per 100 searched prompts
	Caught     float64 `json:"caught"`     // share of prompts with a known use whose skill is named
}

// Tuning is the trade-off between injections and caught uses.
type Tuning struct {
	Prompts int   `json:"prompts"` // searched
	Known   int   `json:"known"`   // of them, with a known use
	Now     Point `json:"now"`
	Propose Point `json:"proposal"` // the fewest injections that lose no use caught now and name no more

	// The point is chosen on the prompts that measure it. HeldOut chooses on one half
	// and measures on the other, both ways round.
	HeldOut Point `json:"held_out"`
}

// tunable is what thresholds need to know of a prompt.
type tunable struct {
	need   float64
	scores []float32 // of the skills in display order
	right  int       // place of the skill that was used, -1 where it is not a candidate
	known  bool
	steps  bool // several steps: top_k is at least 8
	doubt  bool // gate.Decision.Doubtful
}

// named is how many skills a prompt gets. Skills are not in order of score where
// a request has steps, so each is held against the floor.
func (t *tunable) named(h Thresholds) (n int, caught bool) {
	if t.need < h.NeedMin || t.doubt && t.need < gate.SureNeed(h.NeedMin) {
		return 0, false
	}
	k := h.TopK
	if t.steps {
		k = max(k, gate.CompositeK)
	}
	for i, s := range t.scores {
		if i >= k {
			break
		}
		if float64(s) >= h.ScoreMin {
			n++
			caught = caught || i == t.right
		}
	}
	return n, caught
}

// Tune searches the thresholds named in keys (score_min, need_min, top_k) on the
// prompts of j, whose side B gives the settings now and must list candidates
// whatever their score (K). It fails with ErrSample on too small a log.
func Tune(ctx context.Context, j Job, keys []string) (Tuning, error) {
	var t Tuning
	now := Thresholds{j.B.Settings.ScoreMin, j.B.Settings.NeedMin, j.B.Settings.TopK}
	var rows []tunable
	err := Run(ctx, j, func(r *Result) error {
		d := r.B.Decision
		if r.Skipped != "" || d.Verdict == gate.Skip || d.Verdict == gate.Force || d.Verdict == gate.Error {
			return nil // no threshold concerns them
		}
		row := tunable{need: d.Need, right: -1, known: r.Prompt.Known(), doubt: d.Doubtful}
		best := map[int]float64{} // by step
		for i := range d.Candidates {
			c := &d.Candidates[i]
			if c.Pool == "agent" {
				continue
			}
			if best[c.Step] = max(best[c.Step], c.Score); c.Score < gate.FarBelow*best[c.Step] {
				continue // no threshold names it
			}
			if row.right < 0 && row.known && r.Prompt.right(c) {
				row.right = len(row.scores)
			}
			row.steps = row.steps || c.Step > 0
			row.scores = append(row.scores, float32(c.Score))
		}
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return t, err
	}
	t.Prompts = len(rows)
	for i := range rows {
		t.Known += one(rows[i].known)
	}
	if t.Prompts < minPrompts || t.Known < minUses {
		return t, fmt.Errorf("%d searched prompts, %d with a known use; want %d and %d: %w", t.Prompts, t.Known, minPrompts,
			minUses, ErrSample)
	}
	grid := thresholds(rows, now, keys)
	t.Now = measure(rows, now)
	points := make([]Point, len(grid))
	for i, h := range grid {
		points[i] = measure(rows, h)
	}
	t.Propose = choose(points, t.Now)
	t.HeldOut = heldOut(rows, grid, now)
	return t, nil
}

// steps of a grid: enough to draw a curve, few enough for a bootstrap.
const gridSteps = 25

// thresholds returns the grid: quantiles of what the log holds for each key, and
// the value now.
func thresholds(rows []tunable, now Thresholds, keys []string) []Thresholds {
	scores, needs, tops := []float64{now.ScoreMin}, []float64{now.NeedMin}, []int{now.TopK}
	for _, key := range keys {
		switch key {
		case "score_min":
			var all []float64
			for i := range rows {
				if len(rows[i].scores) > 0 {
					all = append(all, float64(rows[i].scores[0]))
				}
			}
			scores = append(scores, quantiles(all, 10)...)
		case "need_min":
			var all []float64
			for i := range rows {
				all = append(all, rows[i].need)
			}
			needs = append(needs, quantiles(all, 1000)...)
		case "top_k":
			tops = append(tops, 1, 2, 3, 4, 5, 6, 8, 10)
		}
	}
	unique := func(v []float64) []float64 { slices.Sort(v); return slices.Compact(v) }
	slices.Sort(tops)
	var out []Thresholds
	for _, s := range unique(scores) {
		for _, n := range unique(needs) {
			for _, k := range slices.Compact(tops) {
				out = append(out, Thresholds{s, n, k})
			}
		}
	}
	return out
}

// quantiles returns evenly spread values of v, cut off after 1/unit.
func quantiles(v []float64, unit float64) []float64 {
	if len(v) == 0 {
		return nil
	}
	slices.Sort(v)
	out := []float64{0}
	for i := range gridSteps {
		x := v[i*(len(v)-1)/(gridSteps-1)]
		out = append(out, math.Floor(x*unit)/unit)
	}
	return out
}

func measure(rows []tunable, h Thresholds) Point {
	p := Point{Thresholds: h}
	var fires, named, caught, known int
	for i := range rows {
		n, hit := rows[i].named(h)
		fires += one(n > 0)
		named += n
		known += one(rows[i].known)
		caught += one(hit)
	}
	if len(rows) > 0 {
		p.Injections = 100 * float64(fires) / float64(len(rows))
		p.Named = 100 * float64(named) / float64(len(rows))
	}
	if known > 0 {
		p.Caught = float64(caught) / float64(known)
	}
	return p
}

// choose returns the point with the fewest injections, then the fewest names,
// that catches no less than now and names no more.
func choose(points []Point, now Point) Point {
	best := now
	for _, p := range points {
		if p.Caught < now.Caught || p.Named > now.Named {
			continue
		}
		if p.Injections < best.Injections || p.Injections == best.Injections && p.Named < best.Named {
			best = p
		}
	}
	return best
}

// heldOut chooses on every other prompt and measures on the rest, both ways.
// Prompts with and without a known use are dealt out apart, so that both halves
// have as many.
func heldOut(rows []tunable, grid []Thresholds, now Thresholds) Point {
	var halves [2][]tunable
	var dealt [2]int
	for i := range rows {
		kind := one(rows[i].known)
		half := dealt[kind] % 2
		dealt[kind]++
		halves[half] = append(halves[half], rows[i])
	}
	var sum Point
	known := 0.0
	for i, half := range halves {
		points := make([]Point, len(grid))
		for g, h := range grid {
			points[g] = measure(half, h)
		}
		rest := halves[1-i]
		p := measure(rest, choose(points, measure(half, now)).Thresholds)
		n := 0.0
		for r := range rest {
			n += float64(one(rest[r].known))
		}
		sum.Injections += p.Injections * float64(len(rest)) / float64(len(rows))
		sum.Named += p.Named * float64(len(rest)) / float64(len(rows))
		sum.Caught += p.Caught * n
		known += n
	}
	if known > 0 {
		sum.Caught /= known
	}
	return sum
}
