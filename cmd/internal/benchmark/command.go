package benchmark

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/workspace"
)

type commandOptions struct {
	Options
	Libraries []string
	Prompts   []string
	Only      string // search only skills whose id has this prefix
}

// New returns the bench command.
func New(a *app.App) *cobra.Command {
	o := &commandOptions{}
	o.App = a
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the suggestions for labelled prompts",
		Long: `bench makes the hook's decision for each labelled prompt, in one process and without
sessions. It prints how often the right skills come first and how often no skill
is suggested for prompts that need none.

A line of a prompt file is a JSON object: "id", "query", "gold" (the ids of the right
skills), and optionally "also_ok" (ids that are also right), "lang" and "class" (groups
to report). Prompts that need no skill have a "kind" instead of "gold": greeting, ack
(acknowledgement), command, or native (the host answers it without a skill).

Every rate has a 95 % interval. --compare also prints the differences from a saved run
with their intervals. Reranking, for example, is worthwhile if hit@1 improves by
more than chance and no other measure gets worse.`,
		Example: `  skillgate bench --library library.jsonl.gz --prompts prompts.jsonl
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --save before.json
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --set rerank.enabled=true --compare before.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case len(o.Libraries) == 0 && len(o.Prompts) == 0:
				return app.Fail("`skillgate bench --library ~/.claude/skills --prompts prompts.jsonl`; "+
					"`skillgate bench --help` describes the files",
					"nothing to run: --library and --prompts are missing")
			case len(o.Libraries) == 0:
				return app.Usage("--prompts requires --library")
			case len(o.Prompts) == 0:
				return app.Usage("--library requires --prompts")
			}
			return measure(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.Libraries, "library", nil,
		"search the skills in `PATH` (folder, .jsonl or .jsonl.gz); may be repeated to search several together")
	flags.StringArrayVar(&o.Prompts, "prompts", nil, "run the labelled prompts in `FILE` (JSON Lines); may be repeated")
	flags.StringVar(&o.Only, "only", "", "search only the skills whose id starts with `PREFIX`")
	o.AddFlags(cmd)
	return cmd
}

func measure(ctx context.Context, o *commandOptions) error {
	job := Job{Source: &workspace.Source{Cwd: o.App.Cwd, Libraries: o.Libraries, Prefix: o.Only}}
	seen := map[string]bool{}
	for _, file := range o.Prompts {
		set, err := bench.ReadPromptFile(file)
		if err != nil {
			return app.Usage("%w", err)
		}
		if seen[set.Name] {
			return fmt.Errorf("two --prompts files are named %s; rename one of them", set.Name)
		}
		seen[set.Name] = true
		job.Sets = append(job.Sets, set)
	}
	return Run(ctx, &o.Options, []Job{job}, nil)
}
