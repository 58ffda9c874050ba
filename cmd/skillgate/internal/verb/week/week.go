// Package week is the command that says what changed since last week.
package week

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/past"
	"github.com/skillgate/skillgate/gate/history"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

// New returns the command.
func New(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "week",
		Short: "Say what changed since last week, and what no longer works",
		Long: `week puts the last seven days beside the seven before them. Prompts of both
that were given a skill and used it are decided again: where it would not be
named any more, week says what changed in between: the skill, another one, the
dictionary, the settings or skillgate.

Exit status: 1 where something no longer works.`,
		Example: "  skillgate week\n  skillgate week --json | jq .regressions",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := past.Open(cmd.Context(), a, store.Filter{Since: a.Now().AddDate(0, 0, -14)})
			if err != nil {
				return err
			}
			c, err := history.LastWeek(cmd.Context(), p.Prompts, p.Current, p.Here(a), a.Now())
			if err != nil {
				return err
			}
			if asJSON {
				err = a.PrintJSON(c)
			} else {
				err = print(a, c, len(p.Prompts) > p.Gone+p.Unread, p.Cost(a, a.T("which decide a little differently")))
			}
			if err == nil && len(c.Regressions) > 0 {
				return app.ErrFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// print writes the two weeks, and what is not known of them; asked says whether a prompt of them was decided again.
func print(a *app.App, c history.Change, asked bool, cost string) error {
	var b strings.Builder
	say := func(format string, args ...any) { b.WriteString(a.Textf(format, args...)) }
	t := app.NewTable("", a.T("last 7 days"), a.T("the 7 before"))
	t.AppendRow(table.Row{a.T("prompts"), c.Now.Prompts, c.Before.Prompts})
	t.AppendRow(table.Row{a.T("hints"), c.Now.Hints.Named, c.Before.Hints.Named})
	t.AppendRow(table.Row{a.T("followed"), followed(a, c.Now.Hints), followed(a, c.Before.Hints)})
	t.AppendRow(table.Row{a.T("used, not named"), c.Now.Missed, c.Before.Missed})
	a.FitTable(&b, t)
	for _, m := range c.Moved {
		say("%s is followed in %.0f %% of %d turns, it was %.0f %% of %d\n", app.Visible(m.Skill),
			100*m.Now.Value, m.Now.N, 100*m.Before.Value, m.Before.N)
	}
	for _, r := range c.Regressions {
		say("no longer named: %s; prompts that used it: %d: %s\n  %s\n", app.Visible(r.Skill),
			len(r.Prompts), app.Visible(r.Cause), app.Visible(r.Example))
	}
	switch {
	case !asked && c.Now.Prompts+c.Before.Prompts > 0:
		say("not known: what would be missing now, as no prompt is kept that could be decided again\n")
	case c.Compared == 0:
		say("not known: what would be missing now, as no prompt is known to have used what was named for it\n")
	case len(c.Regressions) == 0:
		say("prompts that used what was named for them: %d; all would be given it now\n", c.Compared)
	}
	for _, what := range c.Changed {
		say("changed: %s\n", app.Visible(what))
	}
	b.WriteString(cost)
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

func followed(a *app.App, t outcome.Tally) string {
	if t.Rate == nil {
		return a.T("not known")
	}
	return a.Textf("%d of %d (%.0f %%, %.0f to %.0f)", t.Followed, t.Known, 100*t.Rate.Value, 100*t.Rate.Low,
		100*t.Rate.High)
}
