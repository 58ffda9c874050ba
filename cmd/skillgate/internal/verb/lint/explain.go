package lint

import (
	"context"
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/lint/report"
)

// explain says how requests find one skill and what would mend it. With --diff it prints the
// change alone, for git apply; with --fix it carries it out too.
func explain(ctx context.Context, f *Options, j *job.Job) error {
	a := f.App
	advice, change, err := j.Advise(ctx, f.explain, f.paths)
	if err != nil {
		return jobError(err, "")
	}
	switch {
	case f.json:
		return a.PrintJSON(advice)
	case !f.diff:
		fmt.Fprint(a.Stdout, explained(advice))
	}
	return f.carryOut(change)
}

// carryOut prints a change as a diff and, with --fix, makes it; there may be none.
func (f *Options) carryOut(change *job.Proposal) error {
	if change == nil {
		return nil
	}
	if _, err := app.Raw(f.App.Stdout).Write(patch(f.App.Display(change.Entry.Path), change.Old, change.New)); err != nil {
		return err
	}
	if f.fix {
		return rewrite(change.Entry, change.Old, change.New)
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
			fmt.Fprintf(&b, "It takes none of %s that its neighbours are first for.\n", report.Plural(n, "request"))
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
