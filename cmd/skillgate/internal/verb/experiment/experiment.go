// Package experiment implements the command experiment, which measures whether suggestions help by withholding some.
package experiment

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func New(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Withhold some suggestions to measure whether they help",
		Long: `experiment withholds suggestions from a random share of the prompts that would get one,
and compares what the model does with and without suggestions. Prompts that ask for a
skill by name always get their suggestion. An experiment runs only after "start", and
stops by itself when the result is clear.

The experiment tests whether the model used, in the same turn, a skill that was or would
have been suggested. However often you look at the result, at most 5 of 100
experiments claim a difference that does not exist, and at least 80 of 100 find a
difference of the planned size.

Without a subcommand, experiment prints the result or the progress of the newest
experiment.`,
		Example: "  skillgate experiment\n  skillgate experiment start --share 50\n  skillgate experiment --json | jq .test",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return logged.With(cmd.Context(), a, func(db *store.DB) error {
				now, err := arms.Last(cmd.Context(), db, a.Now())
				switch {
				case err != nil:
					return err
				case asJSON:
					return a.PrintJSON(now) // null if none has been started
				case now == nil:
					fmt.Fprint(a.Stderr, a.T("skillgate: no experiment has been started; `skillgate experiment start` starts one\n"))
					return nil
				}
				return print(a, now)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.AddCommand(newStart(a), newStop(a))
	return cmd
}

const mostDays = 90

func newStart(a *app.App) *cobra.Command {
	var share, points float64
	var seed uint64
	var by string
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Withhold a share of the suggestions from now on",
		Long: `start withholds suggestions from the next prompt on. With --by prompt, each suggestion
is withheld or given at random. This needs the fewest prompts, but an earlier suggestion
of the session may still help. With --by session, a session gets all its suggestions or
none.`,
		Example: "  skillgate experiment start\n  skillgate experiment start --share 50 --points 20 --by session",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, s, err := a.PlacesAndSettings()
			if err != nil {
				return err
			}
			if seed == 0 {
				seed = rand.Uint64()
			}
			alike := 0.0
			if by == experiment.BySession {
				err := logged.With(cmd.Context(), a, func(db *store.DB) (err error) {
					alike, err = arms.Alike(cmd.Context(), db, a.Now().AddDate(0, 0, -90))
					return err
				})
				if err != nil {
					return err
				}
			}
			p, err := experiment.New(a.Now(), share/100, by, seed, points/100, alike, mostDays)
			if err != nil {
				return app.Fail("`skillgate experiment start --help` explains the flags",
					"--share must be 1 to 50, --points must be 2 to 50, and --by must be prompt or session")
			}
			if s.Disabled {
				return app.Fail("remove `disabled` from the settings first",
					"skillgate is disabled, so there are no suggestions to withhold")
			}
			if err := experiment.Start(d.State, p); err != nil {
				if errors.Is(err, experiment.ErrUnreadable) || errors.Is(err, experiment.ErrNewer) {
					return logged.Error(err, d.State)
				}
				return app.Hint(err, "`skillgate experiment` shows it, and `skillgate experiment stop` ends it")
			}
			a.Say("from now on %g%% of suggestions are withheld, chosen at random per %s (seed %d); prompts that name a skill "+
				"always get their suggestion\n", share, a.T(by), seed)
			a.Say("to detect a difference of %g percentage points with a probability of 80%%, the experiment needs at most "+
				"%d prompts whose suggestion is given or withheld", points, p.Prompts)
			if by == experiment.BySession {
				a.Say(" (%.1f times the number needed if the prompts of a session were independent)", max(alike, experiment.Alike))
			}
			fmt.Fprintln(a.Stdout)
			a.Say("the experiment stops after these prompts or on %s; `skillgate experiment` shows its progress\n",
				p.Until.In(a.Now().Location()).Format(time.DateOnly))
			return nil
		},
	}
	cmd.Flags().Float64Var(&share, "share", 10, "withhold `N` percent of suggestions, 1 to 50")
	cmd.Flags().Float64Var(&points, "points", 20, "detect a difference of `N` percentage points, 2 to 50")
	cmd.Flags().StringVar(&by, "by", experiment.ByPrompt, "withhold suggestions at random per `UNIT`: prompt or session")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "use this `SEED` for the random choice (default: a new seed)")
	return cmd
}

func newStop(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "stop",
		Short:   "End the experiment now",
		Example: "  skillgate experiment stop",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return logged.With(cmd.Context(), a, func(db *store.DB) error {
				now, err := arms.Settle(cmd.Context(), db, a.Now())
				if err != nil {
					return err
				}
				if now == nil {
					return app.Fail(a.T("`skillgate experiment start` starts one"), "%s", a.T("no experiment is running"))
				}
				if now.Plan.Ended == nil {
					if err := now.Plan.End(db.Dir(), a.Now(), now.Test); err != nil {
						return err
					}
				}
				return print(a, now)
			})
		},
	}
}

func print(a *app.App, x *arms.Arms) error {
	var b strings.Builder
	p, zone := x.Plan, a.Now().Location()
	say := func(format string, args ...any) { b.WriteString(a.Textf(format, args...)) }
	fmt.Fprintln(&b, p.Sentence(x.Test, a.Textf))
	state := a.Textf("has been running since %s", p.Started.In(zone).Format(time.DateOnly))
	if p.Ended != nil {
		state = a.Textf("ran from %s to %s", p.Started.In(zone).Format(time.DateOnly),
			p.Ended.In(zone).Format(time.DateOnly))
	}
	say("\nthe experiment %s; suggestions withheld: %g%%, at random per %s (seed %d); detectable difference: %g "+
		"percentage points; progress: %.0f%%\n", state, 100*p.Share, a.T(p.By), p.Seed, 100*p.Effect, 100*x.Test.Done)
	say("prompts that got their suggestion: %d; prompts whose suggestion was withheld: %d; prompts in either group "+
		"without a finished turn: %d\n", x.Hinted, x.Held, x.Unknown)
	if x.Hinted+x.Held-x.Unknown > x.Test.Cases {
		say("the result is based on the first %d of these prompts\n", x.Test.Cases)
	}
	if len(x.Versions) > 1 || x.Settings > 1 {
		say("skillgate versions used in the experiment: %d; combinations of settings: %d; both groups used the same ones\n",
			len(x.Versions), x.Settings)
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}
