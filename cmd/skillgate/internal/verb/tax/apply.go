package tax

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/edit"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/listing"
	"github.com/skillgate/skillgate/hooks/register"
)

// cut cuts the listing to names by the user's settings of the host, or with Undo takes that back.
func cut(ctx context.Context, o *Options, host *hooks.Host, s hostfile.Session, libraries []string) error {
	a := o.App
	place := s.Files(host)[0]
	f := &edit.File{
		Report: edit.Report{Host: host.Name, Scope: place.Scope, File: place.Path},
		Same:   "the list is not cut", Former: "the list was cut",
	}
	var err error
	if f.Before, err = register.ReadFile(f.File); err != nil {
		return err
	}
	names, originals, err := f.Before.Former()
	if err != nil {
		return err
	}
	if o.Undo {
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
	if f.Changed() && !o.Undo {
		if err := predict(ctx, o, f, host, s, libraries); err != nil {
			return err
		}
	}
	if err := edit.Apply(edit.Options{App: a, DryRun: o.DryRun, Yes: o.Yes, JSON: o.JSON}, []*edit.File{f}); err != nil {
		return err
	}
	if f.Status == "written" && !o.Undo && !o.JSON {
		fmt.Fprintln(a.Stdout, "Sessions that start from now on have it; `skillgate tax --undo` takes it back.")
	}
	return nil
}

// predict says what the cut saves here and what it costs.
func predict(ctx context.Context, o *Options, f *edit.File, host *hooks.Host, s hostfile.Session,
	libraries []string) error {
	now, err := listing.Compute(ctx, host, s, libraries, o.Options, o.App.Now())
	if err != nil {
		return err
	}
	options := o.Options
	if options.Fraction, err = strconv.ParseFloat(listing.CutTo, 64); err != nil {
		return err
	}
	then, err := listing.Compute(ctx, host, s, libraries, options, o.App.Now())
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
