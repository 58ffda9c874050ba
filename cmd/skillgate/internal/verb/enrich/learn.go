package enrich

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/enrich/fromlog"
	"github.com/skillgate/skillgate/gate/journal"
)

func newLearn(a *app.App) *cobra.Command {
	var asJSON, dryRun, forget bool
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
			known, entries, err := enrichment.Store(cmd.Context(), a, !dryRun)
			if err != nil {
				return err
			}
			var got map[string][]enrich.Learned
			if !forget {
				if got, err = learned(cmd.Context(), a, entries); err != nil {
					return errors.Join(err, known.Close())
				}
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
				if err := reindex(cmd.Context(), a); err != nil {
					return err
				}
			}
			if asJSON {
				return a.PrintJSON(report)
			}
			fmt.Fprintf(a.Stdout, "%d requests of %d skills learned from use; %d skills changed\n", report.Requests,
				report.Skills, report.Changed)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a summary as JSON")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "count, change nothing")
	cmd.Flags().BoolVar(&forget, "forget", false, "forget everything learned so far")
	return cmd
}

// learned reads the confirmed uses of the journal, as far as the user lets prompts
// be kept now.
func learned(ctx context.Context, a *app.App, entries []catalog.Entry) (map[string][]enrich.Learned, error) {
	_, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, err
	}
	if s.Log.Prompts == journal.Hash || s.Log.Prompts == journal.None {
		a.Note("log.prompts is %s: nothing is learned", s.Log.Prompts)
		return nil, nil
	}
	db, err := logged.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	uses, err := fromlog.Uses(ctx, db, entries, s.Log.Prompts)
	if err != nil {
		return nil, logged.Error(err, db.Dir())
	}
	return enrich.Learn(uses, enrich.NewChecker(entryNames(entries)), a.Now()), nil
}
