package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate/experiment"
)

// newExperimentCommand simulates `skillgate experiment` on users of whom the truth is known.
func newExperimentCommand() *cobra.Command {
	var runs int
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Simulate experiments on users of whom the truth is known",
		Long: `experiment lets simulated users type, prompt by prompt, until the sequential test ends, and
counts what it found: with a raise of 0, "helps" and "hurts" are false, and at most .05 of
all; with the raise that was planned for, "helps" is right, and at least .80 of all. Each
test is looked at after every prompt.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Println("by       share  planned  base  raise   helps   hurts  nothing  covered  prompts  longest  announced")
			for _, by := range []string{experiment.ByPrompt, experiment.BySession} {
				for _, share := range []float64{.1, .5} {
					for _, effect := range []float64{.2, .05} {
						p, err := experiment.New(time.Unix(0, 0), share, by, 1, effect, 1)
						if err != nil {
							return err
						}
						for _, base := range []float64{.05, .3, .6} {
							for _, raise := range []float64{0, .05, .2} {
								row(p, experiment.Truth{Base: base, Raise: raise, Alike: .15, Length: 6}, runs)
							}
						}
					}
				}
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&runs, "runs", 2000, "experiments for each line")
	return cmd
}

// row prints what so many experiments of a plan found.
func row(p *experiment.Plan, truth experiment.Truth, runs int) {
	e := experiment.Simulate(p, truth, runs, 1)
	of := func(n int) float64 { return float64(n) / float64(e.Runs) }
	fmt.Fprintf(os.Stdout, "%-7s  %5.2f  %7.2f  %4.2f  %5.2f  %6.3f  %6.3f  %7.3f  %7.3f  %7.0f  %7d  %9d\n", p.By,
		p.Share, p.Effect,
		truth.Base, truth.Raise, of(e.Helps), of(e.Hurts), of(e.Nothing), of(e.Covered), e.Prompts, e.Longest,
		experiment.Prompts(p.Share, p.Effect))
}
