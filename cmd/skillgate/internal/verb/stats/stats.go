// Package stats implements the command stats, which counts past decisions and their outcomes.
package stats

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

const shownSkills = 10

type options struct {
	App    *app.App
	Filter logged.Filter
	JSON   bool
}

func New(a *app.App) *cobra.Command {
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "stats [NAME]",
		Short: "Summarise decisions and their outcomes",
		Long: `stats counts decisions by verdict and reason, and shows how often suggested skills
were used and how long decisions took. "skillgate report" shows each week.

injected counts prompts with a suggestion, missed counts prompts after which the model used
a skill that was not suggested, and typed counts prompts in which the user typed /name.
followed is the share of finished turns in which a suggested skill was used. A turn
is finished if it ended while the session was watched. Intervals are Wilson
intervals. With NAME, the first lines are about that skill, the others about the
prompts for which it was suggested or used.

--json prints one object:

  decisions, sessions, first, last   numbers, and the times of the oldest and newest,
                                     which are absent if there is no decision
  injected, injection_rate           prompts with a suggestion, number and share
  by_verdict, by_reason, by_lang     lists of name and count
  follow                             prompts with a suggestion: named (all), known (turn finished),
                                     followed (of known, a suggested skill was used), early
                                     (used, but turn unfinished), unknown (the rest), rate
                                     (value, low, high, hits, n; or null)
  positions                          the same for the first, second, … skill of a suggestion
  skills                             the same for each skill, with name, missed, typed
  missed, typed                      prompts after which the model used a skill without a
                                     suggestion, and for which the user typed /name
  top_injected, top_loaded           most suggested, and most used by the model: name and
                                     count of prompts
  installed, never_used              number of skills, and those neither suggested nor used
  per_day                            date, decisions, injected
  kept                               newest prompts: prompts (all), terms (kept as terms),
                                     gone (kept as a hash or not at all)
  unreadable                         number of unreadable lines in the whole log
  ms                                 p50, p95, p99 of the time of a decision
  need_min, learned                  the threshold in use, and its last calibration`,
		Example: `  skillgate stats
  skillgate stats pdf
  skillgate stats --since 7d --lang ko
  skillgate stats --json | jq .follow.rate`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Filter.Skill = args[0]
			}
			return run(cmd.Context(), o)
		},
	}
	o.Filter.Add(cmd)
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the result as JSON")
	return cmd
}

func run(ctx context.Context, o *options) error {
	a := o.App
	filter, err := o.Filter.Parse(a)
	if err != nil {
		return err
	}
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	db, err := logged.Open(ctx, a)
	if err != nil {
		return err
	}
	defer db.Close()
	s, err := db.Stats(ctx, filter, store.StatsOptions{
		Catalog: catalog.Offered(ctx, d, a.Cwd, settings.Libraries), Top: shownSkills, Zone: a.Now().Location(),
	})
	if err != nil {
		return logged.Error(err, db.Dir())
	}
	learned, ok := gate.Bar(d)
	if o.JSON {
		var last *bar.Change
		if ok {
			last = &learned
		}
		return a.PrintJSON(struct {
			store.Stats
			NeedMin float64     `json:"need_min"`          // threshold in use
			Learned *bar.Change `json:"learned,omitempty"` // last change by calibrate or automatic calibration
		}{s, settings.NeedMin, last})
	}
	if s.Decisions == 0 {
		return logged.Error(logged.Nothing(ctx, a, db), db.Dir())
	}
	line := fmt.Sprintf("need_min   %.3g", settings.NeedMin)
	if ok && settings.Learned {
		line += a.Textf(", changed from %.3g on %s (by %s)", learned.From,
			learned.At.In(a.Now().Location()).Format(time.DateOnly), learned.By)
		if learned.By != bar.Reset {
			line += a.Textf(", learned from %s", learned.Known.Said(a.Textf))
		}
	}
	return printStats(a, s, filter.Skill, line)
}

func followText(a *app.App, t outcome.Tally) string {
	text := a.T("no finished turn")
	if r := t.Rate; r != nil {
		text = a.Textf("%d of %d finished turns (%s)", t.Followed, t.Known, logged.Interval(a, r))
	}
	if t.Early > 0 {
		text += a.Textf(", %d more in unfinished turns", t.Early)
	}
	return text + a.Textf(", %d unknown", t.Unknown)
}

func printStats(a *app.App, s store.Stats, skill, bar string) error {
	var b strings.Builder
	say := func(format string, args ...any) { b.WriteString(a.Textf(format, args...)) }
	for _, k := range s.Skills {
		if skill == "" || k.Name != skill && !strings.HasSuffix(k.Name, ":"+skill) {
			continue
		}
		say("%s\nsuggested  %d\nfollowed   %s\nmissed     %d\ntyped      %d\n\nprompts for which it was suggested or used:\n",
			app.Visible(k.Name), k.Named, followText(a, k.Tally), k.Missed, k.Typed)
	}
	say("%s in %s, %s to %s\n", a.Count(s.Decisions, "1 decision", "%d decisions"),
		a.Count(s.Sessions, "1 session", "%d sessions"), s.First.Format(time.DateOnly), s.Last.Format(time.DateOnly))
	say("injected   %d (%.1f%%)\n", s.Injected, 100*s.InjectionRate)
	say("followed   %s\n", followText(a, s.Follow))
	for i, t := range s.Positions {
		if len(s.Positions) > 1 && t.Rate != nil {
			say("  position %d  %d of %d (%s)\n", i+1, t.Followed, t.Known, logged.Interval(a, t.Rate))
		}
	}
	say("missed     %d\ntyped      %d\n%s\n", s.Missed, s.Typed, bar)
	say("latency    p50 %.1f ms, p95 %.1f ms, p99 %.1f ms\n\n", s.Ms.P50, s.Ms.P95, s.Ms.P99)
	for _, list := range []struct {
		title  string
		counts []store.Count
	}{
		{a.T("verdict"), s.ByVerdict}, {a.T("reason"), s.ByReason}, {a.T("language"), s.ByLang},
		{a.T("most suggested"), s.TopInjected}, {a.T("most used"), s.TopLoaded},
	} {
		printCounts(a, &b, list.title, list.counts)
	}
	if s.Installed > 0 {
		say("%d of %d installed skills have been suggested or used so far (--json lists the others)\n",
			s.Installed-len(s.NeverUsed), s.Installed)
	}
	b.WriteString(s.Kept.Cost(a.Textf, a.T("still counted"), a.T("counted too")))
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

func printCounts(a *app.App, b *strings.Builder, title string, counts []store.Count) {
	if len(counts) == 0 {
		return
	}
	t := app.NewTable(title, a.T("count"))
	for _, c := range counts {
		t.AppendRow(table.Row{app.Visible(c.Name), c.Count})
	}
	a.FitTable(b, t, table.ColumnConfig{Number: 2, Align: text.AlignRight})
}
