// Package tax is the command that shows what the host's listing of skills costs.
package tax

import (
	"context"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/listing"
)

// host is the one whose listing is known.
var host = &hooks.Claude

// Options are what the command line says.
type Options struct {
	App    *app.App
	JSON   bool
	Window int // of the model, in tokens
	Budget int // of the listing, in characters; 0 for what settings and window give it
}

// New returns the command. run does the work; nil stands for Run.
func New(a *app.App, run func(context.Context, *Options) error) *cobra.Command {
	o := &Options{App: a}
	if run == nil {
		run = Run
	}
	cmd := &cobra.Command{
		Use:   "tax",
		Short: "Show what the host's skill listing costs in this folder",
		Long: `tax computes what Claude Code's listing of skills takes of every session here. The
host lists every name; descriptions share 1 % of the model's context window with
the host's own skills, and those that do not fit are dropped: the model then
chooses by the bare name. Skills in a library folder (setting "libraries") are in no
listing; the hook names them with their path when a prompt needs them.

The numbers follow Claude Code 2.1.197. It keeps the descriptions of often used
skills longest; tax does not know the use and goes by the listing's order.`,
		Example: `  skillgate tax
  skillgate tax --window 1000000
  skillgate tax --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Window < 1 || o.Budget < 0 {
				return app.Fail("", "--window and --budget must be above 0")
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&o.Window, "window", host.Listing.Window, "the model's context window has `N` tokens")
	cmd.Flags().IntVar(&o.Budget, "budget", 0, "the listing has `N` characters, instead of what the window gives it")
	return cmd
}

// Run prints what the listing costs.
func Run(ctx context.Context, o *Options) error {
	a := o.App
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	t, err := listing.Compute(ctx, host.Listing, a.Session(d), s.Libraries, o.Window, o.Budget)
	if err != nil {
		return err
	}
	if o.JSON {
		return a.PrintJSON(t)
	}
	printTax(a, t)
	return nil
}

// shownDropped is how many dropped names are printed; --json has all.
const shownDropped = 20

func printTax(a *app.App, r listing.Tax) {
	for _, p := range r.Problems {
		a.Note("%s", p)
	}
	if r.Names == 0 {
		fmt.Fprintf(a.Stdout, "No installed skills here: the listing holds only the host's own.\n")
	} else {
		t := table.NewWriter()
		t.SetStyle(table.StyleLight)
		t.SetOutputMirror(a.Stdout)
		t.AppendHeader(table.Row{"source", "names", "of names", "descriptions shown", "dropped", "characters"})
		for _, s := range r.Sources {
			t.AppendRow(table.Row{s.Source, s.Names, s.NameChars, s.Described, s.Dropped, s.Chars})
		}
		names := 0
		for _, s := range r.Sources {
			names += s.NameChars
		}
		t.AppendFooter(table.Row{"all", r.Names, names, r.Described, len(r.Dropped), r.Chars})
		var columns []table.ColumnConfig
		for i := 2; i <= 6; i++ {
			columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight,
				AlignFooter: text.AlignRight})
		}
		t.SetColumnConfigs(columns)
		t.Render()
		fmt.Fprintf(a.Stdout, "\n%d characters a session, about %d tokens, and about %d more for the host's own skills; budget %d.\n", r.Chars, r.Chars/4, host.Listing.Bundled, r.Budget)
	}
	if r.Libraries > 0 {
		fmt.Fprintf(a.Stdout, "%d skills in library folders cost nothing here.\n", r.Libraries)
	}
	if n := len(r.Without); n > 0 {
		fmt.Fprintf(a.Stdout, "%d without a description, chosen by name alone: %s\n", n, firstNames(r.Without))
	}
	if n := len(r.Dropped); n > 0 {
		fmt.Fprintf(a.Stdout, "%d descriptions dropped, chosen by name alone: %s\n", n, firstNames(r.Dropped))
	}
	for _, s := range r.Savings {
		fmt.Fprintf(a.Stdout, "Moving %s to a library folder saves %d characters a session", s.Source, s.Chars)
		if s.Described > 0 {
			fmt.Fprintf(a.Stdout, "; %d of the other skills get their description back", s.Described)
		}
		fmt.Fprintln(a.Stdout, ".")
	}
}

func firstNames(names []string) string {
	if len(names) <= shownDropped {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, … (%d more; --json has all)", strings.Join(names[:shownDropped], ", "),
		len(names)-shownDropped)
}
