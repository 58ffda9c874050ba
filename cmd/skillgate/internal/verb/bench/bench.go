// Package bench is the command that measures routing on labelled prompts.
package bench

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate/bench"
)

// options are what the command line says.
type options struct {
	benchmark.Options
	Libraries  []string
	Prompts    []string
	Only       string // prefix of ids
	Enrichment string
	K          int // candidates ranked for each prompt
}

// New returns the command.
func New(a *app.App) *cobra.Command {
	o := &options{}
	o.App = a
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure routing on labelled prompts",
		Long: `bench gives labelled prompts to the gate, as the hook would, in one process and
without a session, and prints how often the right skills come first and how
often nothing is named where nothing should be. Settings are the defaults with
--set on top, so that a figure does not depend on whose machine it was made on.

A rate comes with its standard error. --compare adds 95 % intervals of the
differences from a saved run, by paired bootstrap. So it says whether reranking
pays: where hit@1 gets better by more than chance explains, and no other measure
worse.`,
		Example: `  skillgate bench --library library.jsonl.gz --prompts prompts.jsonl
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --save before.json
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --set score_min=7 --compare before.json
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --set rerank.enabled=true --compare before.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case o.K < 1:
				return app.Usage("--k %d, want at least 1", o.K)
			case len(o.Libraries) == 0 && len(o.Prompts) == 0:
				return app.Fail("`skillgate bench --library ~/.claude/skills --prompts prompts.jsonl`; "+
					"`skillgate bench --help` says what they hold",
					"nothing to run: want --library and --prompts")
			case len(o.Libraries) == 0:
				return app.Usage("--prompts without a --library to search")
			case len(o.Prompts) == 0:
				return app.Usage("--library without --prompts")
			}
			return run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.Libraries, "library", nil,
		"folder of skills, or a .jsonl or .jsonl.gz `FILE`; repeat to search several as one")
	flags.StringArrayVar(&o.Prompts, "prompts", nil, "JSON Lines `FILE` of labelled prompts; repeat for several")
	flags.StringVar(&o.Only, "only", "", "search only the skills whose id starts with `PREFIX`")
	flags.StringVar(&o.Enrichment, "enrichment", "", "`FILE` of expansions to index with the libraries")
	flags.IntVar(&o.K, "k", bench.DefaultK, "rank `N` candidates for each prompt")
	o.AddFlags(cmd)
	cmd.AddCommand(newDiff(a))
	return cmd
}

// run reads the library and the prompts, and measures.
func run(ctx context.Context, o *options) error {
	job := benchmark.Job{K: o.K}
	for _, file := range o.Prompts {
		set, err := bench.ReadPromptFile(file)
		if err != nil {
			return app.Usage("%w", err)
		}
		job.Sets = append(job.Sets, set)
	}
	if err := distinctSets(job.Sets); err != nil {
		return err
	}
	var err error
	if job.Library, err = benchmark.ReadLibrary(ctx, o.App, o.Libraries, o.Only); err != nil {
		return err
	}
	if job.Library.Expansions, err = enrichment.Read(o.Enrichment); err != nil {
		return err
	}
	return benchmark.Run(ctx, &o.Options, []benchmark.Job{job}, nil)
}

// distinctSets refuses two prompt files of one name, whose figures would mix.
func distinctSets(sets []bench.Set) error {
	seen := map[string]bool{}
	for _, s := range sets {
		if seen[s.Name] {
			return fmt.Errorf("two --prompts files are named %s", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

func newDiff(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff BEFORE.json AFTER.json",
		Short: "List the prompts that two saved runs treat differently",
		Example: `  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --save before.json
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --save after.json
  skillgate bench diff before.json after.json`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			before, err := bench.ReadReport(args[0])
			if err != nil {
				return err
			}
			after, err := bench.ReadReport(args[1])
			if err != nil {
				return err
			}
			d := bench.DiffReports(before, after)
			if asJSON {
				return d.Write(a.Data())
			}
			return benchmark.PrintDiff(a.Stdout, d)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}
