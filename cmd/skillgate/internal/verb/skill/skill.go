// Package skill is the command that tells all that is known of one skill.
package skill

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/past"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/cells"
	"github.com/skillgate/skillgate/gate/history"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/meant"
)

// page is what skill prints with --json.
type page struct {
	history.Skill
	File      string      `json:"file,omitempty"`
	Installed bool        `json:"installed"`
	Changed   *time.Time  `json:"changed,omitempty"` // when its file last changed
	Lint      *lint.Score `json:"lint,omitempty"`
	Findings  int         `json:"findings"`
}

// New returns the command.
func New(a *app.App) *cobra.Command {
	var asJSON bool
	var since string
	cmd := &cobra.Command{
		Use:   "skill NAME",
		Short: "Tell all that is known of one skill",
		Long: `skill tells how one skill fares: how often it was asked for by name, named and
used, and used without being named; what stands in its place and in whose place
it stands; which words find it; its lint grade; its weeks.`,
		Example: "  skillgate skill pdf\n  skillgate skill pdf --since 30d --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := logged.When("since", since, a.Now())
			if err != nil {
				return err
			}
			p, err := past.Open(cmd.Context(), a, store.Filter{Since: from})
			if err != nil {
				return err
			}
			x := page{Skill: history.Of(args[0], p.Prompts, a.Now().Location())}
			i := slices.IndexFunc(p.Entries, func(e catalog.Entry) bool { return e.Name == args[0] })
			if i < 0 && !strings.Contains(args[0], ":") { // whole names are as they are, bare ones may be a plugin's
				i = slices.IndexFunc(p.Entries, func(e catalog.Entry) bool {
					return journal.SameUse(e.Name, e.Path, args[0], "")
				})
			}
			if i >= 0 {
				x.grade(cmd.Context(), a, p, &p.Entries[i])
			}
			if !x.Installed && x.Named.Named+x.Used+x.Asked == 0 {
				hint := a.T("`skillgate query` shows exact names")
				names := make([]string, len(p.Entries))
				for i, e := range p.Entries {
					names[i] = e.Name
				}
				if near := meant.Of(args[0], names); near != "" {
					hint = a.Textf("did you mean `skillgate skill %s`?", near)
				}
				return app.Fail(hint, a.T("%s: no skill of that name is installed or in the log"), args[0])
			}
			if asJSON {
				return a.PrintJSON(x)
			}
			return x.print(a, p.Cost(a, a.T("whose words are told and not their text")))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&since, "since", "90d", "from prompts since `WHEN`: 30d, 2026-11-03")
	return cmd
}

// grade lints the skill among those around it. What cannot be linted has no grade.
func (x *page) grade(ctx context.Context, a *app.App, p *past.Past, e *catalog.Entry) {
	x.Installed, x.File, x.Name = true, e.Path, e.Name
	at := time.Unix(0, e.ModTime)
	x.Changed = &at
	o, err := lint.OptionsFor(p.Settings.Lint.Rules, nil)
	if err != nil {
		return
	}
	j := job.Job{Dirs: p.Dirs, Cwd: a.Cwd, Settings: p.Settings, Options: o, Open: a.Workspace(p.Dirs, p.Settings),
		Now: a.Now, Display: a.Display}
	res, err := j.Run(ctx, []string{filepath.Dir(e.Path)})
	if err != nil || len(res.Skills) != 1 {
		return
	}
	x.Lint, x.Findings = &res.Skills[0].Score, len(res.Findings)
}

// print writes the page, and what is not known of the prompts behind it.
func (x *page) print(a *app.App, cost string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n", app.Visible(x.Name), app.Visible(x.File))
	t := app.NewTable()
	line := func(name, format string, args ...any) { t.AppendRow(table.Row{a.T(name), a.Textf(format, args...)}) }
	line("asked for by name", "%d", x.Asked)
	line("named", "%d", x.Named.Named)
	if x.Named.Rate != nil {
		line("followed", "%d of %d ended turns (%s)", x.Named.Followed, x.Named.Known, logged.Interval(a, x.Named.Rate))
	} else {
		line("followed", "not known: no turn that named it is known to have ended")
	}
	line("used by the model", "%d", x.Used)
	line("used, not named", "%d", x.Missed)
	if x.Kept > 0 {
		line("kept back", "%d, by an experiment", x.Kept)
	}
	line("in its place stood", "%s", counts(a, x.StolenBy))
	line("it stood in place of", "%s", counts(a, x.StealsFrom))
	var words []string
	for _, w := range x.Words {
		words = append(words, fmt.Sprintf("%s (%d)", app.Visible(w.Term), w.Prompts))
	}
	line("words that find it", "%s", orNone(a, words))
	switch {
	case x.Lint != nil:
		line("lint", "grade %s: an estimated %.0f %% of requests find it first, findings: %d (`skillgate lint %s`)",
			x.Lint.Grade, 100*x.Lint.First, x.Findings,
			filepath.Dir(x.File))
	case !x.Installed:
		line("lint", "it is not installed here")
	}
	if x.Changed != nil {
		line("file changed", "%s", x.Changed.In(a.Now().Location()).Format(time.DateOnly))
	}
	a.FitTable(&b, t)
	if len(x.Weeks) > 0 {
		t := app.NewTable(a.T("week of"), a.T("named"), a.T("used"), a.T("not named"))
		for _, w := range x.Weeks {
			t.AppendRow(table.Row{w.From.Format(time.DateOnly), w.Named, w.Used, w.Missed})
		}
		a.FitTable(&b, t)
	}
	for _, m := range x.Examples {
		if m.Prompt != "" { // kept
			b.WriteString(a.Textf("not named for: %s\n", cells.Clip(app.Visible(m.Prompt), 80)))
		}
	}
	b.WriteString(cost)
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

func counts(a *app.App, list []history.Count) string {
	var out []string
	for _, c := range list[:min(len(list), 5)] {
		out = append(out, fmt.Sprintf("%s (%d)", app.Visible(c.Name), c.Count))
	}
	return orNone(a, out)
}

func orNone(a *app.App, list []string) string {
	if len(list) == 0 {
		return a.T("none")
	}
	return strings.Join(list, ", ")
}
