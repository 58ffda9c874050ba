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
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/wording"
)

func newLearn(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "learn",
		Short: "Learn from prompts after which a skill was really used",
		Long: `learn reads the journal and makes the prompts after which exactly one skill was
used expansions of that skill: short ones, at most 8 a skill, the most frequent
and newest first, none older than half a year. It starts afresh each time, so
what leaves the journal leaves the expansions.

With log.prompts: terms it learns a prompt's words, with hash or none it learns
nothing and forgets what it had. "skillgate advise" says what learning would
change before it is done.`,
		Example: "  skillgate enrich learn",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return learn(cmd.Context(), a) },
	}
}

func learn(ctx context.Context, a *app.App) error {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	entries, err := enrichment.Skills(ctx, a, d, s)
	if err != nil {
		return err
	}
	known, err := enrich.Open(d.State)
	if err != nil {
		return enrichment.Hint(err)
	}
	report, err := learnInto(ctx, a, known, entries, s.Log.Prompts)
	if err = errors.Join(err, known.Close()); err == nil && report.Changed > 0 {
		err = a.RefreshSkills(ctx, d, s)
	}
	if err == nil {
		fmt.Fprintf(a.Stdout, "%s of %s learned from use; %s changed\n", wording.Count(report.Requests, "request"),
			wording.Count(report.Skills, "skill"), wording.Count(report.Changed, "skill"))
	}
	return err
}

// learnInto reads confirmed uses from the journal. level is log.prompts: what the user lets be kept of a prompt now.
func learnInto(ctx context.Context, a *app.App, known *enrich.Store, entries []catalog.Entry,
	level string) (enrich.Learning, error) {
	if level == journal.Hash || level == journal.None {
		a.Note("log.prompts is %s: nothing is learned", level)
		return known.Learn(entries, nil)
	}
	var uses []enrich.Use
	err := logged.With(ctx, a, func(db *store.DB) (err error) {
		uses, err = confirmedUses(ctx, db, entries, level)
		return err
	})
	if err != nil {
		return enrich.Learning{}, err
	}
	return known.Learn(entries, enrich.Learn(uses, enrich.NewChecker(catalog.Names(entries)), a.Now()))
}
