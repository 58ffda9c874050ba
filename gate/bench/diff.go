package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Change is a prompt that two runs treat differently.
type Change struct {
	Set    string `json:"set"`
	Task   Task   `json:"task"`
	ID     string `json:"id"`
	Query  string `json:"query"`
	Better bool   `json:"better"`
	Before string `json:"before"` // what was right, wrong and at what places
	After  string `json:"after"`
}

// Diff is what changed between two runs.
type Diff struct {
	Changes     []Change     `json:"changes"`
	Same        int          `json:"same"` // prompts in both whose answer is the same
	Only        int          `json:"only"` // prompts that only one of the runs has
	Differences []Difference `json:"differences"`
}

// DiffReports lists the prompts that got better or worse from before to after,
// worse ones first, each group in the order of after.
func DiffReports(before, after *Report) Diff {
	old := byKey(before.Outcomes)
	d := Diff{Differences: Compare(before, after)}
	var better []Change
	both := 0
	for _, o := range after.Outcomes {
		was, ok := old[keyOf(o)]
		if !ok {
			d.Only++
			continue
		}
		both++
		order := slices.Compare(standing(&was), standing(&o))
		c := Change{Set: o.Set, Task: o.Task, ID: o.ID, Query: o.Query, Better: order < 0, Before: describe(&was),
			After: describe(&o)}
		switch {
		case order == 0:
			d.Same++
		case order < 0:
			better = append(better, c)
		default:
			d.Changes = append(d.Changes, c)
		}
	}
	d.Only += len(before.Outcomes) - both
	d.Changes = append(d.Changes, better...)
	return d
}

// standing orders outcomes of one prompt: the larger, element by element, the better.
func standing(o *Outcome) []float64 {
	switch o.Task {
	case Gate:
		v := 0.0
		for name, value := range o.Values {
			if lowerIsBetter(name) {
				value = -value
			}
			v += value
		}
		return []float64{v}
	case Pair:
		return []float64{o.Values[helpfulAbove], reciprocal(o.best("helpful"), maxPlace),
			-reciprocal(o.best("risky"), maxPlace)}
	case Boundary:
		return []float64{o.Values[boundaryRight], reciprocal(o.best("gold"), maxPlace),
			-reciprocal(o.best("not_above"), maxPlace)}
	case Composite:
		covered, sum := 0.0, 0.0
		for _, r := range o.stepRanks() {
			covered += within(r, compositePlaces)
			sum += reciprocal(r, maxPlace)
		}
		return []float64{covered, o.Values[gatedHit], sum}
	}
	return []float64{o.Values[gatedHit], reciprocal(o.best("gold", "also_ok"), maxPlace)}
}

const (
	maxPlace        = 1 << 30
	compositePlaces = 8 // how many skills a composite request is shown
)

func stepName(i int) string { return fmt.Sprintf("step %d", i+1) }

// describe says in a few words what became of a prompt.
func describe(o *Outcome) string {
	verdict := string(o.Verdict)
	if o.Reason != "" {
		verdict += " " + string(o.Reason)
	}
	switch o.Task {
	case Gate:
		return verdict
	case Pair:
		return fmt.Sprintf("helpful %s, risky %s", PlaceName(o.best("helpful")), PlaceName(o.best("risky")))
	case Boundary:
		return fmt.Sprintf("gold %s, not_above %s", PlaceName(o.best("gold")), PlaceName(o.best("not_above")))
	case Composite:
		var places []string
		for _, r := range o.stepRanks() {
			places = append(places, PlaceName(r))
		}
		return fmt.Sprintf("steps %s, %s", strings.Join(places, " "), verdict)
	}
	return fmt.Sprintf("%s, %s", PlaceName(o.best("gold", "also_ok")), verdict)
}

// PlaceName says where a skill is ranked, 0 for nowhere.
func PlaceName(rank int) string {
	if rank == 0 {
		return "–"
	}
	return fmt.Sprintf("#%d", rank)
}

// best is the first place of the labels of the given roles, 0 for none.
func (o *Outcome) best(as ...string) int {
	best := 0
	for _, l := range o.Labels {
		if slices.Contains(as, l.As) && l.Rank > 0 && (best == 0 || l.Rank < best) {
			best = l.Rank
		}
	}
	return best
}

// stepRanks is the first place of each step, in order.
func (o *Outcome) stepRanks() []int {
	var ranks []int
	for i := 0; ; i++ {
		name := stepName(i)
		if !slices.ContainsFunc(o.Labels, func(l Label) bool { return l.As == name }) {
			return ranks
		}
		ranks = append(ranks, o.best(name))
	}
}
