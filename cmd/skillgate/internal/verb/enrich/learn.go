package enrich

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/past"
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

// learn replaces what was learned by what the journal teaches now.
func learn(ctx context.Context, a *app.App) error {
	known, entries, err := enrichment.Store(ctx, a, true)
	if err != nil {
		return err
	}
	got, err := past.Learned(ctx, a, entries)
	if err != nil {
		return errors.Join(err, known.Close())
	}
	names := map[string]string{}
	for i := range entries {
		names[entries[i].ID] = entries[i].Name
	}
	report, err := known.Learn(names, got)
	if err := errors.Join(err, known.Close()); err != nil {
		return err
	}
	if report.Changed > 0 {
		d, s, err := a.PlacesAndSettings()
		if err == nil {
			err = a.RefreshSkills(ctx, d, s)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(a.Stdout, "%s of %s learned from use; %s changed\n", wording.Count(report.Requests, "request"),
		wording.Count(report.Skills, "skill"), wording.Count(report.Changed, "skill"))
	return nil
}
