package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func newStatsCommand(e *env) *cobra.Command {
	var f filterFlags
	var asJSON bool
	var top int
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
			if top < 0 {
				return &exitError{code: 3, err: fmt.Errorf("--top is %d, want 0 or more", top)}
			}
			filter, err := f.filter(e)
			if err != nil {
				return err
			}
			d, settings, err := e.placesAndSettings()
			if err != nil {
				return err
			}
			db, err := e.openJournal(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			s, err := db.Stats(cmd.Context(), filter, store.StatsOptions{
				Catalog: e.installedSkills(cmd.Context(), d, settings), Top: top, Zone: e.now().Location(),
			})
			if err != nil {
				return journalError(err, db.Dir())
			}
			if asJSON {
				enc := json.NewEncoder(e.stdout)
				enc.SetIndent("", "  ")
				return enc.Encode(s)
			}
			if s.Decisions == 0 {
				return journalError(e.logNothing(cmd.Context(), db), db.Dir())
			}
			return printStats(e.stdout, s)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&top, "top", 10, "length `N` of the lists of skills")
	return cmd
}

// installedSkills names the skills that a session here could be offered. Files
// that cannot be read are left out; index and doctor report them.
func (e *env) installedSkills(ctx context.Context, d dirs.Dirs, s gate.Settings) []string {
	roots, _ := catalog.Roots(d, e.cwd, s.Libraries)
	policy, _ := catalog.LoadPolicy(d, e.cwd)
	files, _ := catalog.Files(ctx, roots, nil)
	var entries []catalog.Entry
	for _, f := range files {
		if roots[f.Root].Pool != catalog.Skill {
			continue
		}
		if entry, err := catalog.Read(roots[f.Root], f); err == nil {
			entries = append(entries, entry)
		}
	}
	entries, _ = catalog.Precedence(entries)
	var names []string
	for _, entry := range entries {
		if entry.ModelInvocable && policy.Allows(entry.Name, entry.Pool, entry.Source, entry.Plugin) {
			names = append(names, entry.Name)
		}
	}
	return names
}

func printStats(w io.Writer, s store.Stats) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d decisions in %d sessions, %s to %s\n", s.Decisions, s.Sessions, s.First.Format(time.DateOnly), s.Last.Format(time.DateOnly))
	fmt.Fprintf(&b, "injected   %d (%.1f%%)\n", s.Injected, 100*s.InjectionRate)
	if s.FollowRate != nil {
		fmt.Fprintf(&b, "followed   %d of %d with a known outcome (%.1f%%), %d unknown\n", s.Followed, s.Known, 100**s.FollowRate, s.Injected-s.Known)
	} else {
		fmt.Fprintf(&b, "followed   no outcome known yet, %d unknown\n", s.Injected)
	}
	fmt.Fprintf(&b, "missed     %d\n", s.Missed)
	fmt.Fprintf(&b, "latency    p50 %.1f ms, p95 %.1f ms, p99 %.1f ms\n\n", s.Ms.P50, s.Ms.P95, s.Ms.P99)
	for _, list := range []struct {
		title  string
		counts []store.Count
	}{
		{"verdict", s.ByVerdict}, {"reason", s.ByReason}, {"language", s.ByLang}, {"most named", s.TopInjected}, {"most used", s.TopLoaded},
	} {
		printCounts(&b, list.title, list.counts)
	}
	printBuckets(&b, "need", s.Need)
	printBuckets(&b, "score", s.Score)
	if days := s.PerDay; len(days) > 0 {
		const shown = 14
		t := newTable()
		t.AppendHeader(table.Row{"day", "decisions", "injected"})
		for _, day := range days[max(0, len(days)-shown):] {
			t.AppendRow(table.Row{day.Date, day.Decisions, day.Injected})
		}
		writeTable(&b, t)
	}
	if len(s.NeverUsed) > 0 {
		const shown = 20
		names := s.NeverUsed[:min(len(s.NeverUsed), shown)]
		fmt.Fprintf(&b, "%d installed skills were neither named nor used: %s", len(s.NeverUsed), visible(strings.Join(names, ", ")))
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
	t := newTable()
	t.AppendHeader(table.Row{title, "count"})
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}})
	for _, c := range counts {
		t.AppendRow(table.Row{visible(c.Name), c.Count})
	}
	writeTable(b, t)
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
	t := newTable()
	t.AppendHeader(table.Row{title, "count", ""})
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}})
	for _, k := range buckets {
		t.AppendRow(table.Row{fmt.Sprintf("%g to %g", k.From, k.To), k.Count, strings.Repeat("█", (k.Count*width+most-1)/most)})
	}
	writeTable(b, t)
}
