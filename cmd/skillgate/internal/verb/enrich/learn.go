package enrich

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/past"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/plural"
)

func newLearn(a *app.App) *cobra.Command {
	var asJSON, dryRun bool
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Learn from prompts after which a skill was really used",
		Long: `learn reads the journal and makes the prompts after which exactly one skill was
used expansions of that skill: short ones, at most 8 a skill, the most frequent
and newest first, none older than half a year. It starts afresh each time, so
what leaves the journal leaves the expansions.

With log.prompts: terms it learns a prompt's words, with hash or none it learns
nothing and forgets what it had. "skillgate replay" shows what a change does to
the prompts of the journal.`,
		Example: `  skillgate enrich learn --dry-run
  skillgate enrich learn`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return learn(cmd.Context(), a, dryRun, asJSON, func(skills []catalog.Entry) (map[string][]enrich.Learned, error) {
				return past.Learned(cmd.Context(), a, skills)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a summary as JSON")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "count, change nothing")
	app.Elsewhere(cmd, map[string]string{"forget": "skillgate enrich forget"})
	return cmd
}

func newForget(a *app.App) *cobra.Command {
	var asJSON, dryRun bool
	cmd := &cobra.Command{
		Use:   "forget",
		Short: "Forget what enrich learn has learned",
		Example: `  skillgate enrich forget --dry-run
  skillgate enrich forget`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return learn(cmd.Context(), a, dryRun, asJSON, func([]catalog.Entry) (map[string][]enrich.Learned, error) {
				return nil, nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a summary as JSON")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "count, change nothing")
	return cmd
}

// learn replaces what was learned by what from finds for the skills that are here.
func learn(ctx context.Context, a *app.App, dryRun, asJSON bool,
	from func([]catalog.Entry) (map[string][]enrich.Learned, error)) error {
	known, entries, err := enrichment.Store(ctx, a, !dryRun)
	if err != nil {
		return err
	}
	got, err := from(entries)
	if err != nil {
		return errors.Join(err, known.Close())
	}
	names := map[string]string{}
	for i := range entries {
		names[entries[i].ID] = entries[i].Name
	}
	report, err := known.Learn(names, got, dryRun)
	if err := errors.Join(err, known.Close()); err != nil {
		return err
	}
	if !dryRun && report.Changed > 0 {
		if err := reindex(ctx, a); err != nil {
			return err
		}
	}
	if asJSON {
		return a.PrintJSON(report)
	}
	fmt.Fprintf(a.Stdout, "%s of %s learned from use; %s changed\n", plural.Of(report.Requests, "request"),
		plural.Of(report.Skills, "skill"), plural.Of(report.Changed, "skill"))
	return nil
}
