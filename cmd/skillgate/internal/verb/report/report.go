// Package report is the command that writes a dashboard of past decisions.
package report

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal/report"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// Options are what the command line says.
type Options struct {
	App    *app.App
	Filter logged.Filter
	Output string // file, "" for standard output
	Force  bool   // write over Output
	Lang   string // in which the page opens, en or ko; "" for that of the environment
}

// New returns the command. run does the work; nil stands for Run.
func New(a *app.App, run func(context.Context, *Options) error) *cobra.Command {
	o := &Options{App: a}
	if run == nil {
		run = Run
	}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write a dashboard of past decisions as one HTML file",
		Long: `report writes what "skillgate stats" counts, and more, as a page that needs no
network: decisions by day, scores and need with their thresholds, times, follow
rates, misses, collisions, skills that nothing ever named. It is in English and
Korean, light and dark, and its tables can be sorted. It holds prompts as they
were logged: think before sharing it.`,
		Example: "  skillgate report --output report.html\n  skillgate report --since 30d > report.html",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := app.OneOf("page-lang", o.Lang, []string{"en", "ko"}); err != nil {
				return err
			}
			return run(cmd.Context(), o)
		},
	}
	o.Filter.Add(cmd)
	cmd.Flags().StringVar(&o.Output, "output", "", "write to a new `FILE` instead of standard output")
	cmd.Flags().BoolVar(&o.Force, "force", false, "write over --output")
	cmd.Flags().StringVar(&o.Lang, "page-lang", "", "language in which the page opens, en or ko (default: that of LANG)")
	return cmd
}

// Run writes the page.
func Run(ctx context.Context, o *Options) error {
	a := o.App
	filter, err := o.Filter.Parse(a)
	if err != nil {
		return err
	}
	page, err := build(ctx, o, filter)
	if err != nil {
		return err
	}
	if o.Output == "" {
		return page.Write(a.Stdout)
	}
	if _, err := os.Lstat(a.Absolute(o.Output)); err == nil && !o.Force {
		err = fmt.Errorf("%s: %w", o.Output, fs.ErrExist)
		return app.Hint(err, "--output makes a new file; --force writes over an old one")
	}
	if err := a.WriteShared(o.Output, page.Write); err != nil {
		return err
	}
	fmt.Fprintf(a.Stderr, "skillgate: %d decisions in %s\n", page.Stats.Decisions, o.Output)
	return nil
}

// build makes the page.
func build(ctx context.Context, o *Options, filter store.Filter) (*report.Page, error) {
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
	lang := o.Lang
	if lang == "" {
		lang = "en"
		if strings.HasPrefix(a.Getenv("LC_ALL")+a.Getenv("LANG"), "ko") {
			lang = "ko"
		}
	}
	page, err := report.Build(ctx, db, report.Options{
		Filter: filter, Catalog: catalog.Offered(ctx, d, a.Cwd, s.Libraries),
		Lang: lang, ScoreMin: s.ScoreMin, NeedMin: s.NeedMin, Now: a.Now(),
	})
	if errors.Is(err, report.ErrNone) {
		return nil, app.Hint(err, "the filters may leave none; `skillgate log` shows what was logged")
	}
	return page, logged.Error(err, db.Dir())
}
