package enrich

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/secret"
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
			report := learnReport{DryRun: dryRun}
			err = report.apply(known, entries, got)
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

// learnReport is what learn did.
type learnReport struct {
	DryRun   bool `json:"dry_run"`
	Requests int  `json:"requests"`
	Skills   int  `json:"skills"`
	Changed  int  `json:"changed"`
}

// apply makes got all that the store has learned, for the skills that are here.
func (r *learnReport) apply(known *enrich.Store, entries []catalog.Entry, got map[string][]enrich.Learned) error {
	names := map[string]string{}
	for i := range entries {
		names[entries[i].ID] = entries[i].Name
	}
	was := map[string][]enrich.Learned{}
	for _, x := range known.All() {
		if len(x.Learned) > 0 {
			was[x.ID] = x.Learned
		}
	}
	for id := range was {
		if _, still := got[id]; !still {
			names[id] = "" // forgotten, or the skill is gone
		}
	}
	for id := range names {
		list := got[id]
		if len(list) > 0 {
			r.Skills++
			r.Requests += len(list)
		}
		if slices.EqualFunc(list, was[id], func(a, b enrich.Learned) bool {
			return a.Text == b.Text && a.Count == b.Count && a.First.Equal(b.First) && a.Last.Equal(b.Last)
		}) {
			continue
		}
		r.Changed++
		if r.DryRun {
			continue
		}
		if err := known.Put(enrich.Expansion{ID: id, Name: names[id], Learned: list, Schema: enrich.Schema}); err != nil {
			return err
		}
	}
	return nil
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
	var uses []enrich.Use
	err = db.Each(ctx, store.Filter{}, func(entry store.Entry) error {
		if u, ok := useOf(entry, entries, s.Log.Prompts); ok {
			uses = append(uses, u)
		}
		return nil
	})
	if err != nil {
		return nil, logged.Error(err, db.Dir())
	}
	return enrich.Learn(uses, enrich.NewChecker(entryNames(entries)), a.Now()), nil
}

// useOf returns the use that a decision confirms: the one skill that was used after
// its prompt. A skill that the user typed by name was not found by the prompt.
func useOf(entry store.Entry, entries []catalog.Entry, level string) (enrich.Use, bool) {
	var u enrich.Use
	if entry.Decision == nil {
		return u, false
	}
	switch {
	case level == journal.Full && entry.Prompts == journal.Full && !entry.Cut:
		u.Text = secret.Redact(entry.Decision.Prompt)
	case entry.Prompts == journal.Terms && (level == journal.Full || level == journal.Terms):
		u.Text = strings.Join(entry.Terms, " ")
	}
	if u.Text == "" || strings.HasPrefix(u.Text, "/") {
		return u, false
	}
	u.Time = entry.Time
	for _, o := range entry.Outcomes {
		if !o.Success || o.Tool == journal.ToolTyped {
			continue
		}
		for i := range entries {
			x := &entries[i]
			if !journal.SameUse(x.Name, x.Path, o.Skill, o.Path) {
				continue
			}
			if u.ID != "" && u.ID != x.ID && u.Name != x.Name {
				return enrich.Use{}, false // several skills: which of them the prompt asked for is not known
			}
			if u.ID == "" {
				u.ID, u.Name = x.ID, x.Name // entries come in the order in which the host takes them
			}
			break
		}
	}
	return u, u.ID != ""
}
