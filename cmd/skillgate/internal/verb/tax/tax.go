// Package tax implements the command tax, which shows what the host's list of skills costs.
package tax

import (
	"context"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/listing"
)

type options struct {
	app  *app.App
	JSON bool
	Host string
	listing.Options
}

func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "tax",
		Short: "Show how much context the host's list of skills takes up",
		Long: `tax computes what Claude Code's list of skills costs in each session in this folder.
The list contains every name. All descriptions together, including those of the host's
own skills, may take 1 % of the model's context window. The most used skills come
first, and if a description does not fit, the model sees only the name. Skills in a
library folder (setting "libraries") are not in the list; the hook suggests them with
their path.

The plugin (skillgate install --listing) shortens the list, including its names;
the numbers are then those of the shortened list.

The numbers apply to Claude Code 2.1.330. tax reads the model and the use of skills
from the host's files, and the host's own skills from the last session in this
folder. It estimates tokens in the same way as /context.`,
		Example: `  skillgate tax
  skillgate tax --model claude-sonnet-4-5
  skillgate tax --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for name, n := range map[string]int{"window": o.Window, "budget": o.Budget} {
				if cmd.Flags().Changed(name) && n < 1 {
					return app.Usage("--%s must be 1 or more, not %d", name, n)
				}
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the result as JSON")
	cmd.Flags().StringVar(&o.Host, "host", hooks.Claude.Name, "measure the list of `HOST`: "+hooks.Names())
	cmd.Flags().StringVar(&o.Model, "model", "", "compute for the model `NAME` instead of the model in the settings or "+
		"the last session")
	cmd.Flags().IntVar(&o.Window, "window", 0, "assume a context window of `N` tokens")
	cmd.Flags().IntVar(&o.Budget, "budget", 0, "assume that all descriptions together may take `N` "+
		"display columns (a Hangul syllable takes two)")
	return cmd
}

func run(ctx context.Context, o *options) error {
	a, host := o.app, hooks.Named(o.Host)
	switch {
	case host == nil:
		return app.Usage("--host is %q but must be %s", o.Host, hooks.Names())
	case host.Listing == nil:
		return app.Fail("`skillgate tax --host claude` measures Claude Code's listing", "%s", host.NoListing())
	}
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	t, err := listing.Compute(ctx, host, a.Session(d), s, o.Options, a.Now())
	if err != nil {
		return err
	}
	if o.JSON {
		return a.PrintJSON(t)
	}
	printTax(a, t)
	return nil
}

const shownDropped = 20

func printTax(a *app.App, r listing.Tax) {
	for _, p := range r.Problems {
		a.Note("%s", p)
	}
	if r.Names == 0 {
		fmt.Fprintf(a.Stdout, "No skills are installed here; the list contains only the host's own skills.\n")
	} else {
		t := app.NewTable("source", "skills", "characters in names", "descriptions", "dropped", "characters")
		for _, s := range r.Sources {
			t.AppendRow(table.Row{s.Source, s.Names, s.NameChars, s.Described, s.Dropped, s.Chars})
		}
		names := 0
		for _, s := range r.Sources {
			names += s.NameChars
		}
		t.AppendFooter(table.Row{"all", r.Names, names, r.Described, len(r.Dropped), r.Chars})
		_ = a.PrintTable(t) // App.Run reports errors of standard output
	}
	fmt.Fprintf(a.Stdout, "The list takes %d characters (about %d tokens) in every session; the host's own skills take "+
		"%d of these characters. All descriptions together may take %d display columns.\n", r.Total, r.Tokens, r.Own,
		r.Budget)
	fmt.Fprintf(a.Stdout, "The list is sent again %s.\n", r.Again)
	if r.Libraries > 0 {
		fmt.Fprintf(a.Stdout, "Skills in library folders: %d; they cost nothing here.\n", r.Libraries)
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(a.Stdout, "The plugin's shortened list leaves out %s.\n", wording.Count(r.LeftOut, "skill"))
	}
	if n := len(r.Without); n > 0 {
		fmt.Fprintf(a.Stdout, "Skills without a description, listed only by name (%d): %s\n", n, firstNames(r.Without))
	}
	if n := len(r.Dropped); n > 0 {
		fmt.Fprintf(a.Stdout, "%s dropped, so the model sees only the names of these skills: %s\n",
			wording.Count(n, "description"), firstNames(r.Dropped))
	}
	for _, s := range r.Savings {
		fmt.Fprintf(a.Stdout, "%s saves %d characters each time the list is sent", s.Change, s.Chars)
		if s.Described > 0 {
			fmt.Fprintf(a.Stdout, ", which makes room for %s of other skills", wording.Count(s.Described, "description"))
		}
		fmt.Fprintln(a.Stdout, ".")
	}
}

func firstNames(names []string) string {
	if len(names) <= shownDropped {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, … (%d more; --json lists all)", strings.Join(names[:shownDropped], ", "),
		len(names)-shownDropped)
}
