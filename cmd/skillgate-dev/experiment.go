package main

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate/experiment"
)

func newExperimentCommand() *cobra.Command {
	var runs int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Simulate experiments on users whose true behaviour is known",
		Long: `experiment lets simulated users type, prompt by prompt, until the sequential test ends, and
counts what it found, each share with its standard error. With a raise of 0, "helps" and
"hurts" are false, and at most .05 of all together; with a raise of what was planned for or
more, "helps" is right, and at least .80 of all: "promise" says whether that is so. Each test
is looked at after every prompt. Nobody types more than 20,000 hinted prompts.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Println("by       share  planned  base  raise  helps (se)     hurts (se)     nothing  covered  prompts  " +
				"longest  announced  promise")
			broken := 0
			for _, by := range []string{experiment.ByPrompt, experiment.BySession} {
				for _, share := range []float64{.1, .5} {
					for _, effect := range []float64{.2, .05} {
						p, err := experiment.New(time.Unix(0, 0), share, by, 1, effect, 0, 1)
						if err != nil {
							return err
						}
						for _, base := range []float64{.2, .4, .6, .8} {
							for _, raise := range []float64{0, .05, .2} {
								if !row(p, experiment.Truth{Base: base, Raise: raise, Alike: .15, Length: 6}, runs, seed) {
									broken++
								}
							}
						}
					}
				}
			}
			fmt.Printf("\n%d promises broken\n", broken)
			return nil
		},
	}
	cmd.Flags().IntVar(&runs, "runs", 4000, "experiments for each line")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "of the users; the boundary was chosen on users of seed 1")
	return cmd
}

func row(p *experiment.Plan, truth experiment.Truth, runs int, seed uint64) bool {
	e := experiment.Simulate(p, truth, runs, seed)
	of := func(n int) float64 { return float64(n) / float64(e.Runs) }
	se := func(n int) float64 { return math.Sqrt(of(n) * (1 - of(n)) / float64(e.Runs)) }
	promise, kept := "", true
	switch {
	case truth.Raise == 0:
		promise, kept = "false ≤ .05", of(e.Helps+e.Hurts) <= .05
	case truth.Raise >= p.Effect:
		promise, kept = "power ≥ .80", of(e.Helps) >= .8
	}
	if !kept {
		promise += " BROKEN"
	}
	fmt.Printf("%-7s  %5.2f  %7.2f  %4.2f  %5.2f  %.3f (%.4f)  %.3f (%.4f)  %7.3f  %7.3f  %7.0f  %7d  %9d  %s\n", p.By,
		p.Share, p.Effect, truth.Base, truth.Raise, of(e.Helps), se(e.Helps), of(e.Hurts), se(e.Hurts), of(e.Nothing),
		of(e.Covered), e.Prompts, e.Longest, p.Prompts, promise)
	return kept
}
