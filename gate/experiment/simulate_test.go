package experiment

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// truth describes a simulated user.
type truth struct {
	Base   float64 // share of prompts after which a skill is used without a hint
	Raise  float64 // what a hint adds to that share
	Alike  float64 // correlation of the prompts of one session, limited so that shares stay within 0 to 1
	Length int     // average number of prompts of a session
}

// counts are the findings of many experiments on simulated users.
type counts struct {
	Runs    int
	Helps   int // experiments with this finding
	Hurts   int
	Nothing int
	Prompts float64 // average number of prompts that an experiment took
	Longest int
	Covered int // experiments whose final interval contains the truth
}

const most = 20_000

// simulate runs the experiment p once for each of runs users like of, prompt by prompt until the test ends.
func simulate(p *Plan, of truth, runs int, seed uint64) counts {
	e := counts{Runs: runs}
	for run := range runs {
		rng := rand.New(rand.NewPCG(seed, uint64(run)))
		t := Run(p, cases(p, of, rng))
		switch t.Found {
		case Helps:
			e.Helps++
		case Hurts:
			e.Hurts++
		case Nothing:
			e.Nothing++
		}
		if t.Low <= of.Raise && of.Raise <= t.High {
			e.Covered++
		}
		e.Prompts += float64(t.Cases) / float64(runs)
		e.Longest = max(e.Longest, t.Cases)
	}
	return e
}

// cases returns the prompts of a user. The share of a session is Base plus or minus the spread that gives its prompts
// the correlation Alike. A hint adds Raise to it.
func cases(p *Plan, user truth, rng *rand.Rand) []Case {
	spread := min(math.Sqrt(user.Alike*user.Base*(1-user.Base)), user.Base, 1-user.Base-user.Raise)
	var out []Case
	for session, typed := 0, min(most, p.Prompts); len(out) < typed; session++ {
		base := user.Base + spread
		if rng.IntN(2) == 0 {
			base = user.Base - spread
		}
		held := rng.Float64() < p.Share
		for range 1 + rng.IntN(2*user.Length-1) {
			c := Case{Held: held}
			if p.By == BySession {
				c.Unit = strconv.Itoa(session)
			} else {
				c.Held = rng.Float64() < p.Share
			}
			share := base
			if !c.Held {
				share += user.Raise
			}
			c.Hit = rng.Float64() < share
			out = append(out, c)
		}
	}
	return out
}

// SKILLGATE_EXPERIMENTS=4000 go test -v -run WholeTable ./gate/experiment prints testdata/figures/experiment.txt.
// SKILLGATE_SEED is the seed of the users; the boundary was chosen with seed 1. No user types more than 20,000
// hinted prompts.
func TestWholeTable(t *testing.T) {
	runs, _ := strconv.Atoi(os.Getenv("SKILLGATE_EXPERIMENTS"))
	if runs == 0 {
		t.Skip("SKILLGATE_EXPERIMENTS says how many experiments a line is to have")
	}
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("SKILLGATE_SEED"), "1"), 10, 64)
	require.NoError(t, err)
	fmt.Println("by       share  planned  base  raise  helps (se)     hurts (se)     nothing  covered  prompts  " +
		"longest  announced  promise")
	broken := 0
	for _, by := range []string{ByPrompt, BySession} {
		for _, share := range []float64{.1, .5} {
			for _, effect := range []float64{.2, .05} {
				p, err := New(time.Unix(0, 0), share, by, 1, effect, 0, 1)
				require.NoError(t, err)
				for _, base := range []float64{.2, .4, .6, .8} {
					for _, raise := range []float64{0, .05, .2} {
						if !row(p, truth{Base: base, Raise: raise, Alike: .15, Length: 6}, runs, seed) {
							broken++
						}
					}
				}
			}
		}
	}
	fmt.Printf("\n%d promises broken\n", broken)
	assert.Zero(t, broken)
}

func row(p *Plan, user truth, runs int, seed uint64) bool {
	e := simulate(p, user, runs, seed)
	of := func(n int) float64 { return float64(n) / float64(e.Runs) }
	se := func(n int) float64 { return math.Sqrt(of(n) * (1 - of(n)) / float64(e.Runs)) }
	promise, kept := "", true
	switch {
	case user.Raise == 0:
		promise, kept = "false ≤ .05", of(e.Helps+e.Hurts) <= .05
	case user.Raise >= p.Effect:
		promise, kept = "power ≥ .80", of(e.Helps) >= .8
	}
	if !kept {
		promise += " BROKEN"
	}
	fmt.Printf("%-7s  %5.2f  %7.2f  %4.2f  %5.2f  %.3f (%.4f)  %.3f (%.4f)  %7.3f  %7.3f  %7.0f  %7d  %9d  %s\n", p.By,
		p.Share, p.Effect, user.Base, user.Raise, of(e.Helps), se(e.Helps), of(e.Hurts), se(e.Hurts), of(e.Nothing),
		of(e.Covered), e.Prompts, e.Longest, p.Prompts, promise)
	return kept
}
