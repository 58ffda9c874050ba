package replay

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/cells"
	"github.com/skillgate/skillgate/gate/plural"
	"github.com/skillgate/skillgate/gate/replay"
)

// changeNames are the changes as people read them.
var changeNames = map[replay.Change]string{
	replay.NowFires: "now fires", replay.NowSilent: "now silent", replay.Winner: "winner changed",
	replay.Rank:   "rank changed",
	replay.Number: "more or fewer", replay.Unchanged: "unchanged",
}

var skippedNames = map[replay.Skipped]string{
	replay.NotKept: "not kept as text or terms", replay.NotLogged: "without a logged decision",
	replay.Failed: "logged as an error (no index)",
	replay.CutOff: "cut short by the deadline when they were decided", replay.NoIndex: "without an index to replay over",
}

func printReport(a *app.App, r *report) error {
	var b strings.Builder
	if len(r.Listed) > 0 {
		t := app.NewTable("change", "prompt", r.A, r.B, "because")
		for _, c := range r.Listed {
			t.AppendRow(table.Row{changeNames[c.Change], cells.Clip(app.Visible(c.Prompt), 40), sideText(c.A), sideText(c.B),
				cells.Clip(app.Visible(c.Cause), 70)})
		}
		a.FitTable(&b, t)
		if r.Skipped > 0 {
			fmt.Fprintf(&b, "and %d more (--limit 0 shows all)\n", r.Skipped)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s → %s: %d of %s would change (%s)\n", r.A, r.B, r.Compared-r.Changes[replay.Unchanged],
		plural.Of(r.Compared, "prompt"), app.Percent(r.Summary.Changed))
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
		t := app.NewTable("measure", r.A, r.B, "difference (95 % interval)", "of", "")
		for _, c := range r.Measures {
			t.AppendRow(table.Row{c.Measure, rateText(c.A), rateText(c.B), deltaText(c.Delta), countText(&c),
				measureText(c.Measure)})
		}
		a.FitTable(&b, t)
		fmt.Fprintf(&b, "of %s %d began a turn that is known to have ended, and of %d it is known which "+
			"skill they needed\n",
			plural.Of(r.Compared, "compared prompt"), r.Over, r.Known)
	}
	for _, s := range slices.Sorted(maps.Keys(r.Summary.Skipped)) {
		fmt.Fprintf(&b, "not compared: %d %s\n", r.Summary.Skipped[s], skippedNames[s])
	}
	if r.Unsure > 0 {
		fmt.Fprintf(&b, "not compared: %d known only by terms or start, which cannot be held against the decision on the "+
			"whole text\n", r.Unsure)
	} else if n := r.Forms[replay.Approximate]; n > 0 {
		fmt.Fprintf(&b, "replayed by terms only: %s\n", plural.Of(n, "prompt"))
	}
	if r.Stale > 0 {
		fmt.Fprintf(&b, "stale, counting for nothing: %s whose skill has changed or is gone\n",
			plural.Of(r.Stale, "label"))
	}
	if r.Source.Machine+r.Source.Repeated > 0 {
		fmt.Fprintf(&b, "left out: %s that no person typed, %s that a resumed session repeats\n",
			plural.Of(r.Source.Machine, "prompt"), plural.Of(r.Source.Repeated, "line"))
	}
	if r.Partial {
		fmt.Fprintln(&b, "PARTIAL: something could not be read; the rest counts")
	}
	for _, n := range append(r.Source.Text, r.Problems...) {
		fmt.Fprintf(&b, "  %s\n", app.Visible(n))
	}
	for _, f := range r.Failed {
		fmt.Fprintf(&b, "FAILED: %s\n", f)
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
	return cells.Clip(text, 34)
}

func rateText(r *replay.Rate) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%% (%.1f to %.1f)", 100*r.Value, 100*r.Low, 100*r.High)
}

func deltaText(r *replay.Rate) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%+.1f (%+.1f to %+.1f)", 100*r.Value, 100*r.Low, 100*r.High)
}

// countText is the number of cases behind a measure on both sides.
func countText(c *replay.Compared) string {
	n := func(r *replay.Rate) string {
		if r == nil {
			return "0"
		}
		return fmt.Sprint(r.N)
	}
	if a, b := n(c.A), n(c.B); a != b {
		return a + ", " + b
	}
	return n(c.A)
}

func measureText(name string) string {
	for _, m := range replay.Measures {
		if m.Name == name {
			return m.Text
		}
	}
	return ""
}

func printMisses(a *app.App, r missReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d with a known use, %s used that would not be named\n",
		plural.Of(r.Prompts, "prompt"), r.Known, plural.Of(len(r.Misses), "skill"))
	for _, m := range r.Misses {
		fmt.Fprintf(&b, "\n%s, after %s\n", app.Visible(m.Skill), plural.Of(len(m.Prompts), "prompt"))
		for i, p := range m.Prompts {
			if i == 5 {
				fmt.Fprintf(&b, "  and %d more\n", len(m.Prompts)-i)
				break
			}
			fmt.Fprintf(&b, "  %s: %s\n", cells.Clip(app.Visible(p.Prompt), 60), app.Visible(p.Why))
		}
		if m.Gone {
			fmt.Fprintln(&b, "  it is not installed here")
		}
	}
	if len(r.Misses) > 0 {
		fmt.Fprintln(&b, "\n`skillgate advise` proposes what to change where several prompts of several sessions need it")
	}
	if r.Partial {
		fmt.Fprintln(&b, "\nPARTIAL: something could not be read; the rest counts")
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

func printTuning(a *app.App, t replay.Tuning) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d searched prompts, %d with a known use\n\n", t.Prompts, t.Known)
	w := app.NewTable("injections per 100", "caught", "", "score_min", "need_min", "top_k", "")
	row := func(p replay.Point, mark string) {
		const width = 30 // cells of a share of 1
		w.AppendRow(table.Row{fmt.Sprintf("%.1f", p.Injections), app.Percent(p.Caught), strings.Repeat("█",
			int(p.Caught*width+0.5)), fmt.Sprintf("%.4g", p.ScoreMin), fmt.Sprintf("%.4g", p.NeedMin), p.TopK, mark})
	}
	// A curve of hundreds of points is drawn by some twenty.
	const drawn = 20
	step := max(1, (len(t.Curve)+drawn-1)/drawn)
	for i := 0; i < len(t.Curve); i += step {
		row(t.Curve[i], "")
	}
	row(t.Now, "now")
	row(t.Propose, "proposed")
	a.FitTable(&b, w)
	fmt.Fprintf(&b, "\nThe proposal has the fewest injections that lose no use caught now and name no more skills:\n")
	fmt.Fprintf(&b, "  injections per 100  %.1f (%.1f to %.1f), difference %+.1f (%+.1f to %+.1f)\n", t.Injections.Value,
		t.Injections.Low, t.Injections.High, t.InjectionsDelta.Value, t.InjectionsDelta.Low, t.InjectionsDelta.High)
	fmt.Fprintf(&b, "  caught              %s (%.1f to %.1f), difference %+.1f points (%+.1f to %+.1f)\n",
		app.Percent(t.Caught.Value), 100*t.Caught.Low, 100*t.Caught.High, 100*t.CaughtDelta.Value, 100*t.CaughtDelta.Low,
		100*t.CaughtDelta.High)
	fmt.Fprintf(&b, "  chosen on one half and measured on the other: %.1f injections per 100, %s caught\n",
		t.HeldOut.Injections, app.Percent(t.HeldOut.Caught))
	if t.Propose.Thresholds == t.Now.Thresholds {
		fmt.Fprintln(&b, "It is what you have: nothing to change.")
	} else {
		fmt.Fprintf(&b, "skillgate.yaml:\n  score_min: %.4g\n  need_min: %.4g\n  top_k: %d\n", t.Propose.ScoreMin,
			t.Propose.NeedMin, t.Propose.TopK)
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

func printExact(a *app.App, x replay.Exactness) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d reproduced exactly, %d different\n", plural.Of(x.Decisions, "decision"),
		x.Reproduced, x.Different)
	for _, why := range slices.Sorted(maps.Keys(x.Apart)) {
		fmt.Fprintf(&b, "apart: %d, %s\n", x.Apart[why], why)
	}
	for _, d := range x.Examples {
		fmt.Fprintf(&b, "%s differs in %s:\n  was %s\n  is  %s\n", d.ID, d.Where, app.Visible(d.Was), app.Visible(d.Is))
	}
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}
