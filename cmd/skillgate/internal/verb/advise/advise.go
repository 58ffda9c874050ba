// Package advise implements the command advise, which proposes changes and applies them.
package advise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/past"
	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func New(a *app.App) *cobra.Command {
	var asJSON bool
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "advise",
		Short: "Propose changes and show their effect on past prompts",
		Long: `advise reads the outcomes of past prompts and proposes changes, the most useful
first: a phrase for a description, a word for your dictionary, a boundary for a
skill that is suggested in place of another, disabling a skill that is suggested
and never used, or requests written by a model. Each proposal is replayed on the
log, and its effect is measured on the half of the sessions that it was not
derived from. A proposal needs at least three prompts from two sessions.

"apply N" shows a change as a diff, asks for confirmation and makes the change; "undo"
reverts the newest change. If a proposal needs a command such as "skillgate enrich", the
command is shown. Later, "skillgate stats NAME" shows the result.`,
		Example: "  skillgate advise\n  skillgate advise apply 1\n  skillgate advise undo",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			known, r, err := o.look(cmd.Context())
			if err != nil {
				return err
			}
			defer known.Close()
			if asJSON {
				return a.PrintJSON(r)
			}
			return print(a, known, r)
		},
	}
	cmd.PersistentFlags().StringVar(&o.since, "since", "90d", "use only prompts since `WHEN`, such as 30d or 2026-11-03")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.AddCommand(newApply(o), newUndo(o))
	return cmd
}

func newApply(o *options) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "apply N",
		Short:   "Show the diff of a proposal and apply it",
		Example: "  skillgate advise apply 1\n  skillgate advise apply 2 --yes",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return app.Fail(o.T("`skillgate advise` lists the proposals with their numbers"),
					o.T("%q is not the number of a proposal"), args[0])
			}
			known, r, err := o.look(cmd.Context())
			if err != nil {
				return err
			}
			defer known.Close()
			if n > len(r.Proposals) {
				return app.Fail(o.T("`skillgate advise` lists the proposals with their numbers"),
					o.T("there is no proposal %d; number of proposals: %d"), n, len(r.Proposals))
			}
			p := &r.Proposals[n-1]
			if p.Edit == nil {
				return app.Fail(o.Textf("run `%s`", p.Command), o.T("proposal %d must be applied with a command"), n)
			}
			fmt.Fprintln(o.Stdout, app.Visible(p.Text))
			o.diff(p.Edit.File, p.Edit.Old, p.Edit.New, o.T("changed"))
			if !yes {
				if err := o.Confirm(o.Textf("change %s", p.Edit.File), "nothing was changed", "add --yes"); err != nil {
					return err
				}
			}
			if err := advise.Apply(known.Dirs.State, p, o.Now()); err != nil {
				return app.Hint(err, o.T("run `skillgate advise` again"))
			}
			o.Say("changed %s; `skillgate advise undo` reverts it\n", p.Edit.File)
			return nil
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func newUndo(a *options) *cobra.Command {
	var forget bool
	cmd := &cobra.Command{
		Use:   "undo",
		Short: "Revert the newest applied proposal",
		Long: `undo restores the file of the newest applied proposal. If the file has changed
since, undo leaves it unchanged and shows the change to revert by hand. With --forget,
undo only marks the proposal as reverted and leaves the file unchanged; the next undo
then reverts the proposal before it.`,
		Example: "  skillgate advise undo\n  skillgate advise undo --forget",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := a.Places()
			if err != nil {
				return err
			}
			back, err := advise.Undo(d.State, a.Now(), forget)
			switch {
			case errors.Is(err, advise.ErrChanged):
				a.diff(back.Edit.File, back.Edit.New, back.Edit.Old, a.T("before"))
				return app.Hint(err, a.T("revert it by hand as shown above, then run `skillgate advise undo --forget`"))
			case errors.Is(err, advise.ErrUnreadable):
				return app.Hint(err, advise.SetAside)
			case err != nil:
				return err
			case back == nil:
				return app.Fail(a.T("`skillgate advise` lists the proposals"), "%s",
					a.T("there is no applied proposal to revert"))
			case forget:
				a.Say("%s was left unchanged; the proposal is marked as reverted: %s\n", back.Edit.File, app.Visible(back.Text))
				return nil
			}
			a.Say("%s was restored; reverted proposal: %s\n", back.Edit.File, app.Visible(back.Text))
			return nil
		},
	}
	cmd.Flags().BoolVar(&forget, "forget", false, "leave the file unchanged and mark the proposal as reverted")
	return cmd
}

func (o *options) diff(file, from, to, what string) {
	fmt.Fprintf(o.Stdout, "%s", diff.Diff(file, []byte(from), file+" ("+what+")", []byte(to)))
}

type options struct {
	*app.App
	since string
}

func (o *options) look(ctx context.Context) (*past.Past, *past.Advice, error) {
	since, err := logged.When("since", o.since, o.Now())
	if err != nil {
		return nil, nil, err
	}
	p, err := past.Open(ctx, o.App, store.Filter{Since: since})
	if err != nil {
		return nil, nil, err
	}
	r, err := p.Advise(ctx, o.App, o.Textf)
	if err != nil {
		p.Close()
	}
	return p, r, err
}

func print(a *app.App, known *past.Past, r *past.Advice) error {
	var b strings.Builder
	say := func(format string, args ...any) { b.WriteString(a.Textf(format, args...)) }
	for i, p := range r.Proposals {
		say("%d. %s\n   why     %s\n", i+1, app.Visible(p.Text), app.Visible(p.Evidence))
		if e := p.Effect; e != nil {
			say("   effect  on held-out sessions: %s\n           on the other sessions: "+
				"%s\n", part(a, e.HeldOut), part(a, e.Chosen))
		} else {
			say("   effect  unknown: there is nothing to replay\n")
		}
		if p.Shared > 0 {
			say("   shares  %d of its %d prompts with the proposals above: apply one, then run `skillgate advise` again\n",
				p.Shared, len(p.Prompts))
		}
		say("   risk    %s\n   do      %s\n\n", app.Visible(p.Risk), app.Visible(p.Do(i+1)))
	}
	if len(r.Proposals) == 0 {
		say("nothing to propose: a proposal needs several prompts; of %d prompts in the log, %d have a finished turn\n",
			r.Prompts, r.Ended)
	} else {
		say("the proposals are based on %d prompts, of which %d have a finished turn\n", r.Prompts, r.Ended)
	}
	b.WriteString(known.Cost(a, a.T("they yield no phrases or words to propose")))
	for _, x := range r.Applied {
		state := ""
		if x.Undone != nil {
			state = a.T(", undone")
		}
		say("applied %s: %s%s\n", x.At.In(a.Now().Location()).Format(time.DateOnly), app.Visible(x.Text), state)
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

func part(a *app.App, p advise.Part) string {
	text := a.Textf("of %d prompts, %d now get the skill that they needed and %d no longer get it", p.Prompts,
		p.Caught, p.Lost)
	if p.Fewer != 0 {
		text += a.Textf("; change in the number of suggestions: %+d", -p.Fewer)
	}
	if p.Spared+p.Bothers > 0 {
		text += a.Textf("; a needless suggestion goes away for %d prompts and is added for %d", p.Spared, p.Bothers)
	}
	return text
}
