package tax

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/edit"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/listing"
	"github.com/skillgate/skillgate/hooks/register"
)

func newApply(o *Options) *cobra.Command {
	e, undo := edit.Options{App: o.App}, false
	cmd := &cobra.Command{
		Use:   "apply",
		Short: "Cut the list to names in the host's settings",
		Long: `apply cuts the list of skills to names by one line in your settings of the host,
after it has said what that saves and costs and shown the change. --undo takes
it back.`,
		Example: `  skillgate tax apply --dry-run
  skillgate tax apply
  skillgate tax apply --undo`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return cut(cmd.Context(), o, e, undo)
		},
	}
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "show the change and make none")
	cmd.Flags().BoolVar(&e.Yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&undo, "undo", false, "take back what apply has done")
	o.addFlags(cmd)
	return cmd
}

// cut cuts the listing to names by the user's settings of the host, or with undo takes that back.
func cut(ctx context.Context, o *Options, e edit.Options, undo bool) error {
	a := o.App
	host, err := o.host()
	if err != nil {
		return err
	}
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	s := a.Session(d)
	place := s.Files(host)[0]
	f := &edit.File{
		Report: edit.Report{Host: host.Name, Scope: place.Scope, File: place.Path},
		Same:   "the list is not cut", Former: "the list was cut",
	}
	if f.Before, err = register.ReadFile(f.File); err != nil {
		return err
	}
	names, originals, err := f.Before.Former()
	if err != nil {
		return err
	}
	if undo {
		var created bool
		f.After, created, err = register.Unset(f.File, f.Before.Text, listing.Cut, listing.CutTo, originals...)
		f.Undoes(names, originals, created)
	} else {
		f.Same = "the list is cut already"
		f.After, err = register.Set(f.File, f.Before.Text, listing.Cut, listing.CutTo)
	}
	switch {
	case err != nil:
		return app.Hint(err, "correct the file, then run the command again; nothing was written")
	case !register.Plain(f.Before.Text):
		return app.Fail("make it plain JSON, then run the command again",
			"%s has comments or trailing commas: %s ignores such a file as a whole", f.File, host.Title)
	}
	if f.Changed() && !undo {
		if err := predict(ctx, o, f, host, s, settings); err != nil {
			return err
		}
	}
	e.JSON = o.JSON
	if err := edit.Apply(e, []*edit.File{f}); err != nil {
		return err
	}
	if f.Status == "written" && !undo && !o.JSON {
		fmt.Fprintln(a.Stdout, "Sessions that start from now on have it; `skillgate tax apply --undo` takes it back.")
	}
	return nil
}

func predict(ctx context.Context, o *Options, f *edit.File, host *hooks.Host, s hostfile.Session,
	settings gate.Settings) error {
	now, err := listing.Compute(ctx, host, s, settings, o.Options, o.App.Now())
	if err != nil {
		return err
	}
	options := o.Options
	if options.Fraction, err = strconv.ParseFloat(listing.CutTo, 64); err != nil {
		return err
	}
	then, err := listing.Compute(ctx, host, s, settings, options, o.App.Now())
	if err != nil {
		return err
	}
	if now.Total == then.Total {
		return app.Fail("look at `skillgate tax`",
			"nothing was written: the list would stay as it is, since no description is in it here, "+
				"or the project's settings or %s say how long it is", host.Listing.BudgetVar)
	}
	if !slices.ContainsFunc(s.Read(), hostfile.File.Answers) {
		f.Warn("the hook is not registered here, so that nothing would describe the skills: run `skillgate install` first")
	}
	if o.JSON {
		return nil
	}
	fmt.Fprintf(o.App.Stdout, `It saves %d of %d characters, about %d of %d tokens, in every session,
again %s.
The cost: %d of your skills lose their description. The model then sees their names alone, and
what they are for only where a hint says it; how well it chooses so has not been measured with a
live model. It holds in all your sessions, also in other folders. Most of the host's own skills
keep their description.

`, now.Total-then.Total, now.Total, now.Tokens-then.Tokens, now.Tokens, now.Again, now.Described-then.Described)
	return nil
}
