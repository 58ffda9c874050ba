// Package report implements the command report, which writes a dashboard of past decisions.
package report

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/past"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/report"
)

type options struct {
	App    *app.App
	Filter logged.Filter
	Output string // file, "" for standard output
	Quick  bool   // skip the parts for which past prompts are replayed
}

func New(a *app.App) *cobra.Command {
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write a dashboard of past decisions as one HTML file",
		Long: `report writes a page that works without a network. The page first says whether
suggestions help, how certain that is, and what to do next. Then it shows the decisions
of each week, experiments, the proposals of "skillgate advise", skills, misses,
prompts without a suggestion, and response times, in English and Korean. The page
contains prompts as they were logged; check them before you share it.`,
		Example: "  skillgate report --output report.html\n  skillgate report --quick > report.html\n  skillgate " +
			"report --since 30d > report.html",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), o)
		},
	}
	o.Filter.Add(cmd)
	o.Filter.AddSkill(cmd)
	cmd.Flags().StringVar(&o.Output, "output", "", "write to a new `FILE` instead of standard output")
	cmd.Flags().BoolVar(&o.Quick, "quick", false,
		"leave out proposals and regressions, which take time to compute")
	return cmd
}

func run(ctx context.Context, o *options) error {
	a := o.App
	filter, err := o.Filter.Parse(a)
	if err != nil {
		return err
	}
	page, err := build(ctx, o, filter)
	if err != nil || page == nil {
		return err
	}
	if o.Output == "" {
		return page.Write(a.Data())
	}
	if _, err := os.Lstat(a.Absolute(o.Output)); err == nil {
		err = fmt.Errorf("%s: %w", o.Output, fs.ErrExist)
		return app.Hint(err, "--output creates a new file; `skillgate report > FILE` overwrites an existing one")
	}
	if err := a.WriteShared(o.Output, page.Write); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return app.Hint(err, "--output needs an existing folder")
		}
		return err
	}
	fmt.Fprintf(a.Stderr, a.T("skillgate: wrote a report to %s; decisions: %d\n"), o.Output, page.Stats.Decisions)
	return nil
}

// build returns the page, or nil after printing a note if there is no decision to show.
func build(ctx context.Context, o *options, filter store.Filter) (*report.Page, error) {
	a := o.App
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, err
	}
	db, err := logged.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	r := report.Options{
		Filter: filter, Catalog: catalog.Offered(ctx, d, a.Cwd, s.Libraries),
		Lang: o.lang(), Now: a.Now(), Say: o.say(),
	}
	if r.Experiments, err = experiments(ctx, a, db); err != nil {
		a.Note("%v", withHint(logged.Error(err, db.Dir())))
	}
	if err := replayed(ctx, o, filter, &r); err != nil {
		a.Note("the report has no weekly figures and no proposals: %v", err)
	}
	page, err := report.Build(ctx, db, r)
	if errors.Is(err, report.ErrNone) {
		return nil, logged.Nothing(ctx, a, db)
	}
	return page, logged.Error(err, db.Dir())
}

func withHint(err error) error {
	if next, ok := errors.AsType[*app.Error](err); ok && next.Hint != "" {
		return fmt.Errorf("%w; %s", err, next.Hint)
	}
	return err
}

func (o *options) lang() string {
	if o.App.Language() == "ko" {
		return "ko"
	}
	return "en"
}

func (o *options) say() func(format string, args ...any) string { return app.TextfIn(o.lang()) }

func experiments(ctx context.Context, a *app.App, db *store.DB) ([]arms.Arms, error) {
	last, err := arms.Last(ctx, db, a.Now())
	var out []arms.Arms
	for _, p := range experiment.Past(db.Dir()) {
		if last == nil || p.ID != last.Plan.ID {
			out = append(out, arms.Arms{Plan: p, Test: *p.Result})
		}
	}
	if last != nil && err == nil {
		out = append(out, *last)
	}
	return out, err
}

func replayed(ctx context.Context, o *options, filter store.Filter, r *report.Options) error {
	a := o.App
	p, err := past.Open(ctx, a, filter)
	if err != nil {
		return err
	}
	defer p.Close()
	r.Weeks = replay.Weeks(p.Prompts, r.Now.Location())
	if p.Cut {
		r.Judged = len(p.Prompts)
	}
	if o.Quick {
		return nil
	}
	here := p.Here(a)
	here.Say = r.Say
	lost, err := replay.Regressions(ctx, p.Prompts, p.Current, here, r.Now)
	if err != nil {
		return err
	}
	r.Again = &lost
	advice, err := p.Advise(ctx, a, r.Say)
	if err != nil {
		a.Note("the report has no proposals: %v", withHint(err))
		return nil
	}
	r.Proposals, r.Advised, r.Replayed = advice.Proposals, true, &advice.Now
	for _, x := range advice.Applied {
		row := report.Applied{Date: x.At.In(r.Now.Location()).Format(time.DateOnly), Text: x.Text}
		if x.Undone != nil {
			row.Text += r.Say(", undone")
		}
		r.Applied = append(r.Applied, row)
	}
	return nil
}
