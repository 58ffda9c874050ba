package lint

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/plural"
)

// Triggers are the options of `lint triggers`.
type Triggers struct {
	App   *app.App
	Paths []string
	Fix   bool
}

// newTriggers returns the command that proposes trigger phrases; nil means RunTriggers.
func newTriggers(a *app.App, run func(context.Context, *Triggers) error) *cobra.Command {
	o := &Triggers{App: a}
	if run == nil {
		run = RunTriggers
	}
	cmd := &cobra.Command{
		Use:   "triggers [PATH...]",
		Short: "Propose trigger phrases for descriptions, from what enrich wrote, as a diff",
		Long: `triggers proposes a diff that adds to each description the phrases of its
expansion that say most of what the skill's own text lacks. It reads the skills
at the paths, or the installed ones.`,
		Example: "  skillgate lint triggers\n  skillgate lint triggers ./skills/pdf --fix",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Paths = args
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.Fix, "fix", false, "add them")
	return cmd
}

// RunTriggers prints the diffs, and changes the files with Fix.
func RunTriggers(ctx context.Context, o *Triggers) error {
	a := o.App
	known, installed, err := enrichment.Store(ctx, a, false)
	if err != nil {
		return err
	}
	entries := installed
	if len(o.Paths) > 0 {
		d, err := a.Places()
		if err != nil {
			return err
		}
		if entries, err = job.EntriesAt(ctx, d, a.Cwd, o.Paths); err != nil {
			return err
		}
	}
	p, err := job.ProposeTriggers(known, entries, installed)
	if err != nil {
		return err
	}
	for _, err := range p.Refused {
		a.Note("%v", err)
	}
	for _, x := range p.Texts {
		fmt.Fprintf(a.Stdout, "%s", patch(a.Display(x.Entry.Path), x.Old, x.New))
		if o.Fix {
			if err := rewrite(x.Entry, x.Old, x.New); err != nil {
				return err
			}
		}
	}
	verb := "triggers proposed for"
	if o.Fix {
		verb = "triggers added to"
	}
	fmt.Fprintf(a.Stderr, "%s %s", verb, plural.Of(len(p.Texts), "description"))
	if p.Without > 0 {
		fmt.Fprintf(a.Stderr, "; without an expansion: %s (`skillgate enrich --dry-run`)",
			plural.Of(p.Without, "skill"))
	}
	fmt.Fprintln(a.Stderr)
	return nil
}
