package experiment

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// Truth is a simulated user, about whom everything is known.
type Truth struct {
	Base   float64 // share of prompts after which a skill is used without a hint
	Raise  float64 // what a hint adds to it
	Alike  float64 // correlation of the prompts of one session, as far as shares stay shares
	Length int     // prompts of a session, on average
}

// Errors are what many experiments on simulated users found.
type Errors struct {
	Runs    int
	Helps   int     // experiments that said so
	Hurts   int     //
	Nothing int     //
	Prompts float64 // that they took, on average
	Longest int
	Covered int // of Runs: the interval at the end holds the truth
}

const most = 20_000

// Simulate runs an experiment on so many users who are told by one truth, each prompt by
// prompt until the test ends.
func Simulate(p *Plan, truth Truth, runs int, seed uint64) Errors {
	e := Errors{Runs: runs}
	for run := range runs {
		rng := rand.New(rand.NewPCG(seed, uint64(run)))
		t := Run(p, cases(p, truth, rng))
		switch t.Found {
		case Helps:
			e.Helps++
		case Hurts:
			e.Hurts++
		case Nothing:
			e.Nothing++
		}
		if t.Low <= truth.Raise && truth.Raise <= t.High {
			e.Covered++
		}
		e.Prompts += float64(t.Cases) / float64(runs)
		e.Longest = max(e.Longest, t.Cases)
	}
	return e
}

// cases are what a user types. A session's own share is Base plus or minus what gives its
// prompts the correlation; a hint adds Raise to it.
func cases(p *Plan, truth Truth, rng *rand.Rand) []Case {
	spread := min(math.Sqrt(truth.Alike*truth.Base*(1-truth.Base)), truth.Base, 1-truth.Base-truth.Raise)
	var out []Case
	for session, typed := 0, min(most, p.Prompts); len(out) < typed; session++ {
		base := truth.Base + spread
		if rng.IntN(2) == 0 {
			base = truth.Base - spread
		}
		held := rng.Float64() < p.Share
		for range 1 + rng.IntN(2*truth.Length-1) {
			c := Case{Held: held}
			if p.By == BySession {
				c.Unit = strconv.Itoa(session)
			} else {
				c.Held = rng.Float64() < p.Share
			}
			share := base
			if !c.Held {
				share += truth.Raise
			}
			c.Hit = rng.Float64() < share
			out = append(out, c)
		}
	}
	return out
}
