package lint

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/lint/report"
	"github.com/skillgate/skillgate/gate/plural"
)

// newExplain returns the command that explains a skill's grade.
func newExplain(a *app.App) *cobra.Command {
	f, c := &selection{App: a}, &change{App: a}
	cmd := &cobra.Command{
		Use:   "explain SKILL [PATH...]",
		Short: "Say why requests find a skill or not, and what would mend it",
		Long: `explain says how requests of its own find SKILL, a name or a folder, among the
skills at the paths or the installed ones: which find another skill first, and
by which word. Where phrases of its body would mend that without taking a
request from its neighbours, it prints them as a change of the file, with the
grade before and after.`,
		Example: `  skillgate lint explain pdf
  skillgate lint explain pdf skills --diff | git apply
  skillgate lint explain pdf skills --fix`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.paths = args[1:]
			return explain(cmd.Context(), f, c, args[0])
		},
	}
	c.addFlags(cmd)
	return cmd
}

// explain says how requests find one skill and what would mend it.
func explain(ctx context.Context, f *selection, c *change, skill string) error {
	return f.work(func(j *job.Job) error {
		advice, mended, err := j.Advise(ctx, skill, f.paths)
		if err != nil {
			return jobError(err, "")
		}
		return c.carryOut(advice, explained(advice), mended)
	})
}

// change is what a command does with its proposal for one skill.
type change struct {
	App             *app.App
	json, diff, fix bool
}

func (c *change) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.json, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&c.diff, "diff", false, "print the change alone")
	cmd.Flags().BoolVar(&c.fix, "fix", false, "make the change")
	cmd.MarkFlagsMutuallyExclusive("json", "diff")
}

// carryOut prints the result and its change, which there may not be, as a diff, and makes it with --fix.
func (c *change) carryOut(result any, text string, p *job.Proposal) error {
	a := c.App
	switch {
	case c.json:
		if err := a.PrintJSON(result); err != nil {
			return err
		}
	case !c.diff:
		fmt.Fprint(a.Stdout, text)
	case p == nil:
		fmt.Fprint(a.Stderr, text) // git apply reads the other stream
	}
	if p == nil {
		return nil
	}
	if !c.json {
		if _, err := app.Raw(a.Stdout).Write(patch(a.Display(p.Entry.Path), p.Old, p.New)); err != nil {
			return err
		}
	}
	if c.fix {
		return rewrite(p.Entry, p.Old, p.New)
	}
	return nil
}

// explained is an advice as text, up to the change.
func explained(x *lint.Advice) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", x.Path, standing(x.Score))
	for _, reason := range x.Score.Reasons {
		fmt.Fprintf(&b, "  %s\n", reason)
	}
	if len(x.Missed) > 0 {
		fmt.Fprintln(&b, "\nRequests of its own that find another skill first (a trigger or clause is taken out of its "+
			"text when asked):")
	}
	for _, m := range x.Missed {
		fmt.Fprintf(&b, "  %q: %s", m.Prompt, place(m.Place))
		if m.With != m.Place {
			fmt.Fprintf(&b, ", with the change %s", place(m.With))
		}
		if m.First != "" {
			fmt.Fprintf(&b, "; first is %s", m.First)
		}
		if m.By != "" {
			fmt.Fprintf(&b, ", by %s", m.By)
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintln(&b)
	switch {
	case x.Refused != "":
		fmt.Fprintf(&b, "These phrases of its body would mend it, and cannot be added: %s (%s)\n", quoted(x.Add), x.Refused)
	case len(x.Add) == 0:
		fmt.Fprintln(&b, "No phrase of its body would make them find it and leave other skills theirs.")
	case len(x.Taken) > 0:
		fmt.Fprintf(&b, "%s would mend it, but take %q from %s.\n", quoted(x.Add), x.Taken[0].Prompt, x.Taken[0].ID)
	case x.After.First < x.Score.First:
		fmt.Fprintf(&b, "%s would help these requests, but not others: %s.\n", quoted(x.Add), standing(*x.After))
	default:
		fmt.Fprintf(&b, "With %s in its description: %s.\n", quoted(x.Add), standing(*x.After))
		if n := len(x.Checked); n > 0 {
			fmt.Fprintf(&b, "It takes none of %s that its neighbours are first for.\n", plural.Of(n, "request"))
		}
	}
	return b.String()
}

// standing says how surely requests find a skill.
func standing(s lint.Score) string {
	if s.Grade == lint.NotMeasured || s.Grade == lint.Unread {
		return "grade " + s.Grade
	}
	return fmt.Sprintf("grade %s, an estimated %.0f %% of requests find it first, %.0f %% among the first five (%s)",
		s.Grade, 100*s.First, 100*s.Five, report.Evidence(s))
}

func place(n int) string {
	if n > findable.Depth {
		return fmt.Sprintf("not among the first %d", findable.Depth)
	}
	return fmt.Sprintf("place %d", n)
}

func quoted(list []string) string {
	var out []string
	for _, one := range list {
		out = append(out, fmt.Sprintf("%q", one))
	}
	return strings.Join(out, ", ")
}
