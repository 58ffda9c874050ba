// Package stats is the command that counts past decisions and what came of them.
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
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// Options are what the command line says.
type Options struct {
	App    *app.App
	Filter logged.Filter
	JSON   bool
	Top    int // length of the lists of skills
}

// New returns the command. run does the work; nil stands for Run.
func New(a *app.App, run func(context.Context, *Options) error) *cobra.Command {
	o := &Options{App: a}
	if run == nil {
		run = Run
	}
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Sum up what was decided and what came of it",
		Long: `stats counts decisions by verdict and reason, how often skills were named, how
often one of them was then used, how long decisions took, and which skills are
named most, used most, and never.

The follow rate counts only prompts after which some use was reported: no report
is not a no. A miss is a prompt after which the model used a skill unasked.`,
		Example: `  skillgate stats
  skillgate stats --since 7d --lang ko
  skillgate stats --json | jq .follow_rate`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Top < 0 {
				return app.Fail("", "--top is %d, want 0 or more", o.Top)
			}
			return run(cmd.Context(), o)
		},
	}
	o.Filter.Add(cmd)
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&o.Top, "top", 10, "length `N` of the lists of skills")
	return cmd
}

// Run prints the counts.
func Run(ctx context.Context, o *Options) error {
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
		Catalog: catalog.Offered(ctx, d, a.Cwd, settings.Libraries), Top: o.Top, Zone: a.Now().Location(),
	})
	if err != nil {
		return logged.Error(err, db.Dir())
	}
	if o.JSON {
		return a.PrintJSON(s)
	}
	if s.Decisions == 0 {
		return logged.Error(logged.Nothing(ctx, a, db), db.Dir())
	}
	return printStats(a.Stdout, s)
}

func printStats(w io.Writer, s store.Stats) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d decisions in %d sessions, %s to %s\n", s.Decisions, s.Sessions, s.First.Format(time.DateOnly),
		s.Last.Format(time.DateOnly))
	fmt.Fprintf(&b, "injected   %d (%.1f%%)\n", s.Injected, 100*s.InjectionRate)
	if s.FollowRate != nil {
		fmt.Fprintf(&b, "followed   %d of %d with a known outcome (%.1f%%), %d unknown\n", s.Followed, s.Known,
			100**s.FollowRate, s.Injected-s.Known)
	} else {
		fmt.Fprintf(&b, "followed   no outcome known yet, %d unknown\n", s.Injected)
	}
	fmt.Fprintf(&b, "missed     %d\n", s.Missed)
	fmt.Fprintf(&b, "latency    p50 %.1f ms, p95 %.1f ms, p99 %.1f ms\n\n", s.Ms.P50, s.Ms.P95, s.Ms.P99)
	for _, list := range []struct {
		title  string
		counts []store.Count
	}{
		{"verdict", s.ByVerdict}, {"reason", s.ByReason}, {"language", s.ByLang}, {"most named",
			s.TopInjected}, {"most used", s.TopLoaded},
	} {
		printCounts(&b, list.title, list.counts)
	}
	printBuckets(&b, "need", s.Need)
	printBuckets(&b, "score", s.Score)
	if days := s.PerDay; len(days) > 0 {
		const shown = 14
		t := app.NewTable()
		t.AppendHeader(table.Row{"day", "decisions", "injected"})
		for _, day := range days[max(0, len(days)-shown):] {
			t.AppendRow(table.Row{day.Date, day.Decisions, day.Injected})
		}
		app.WriteTable(&b, t)
	}
	if len(s.NeverUsed) > 0 {
		const shown = 20
		names := s.NeverUsed[:min(len(s.NeverUsed), shown)]
		fmt.Fprintf(&b, "%d installed skills were neither named nor used: %s", len(s.NeverUsed),
			app.Visible(strings.Join(names, ", ")))
		if len(s.NeverUsed) > shown {
			b.WriteString(", … (--json lists all)")
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printCounts(b *strings.Builder, title string, counts []store.Count) {
	if len(counts) == 0 {
		return
	}
	t := app.NewTable()
	t.AppendHeader(table.Row{title, "count"})
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}})
	for _, c := range counts {
		t.AppendRow(table.Row{app.Visible(c.Name), c.Count})
	}
	app.WriteTable(b, t)
}

func printBuckets(b *strings.Builder, title string, buckets []store.Bucket) {
	if len(buckets) == 0 {
		return
	}
	most := 0
	for _, k := range buckets {
		most = max(most, k.Count)
	}
	const width = 30 // cells of the longest bar
	t := app.NewTable()
	t.AppendHeader(table.Row{title, "count", ""})
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}})
	for _, k := range buckets {
		t.AppendRow(table.Row{fmt.Sprintf("%g to %g", k.From, k.To), k.Count, strings.Repeat("█",
			(k.Count*width+most-1)/most)})
	}
	app.WriteTable(b, t)
}
