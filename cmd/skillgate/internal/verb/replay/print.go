package replay

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/wording"
)

var changeNames = map[replay.Change]string{
	replay.NowFires: "now suggests", replay.NowSilent: "now silent", replay.Winner: "first skill changed",
	replay.Rank:   "order changed",
	replay.Number: "number of skills changed", replay.Unchanged: "unchanged",
}

var skippedNames = map[replay.Skipped]string{
	replay.NotKept: "not kept as text or terms", replay.NotLogged: "without a logged decision",
	replay.Failed: "logged as an error, such as a missing index",
	replay.CutOff: "search cut short by the deadline", replay.NoIndex: "their skills are not indexed",
}

const listed = 20

func printReport(a *app.App, r *report) error {
	var b strings.Builder
	if len(r.Listed) > 0 {
		t := app.NewTable("change", "prompt", r.A, r.B, "because")
		for _, c := range r.Listed[:min(listed, len(r.Listed))] {
			t.AppendRow(table.Row{changeNames[c.Change], wording.Clip(app.Visible(c.Prompt), 40), sideText(c.A), sideText(c.B),
				wording.Clip(app.Visible(c.Cause), 70)})
		}
		a.FitTable(&b, t)
		if more := len(r.Listed) - listed; more > 0 {
			fmt.Fprintf(&b, "and %d more (--json lists all)\n", more)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s → %s: %d of %s would get a different decision (%s)\n", r.A, r.B,
		r.Compared-r.Changes[replay.Unchanged], wording.Count(r.Compared, "prompt"), app.Percent(r.Summary.Changed))
	t := app.NewTable()
	for _, c := range replay.Changes {
		share := "-"
		if r.Compared > 0 {
			share = app.Percent(float64(r.Changes[c]) / float64(r.Compared))
		}
		t.AppendRow(table.Row{changeNames[c], r.Changes[c], share})
	}
	a.FitTable(&b, t)
	if len(r.Measures) > 0 {
		b.WriteByte('\n')
		t := app.NewTable("measure", r.A, r.B, "difference (95 % interval)", "")
		for _, c := range r.Measures {
			t.AppendRow(table.Row{c.Measure, rateText(c.A), rateText(c.B), deltaText(c.Delta), measureText(c.Measure)})
		}
		a.FitTable(&b, t)
		fmt.Fprintf(&b, "of %s, %d have a finished turn, and for %d the needed skill is known\n",
			wording.Count(r.Compared, "compared prompt"), r.Over, r.Known)
	}
	for _, s := range slices.Sorted(maps.Keys(r.Summary.Skipped)) {
		fmt.Fprintf(&b, "prompts not compared: %d (%s)\n", r.Summary.Skipped[s], skippedNames[s])
	}
	if r.Unsure > 0 {
		fmt.Fprintf(&b, "prompts not compared: %d (only their terms or a shortened text are in the log, but the decision "+
			"used the whole prompt)\n", r.Unsure)
	} else if n := r.Forms[replay.Approximate]; n > 0 {
		fmt.Fprintf(&b, "replayed from terms only: %s\n", wording.Count(n, "prompt"))
	}
	if r.Source.Machine+r.Source.Repeated > 0 {
		fmt.Fprintf(&b, "left out: %s that no person typed and %s that a resumed session repeats\n",
			wording.Count(r.Source.Machine, "prompt"), wording.Count(r.Source.Repeated, "line"))
	}
	if r.Partial {
		fmt.Fprintln(&b, "PARTIAL: the comparison is incomplete")
	}
	for _, n := range append(r.Source.Text, r.Problems...) {
		fmt.Fprintf(&b, "  %s\n", app.Visible(n))
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

func sideText(a answerJSON) string {
	if len(a.Named) == 0 {
		text := a.Verdict
		if a.Reason != "" {
			text = a.Reason
		}
		return text
	}
	text := app.Visible(a.Named[0])
	if n := len(a.Named) - 1; n > 0 {
		text += fmt.Sprintf(" +%d", n)
	}
	return wording.Clip(text, 34)
}

func rateText(r *replay.Rate) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%% of %d (%.1f to %.1f)", 100*r.Value, r.N, 100*r.Low, 100*r.High)
}

func deltaText(r *replay.Rate) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%+.1f (%+.1f to %+.1f)", 100*r.Value, 100*r.Low, 100*r.High)
}

func measureText(name string) string {
	for _, m := range replay.Measures {
		if m.Name == name {
			return m.Text
		}
	}
	return ""
}
