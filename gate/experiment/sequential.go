package experiment

import (
	"math"

	"github.com/skillgate/skillgate/gate/outcome"
)

// The test statistic is the standardised difference between the arms, as a function of t, the share of planned prompts
// that have ended. Without an effect it is a Brownian motion W on [0, 1]. The test ends at a flat boundary:
//
//	P(sup |W(t)| ≥ boundary) = .046           at any number of looks
//	P(sup W(t) + drift·t ≥ boundary) = .815   at the planned effect
//
// The values leave a margin to .05 and .80, because with few units or shares near 0 the statistic is only close to W;
// TestWholeTable simulates this. Both values follow from the reflection principle (Siegmund, Sequential Analysis, 1985,
// chapter 3; the boundary is the limit of O'Brien and Fleming's, 1979):
// 1 − Σ (−1)^k [Φ((2k+1)b) − Φ((2k−1)b)], and Φ(d−b) + e^(2db) Φ(−b−d). Looking all the time costs
// about 5 % more prompts than looking once.
const (
	boundary = 2.29
	drift    = 2.99
)

// Case is one prompt of the experiment whose turn has ended.
type Case struct {
	Unit string // session ID with BySession, "" with ByPrompt
	Held bool   // its suggestion was withheld
	Hit  bool   // the model used a skill of the suggestion, whether the suggestion was given or withheld
}

// Finding is the result of a test.
type Finding string

const (
	Running Finding = "running" // no result yet
	Helps   Finding = "helps"
	Hurts   Finding = "hurts"
	Nothing Finding = "nothing" // no difference as large as Plan.Effect
)

// Test is the state of an experiment's sequential test.
type Test struct {
	Found      Finding      `json:"found"`
	Cases      int          `json:"cases"`      // number of cases up to the end of the test
	Hinted     outcome.Rate `json:"hinted"`     // share of hits among prompts with a suggestion
	Held       outcome.Rate `json:"held"`       // share of hits among prompts whose suggestion was withheld
	Difference float64      `json:"difference"` // Hinted - Held
	Low        float64      `json:"low"`        // 95 % interval of Difference, valid at any number of looks
	High       float64      `json:"high"`
	Done       float64      `json:"done"`   // share of the planned prompts that have ended
	Needed     int          `json:"needed"` // planned prompts that have not ended
}

// Prompts returns the number of finished prompts that an experiment needs to detect effect with a power of .8. It
// assumes shares near a half, the worst case, and adds a few prompts because their variance must be estimated. alike is
// the design effect of the units; it is 1 with ByPrompt.
func Prompts(share, effect, alike float64) int {
	const more = 4 // additional prompts if both arms are equally large
	return int(math.Ceil(alike * (drift*drift*0.25/(effect*effect) + more) / (share * (1 - share))))
}

type sums struct {
	n, hits    [2]float64             // cases and hits by arm: hinted, held
	drawn      [2]int                 // number of units by arm
	units      map[string]*[2]float64 // hits and cases by unit
	yy, yn, nn float64                // sums over units: hits², hits·cases, cases²
}

// Run tests cases in chronological order and stops when the test ends, at the latest at the planned number of prompts.
// It is the score test for a difference of shares under random assignment. The variance is estimated from the squared
// residuals of whole units, so units may differ in size.
func Run(p *Plan, cases []Case) Test {
	s := sums{units: map[string]*[2]float64{}}
	t := Test{Found: Running}
	size := p.Prompts
	for i := range cases {
		s.add(&cases[i])
		difference, information := s.difference()
		z := difference * math.Sqrt(information*float64(i+1)/float64(size))
		switch {
		case z >= boundary:
			t.Found = Helps
		case z <= -boundary:
			t.Found = Hurts
		case i+1 == size:
			t.Found = Nothing
		}
		if t.Found != Running {
			break
		}
	}
	s.fill(&t, size)
	return t
}

func (s *sums) fill(t *Test, size int) {
	t.Cases = int(s.n[0] + s.n[1])
	t.Done, t.Needed = float64(t.Cases)/float64(size), size-t.Cases
	for arm, rate := range []*outcome.Rate{&t.Hinted, &t.Held} {
		if s.n[arm] > 0 {
			*rate = outcome.Wilson(int(s.hits[arm]), int(s.n[arm]), s.n[arm])
		}
	}
	difference, information := s.difference()
	t.Difference, t.Low, t.High = difference, -1, 1
	if information > 0 {
		half := boundary / math.Sqrt(t.Done*information)
		t.Low, t.High = max(-1, difference-half), min(1, difference+half)
	}
}

func (s *sums) add(c *Case) {
	arm, hit := 0, 0.0
	if c.Held {
		arm = 1
	}
	if c.Hit {
		hit = 1
	}
	s.n[arm]++
	s.hits[arm] += hit
	if c.Unit == "" {
		s.drawn[arm]++
		s.yy, s.yn, s.nn = s.yy+hit, s.yn+hit, s.nn+1
		return
	}
	u := s.units[c.Unit]
	if u == nil {
		u = &[2]float64{}
		s.units[c.Unit] = u
		s.drawn[arm]++
	}
	s.yy += hit * (2*u[0] + 1)
	s.yn += hit*(u[1]+1) + u[0]
	s.nn += 2*u[1] + 1
	u[0], u[1] = u[0]+hit, u[1]+1
}

// leastUnits is the number of units that each arm must have before the test can end. With fewer the normal
// approximation is poor.
const leastUnits = 10

// difference returns the difference between the arms' shares and the inverse of its variance. Both are 0 if there are
// too few units.
func (s *sums) difference() (float64, float64) {
	if s.drawn[0] < leastUnits || s.drawn[1] < leastUnits {
		return 0, 0
	}
	n, hits := s.n[0]+s.n[1], s.hits[0]+s.hits[1]
	p := hits / n
	smooth := (hits + 2) / (n + 4) // after Agresti and Coull, so that a share of 0 has a variance above 0
	spread := max(s.yy-2*p*s.yn+p*p*s.nn, n*smooth*(1-smooth))
	return s.hits[0]/s.n[0] - s.hits[1]/s.n[1], s.n[0] * s.n[1] / spread
}

// Sentence describes the result of t or the progress of the test. say translates and formats like fmt.Sprintf.
func (p *Plan) Sentence(t Test, say func(format string, args ...any) string) string {
	if t.Hinted.N == 0 || t.Held.N == 0 {
		return say("No result yet: %d of at most %d prompts have a finished turn.", t.Cases, p.Prompts)
	}
	shares := say("the model used a suggested skill for %.0f %% of %d prompts with a suggestion and %.0f %% of %d without",
		100*t.Hinted.Value, t.Hinted.N, 100*t.Held.Value, t.Held.N)
	if t.Low > -1 || t.High < 1 {
		shares += say(" (%+.0f points, 95 %% interval %+.1f to %+.1f)", 100*t.Difference, 100*t.Low, 100*t.High)
	}
	switch {
	case t.Found == Helps:
		return say("Suggestions help: %s.", shares)
	case t.Found == Hurts:
		return say("Suggestions do harm: %s.", shares)
	case t.Found == Nothing:
		return say("No effect was found: %s; an effect of %.0f points would have been found with a probability of 80 %%.",
			shares, 100*p.Effect)
	case p.Ended != nil:
		return say("The experiment was stopped before it had a result: %s.", shares)
	}
	return say("No result yet; at most %d more prompts are needed. So far %s.", t.Needed, shares)
}
