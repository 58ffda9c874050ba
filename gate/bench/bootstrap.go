package bench

import (
	"math/rand/v2"

	"github.com/skillgate/skillgate/gate/outcome"
)

const (
	resamples     = 10_000 // the ends of a 95 % interval then move by about 0.02 standard errors between seeds
	bootstrapSeed = 20_250_701
)

// Difference compares one measure of two runs over the prompts that both have it for.
type Difference struct {
	Set     string  `json:"set"`
	Task    Task    `json:"task"`
	Measure string  `json:"measure"`
	N       int     `json:"n"`
	Before  float64 `json:"before"`
	After   float64 `json:"after"`
	Delta   float64 `json:"delta"` // After - Before
	Low     float64 `json:"low"`   // 95 % interval of Delta
	High    float64 `json:"high"`
	Better  int     `json:"better"` // prompts whose value is a better one after
	Worse   int     `json:"worse"`
}

// Compare pairs the outcomes of two runs by set, task and id and returns, for
// each section of after and each of its measures, the difference of the means
// with a percentile interval from a paired bootstrap: prompts are drawn with
// replacement, 10,000 times, from a fixed seed.
func Compare(before, after *Report) []Difference {
	old := byKey(before.Outcomes)
	var out []Difference
	for _, s := range after.Sections {
		if s.Set == "" {
			continue // sums of other sections
		}
		for _, name := range s.Measures {
			d := Difference{Set: s.Set, Task: s.Task, Measure: name}
			var deltas []float64
			for _, o := range after.Outcomes {
				if o.Set != s.Set || o.Task != s.Task {
					continue
				}
				was, ok := old[keyOf(o)]
				if !ok {
					continue
				}
				x, ok1 := was.Values[name]
				y, ok2 := o.Values[name]
				if !ok1 || !ok2 {
					continue
				}
				d.Before += x
				d.After += y
				deltas = append(deltas, y-x)
				if y != x {
					if (y > x) != lowerIsBetter(name) {
						d.Better++
					} else {
						d.Worse++
					}
				}
			}
			if len(deltas) == 0 {
				continue
			}
			d.N = len(deltas)
			d.Before /= float64(d.N)
			d.After /= float64(d.N)
			d.Delta = d.After - d.Before
			d.Low, d.High = Interval(deltas)
			out = append(out, d)
		}
	}
	return out
}

// Interval returns the 95 % percentile interval of the mean of paired differences,
// one a prompt, as Compare has it.
func Interval(deltas []float64) (low, high float64) {
	return interval(deltas, resamples, bootstrapSeed)
}

// interval is the 95 % percentile interval of the mean of deltas over n resamples.
func interval(deltas []float64, n int, seed uint64) (low, high float64) {
	rng := rand.New(rand.NewPCG(seed, uint64(len(deltas))))
	means := make([]float64, n)
	for i := range means {
		sum := 0.0
		for range deltas {
			sum += deltas[rng.IntN(len(deltas))]
		}
		means[i] = sum / float64(len(deltas))
	}
	return outcome.Middle(means)
}

type outcomeKey struct {
	set  string
	task Task
	id   string
}

func keyOf(o Outcome) outcomeKey { return outcomeKey{o.Set, o.Task, o.ID} }

func byKey(outcomes []Outcome) map[outcomeKey]Outcome {
	m := make(map[outcomeKey]Outcome, len(outcomes))
	for _, o := range outcomes {
		m[keyOf(o)] = o
	}
	return m
}
