package findable

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Model is the two logistic models of an estimate: that a request finds the skill first,
// and among the first five.
type Model [2]struct {
	Bias    float64
	Weights Features
}

//go:embed weights.txt
var weightsText string

// checkedIn is the model of the weights file, which a test reads.
var checkedIn = sync.OnceValue(func() Model {
	m, _ := parseModel(weightsText)
	return m
})

// parseModel reads a weights file: lines of a feature's name, or bias, with its weights in
// both models; "#" begins a comment.
func parseModel(text string) (Model, error) {
	var m Model
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 3 {
			return m, fmt.Errorf("findable: weights: %q: want a name and two numbers", strings.TrimSpace(line))
		}
		for i := range m {
			v, err := strconv.ParseFloat(fields[i+1], 64)
			if err != nil {
				return m, fmt.Errorf("findable: weights: %s: %w", fields[0], err)
			}
			if fields[0] == "bias" {
				m[i].Bias = v
				continue
			}
			f := slices.Index(featureNames[:], fields[0])
			if f < 0 {
				return m, fmt.Errorf("findable: weights: there is no feature %q", fields[0])
			}
			m[i].Weights[f] = v
		}
	}
	return m, nil
}

// String returns m as a weights file.
func (m Model) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %9.4f %9.4f\n", "bias", m[0].Bias, m[1].Bias)
	for f, name := range featureNames {
		fmt.Fprintf(&b, "%-16s %9.4f %9.4f\n", name, m[0].Weights[f], m[1].Weights[f])
	}
	return b.String()
}

// Estimate is how surely requests for a skill find it.
type Estimate struct {
	First   float64 // share of users' requests for it that it is first for
	Five    float64 // share that it is among the first five for
	Own     int     // requests of its own that this rests on
	Given   int     // requests that are known to be meant for it
	Written int     // requests that a model wrote for it
}

// PriorWeight is how many given requests the models' estimate counts as much as; what
// predicts the other half of authors' trigger files best (skillgate-dev train grade).
const PriorWeight = 4

// WrittenFind is how often requests that a model wrote find their skill, as a share of how often
// people's do: .428 of .663 first in library-ko (skillgate-dev train grade). A written request
// that does not find its skill says so much less against it.
const WrittenFind = 0.65

// Estimate returns what the checked-in model makes of the evidence.
func (ev *Evidence) Estimate() Estimate {
	m := checkedIn()
	return m.Of(ev)
}

// Of returns the model's estimate.
func (m *Model) Of(ev *Evidence) Estimate {
	p := [2]float64{}
	for i := range m {
		z := m[i].Bias
		for f, v := range ev.X {
			z += m[i].Weights[f] * v
		}
		p[i] = 1 / (1 + math.Exp(-z))
	}
	return Estimate{First: p[0], Five: max(p[0], p[1])}.With(ev.Requests)
}

// With returns a model's estimate, weighed against what requests that were not taken from the
// skill's text find.
func (e Estimate) With(requests []Request) Estimate {
	var first, five float64
	for _, r := range requests {
		switch r.Kind {
		case Given:
			e.Given++
		case Written:
			e.Written++
		default:
			e.Own++
			continue
		}
		if r.Place == 1 {
			first++
		}
		if r.Place <= 5 {
			five++
		}
	}
	weigh := func(p, hits float64) float64 {
		hits += float64(e.Written) * p * (1 - WrittenFind)
		return min(1, (PriorWeight*p+hits)/(PriorWeight+float64(e.Given+e.Written)))
	}
	e.First = weigh(e.First, first)
	e.Five = max(e.First, weigh(e.Five, five))
	return e
}

// Grades are the letters of estimates, best first.
var Grades = []string{"A", "B", "C"}

// Grade is the letter of an estimate that a request finds the skill first: A from 70 %, B
// from 60 %, C below. Narrower ranges do not tell more: what other people's prompts found
// for each letter is in testdata/figures/grade.txt.
func (e Estimate) Grade() string {
	switch {
	case e.First >= 0.7:
		return Grades[0]
	case e.First >= 0.6:
		return Grades[1]
	}
	return Grades[2]
}
