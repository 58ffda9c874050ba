// Package benchmark runs labelled prompts through the gate and prints quality measures, for `skillgate bench` and
// skillgate-dev.
package benchmark

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/workspace"
)

// Options are the options of a benchmark run.
type Options struct {
	App     *app.App
	Sets    []string // KEY=VALUE, for settings and ranking weights
	JSON    bool
	Save    string // file to save the run in, or ""
	Compare string // file with a saved run, or ""
}

// AddFlags adds flags to cmd that set the fields of o.
func (o *Options) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&o.Sets, "set", nil, "override a setting or a ranking weight with `KEY=VALUE`; may be repeated")
	flags.BoolVar(&o.JSON, "json", false, "print the results as JSON")
	flags.StringVar(&o.Save, "save", "", "save the results to `FILE` (numbers and ids, but no text)")
	flags.StringVar(&o.Compare, "compare", "", "also print the differences from the results saved in `FILE`")
}

// Job is a library and the sets of prompts to run on it.
type Job struct {
	Source *workspace.Source
	Sets   []bench.CaseSet
}

// Run runs the jobs and prints, saves and compares the results. published contains rows of
// published results on the same sets, which are printed too.
func Run(ctx context.Context, o *Options, jobs []Job, published []bench.Row) error {
	a := o.App
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	weights, err := o.Apply(&settings)
	if err != nil {
		return err
	}
	start := a.Now()
	var answers []bench.Answer
	for _, job := range jobs {
		entries, err := job.Source.Read(ctx)
		if err != nil {
			return err
		}
		has := make(map[string]bool, len(entries))
		for i := range entries {
			if id := entries[i].ID; has[id] {
				return fmt.Errorf("two skills have the id %q", id)
			}
			has[entries[i].ID] = true
		}
		for i := range job.Sets {
			if err := job.Sets[i].Check(func(id string) bool { return has[id] }); err != nil {
				return err
			}
		}
		job.Source.WithFiles = settings.Rerank.Enabled // the reranking model reads passages of the files
		g, err := workspace.Open(ctx, job.Source, a.Workspace(d, settings))
		if err != nil {
			return err
		}
		defer g.Close()
		if settings.Rerank.Enabled {
			helper := a.Helper(d, settings)
			if _, err := helper.Warm(); err != nil {
				return app.Hint(err, "`skillgate doctor` shows what is missing")
			}
			g.Reranker = helper.Config().Client()
		}
		Weigh(g, weights)
		for _, set := range job.Sets {
			got, err := bench.Ask(ctx, g, Library(job.Source), set, nil)
			if err != nil {
				return err
			}
			answers = append(answers, got...)
		}
	}
	var t bench.Table
	t.Sum(answers)
	t.Rows = append(t.Rows, published...)
	t.Seconds = a.Now().Sub(start).Seconds()
	return o.Finish(&t)
}

// Library returns the name of a library in tables, made of the names of its files and folders.
func Library(src *workspace.Source) string {
	var names []string
	for _, path := range src.Libraries {
		name := filepath.Base(path)
		names = append(names, strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".jsonl"))
	}
	return strings.Join(append(names, src.Name)[:max(1, len(names))], "+")
}

// Weigh sets ranking weights of g by name.
func Weigh(g *gate.Gate, weights map[string]float64) {
	for name, value := range weights {
		_ = g.Ranker().Weights.Set(name, value) // Apply has checked it
	}
}

// Apply applies --set to settings. A key that is not a setting must be a ranking weight; Apply returns these weights.
func (o *Options) Apply(settings *gate.Settings) (map[string]float64, error) {
	weights := map[string]float64{}
	known := rank.DefaultWeights()
	for _, set := range o.Sets {
		key, value, ok := strings.Cut(set, "=")
		if !ok {
			return nil, fmt.Errorf("--set %s: must have the form KEY=VALUE, where KEY is a setting or a ranking weight", set)
		}
		err := settings.Set(key, value)
		if err == nil {
			continue
		}
		if _, _, _, ok := known.Get(key); !ok {
			return nil, fmt.Errorf("--set %s: %w", set, err)
		}
		if weights[key], err = strconv.ParseFloat(value, 64); err != nil {
			return nil, fmt.Errorf("--set %s: %q is not a number", key, value)
		}
		if err := known.Set(key, weights[key]); err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
	}
	return weights, nil
}

// Finish saves and prints t, and prints the differences from the run in o.Compare.
func (o *Options) Finish(t *bench.Table) error {
	var changes []bench.TableChange
	if o.Compare != "" {
		before, err := bench.ReadTable(o.Compare)
		if err != nil {
			return fmt.Errorf("--compare: %w", err)
		}
		changes = bench.CompareTables(before, t)
	}
	if o.Save != "" {
		if err := t.Save(o.Save); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	if o.JSON {
		t.Answers = nil // only --save keeps the answers
		return o.App.PrintJSON(t)
	}
	if err := printTable(o.App, t); err != nil || o.Compare == "" {
		return err
	}
	return PrintChanges(o.App, changes)
}

func printTable(a *app.App, t *bench.Table) error {
	header := table.Row{"set", "library", "group", "n", "sources"}
	var measures []string
	for _, m := range bench.TableMeasures {
		for _, r := range t.Rows {
			if _, ok := r.Cells[m]; ok {
				measures, header = append(measures, m), append(header, m)
				break
			}
		}
	}
	tw := app.NewTable(header...)
	set := ""
	for _, r := range t.Rows {
		if set != "" && r.Set != set {
			tw.AppendSeparator()
		}
		set = r.Set
		row := table.Row{r.Set, r.Library, r.Group, r.N, r.Sources}
		for _, m := range measures {
			row = append(row, cellText(r.Cells, m))
		}
		tw.AppendRow(row)
	}
	err := a.PrintTable(tw)
	fmt.Fprintf(a.Stdout, "%.0f s\n", t.Seconds)
	return err
}

func cellText(cells map[string]bench.Cell, m string) string {
	c, ok := cells[m]
	switch {
	case !ok:
		return ""
	case c.N == 0: // a published value, which has no interval
		return Share(c.Mean)
	case c.Mean > 1:
		return fmt.Sprintf("%.0f [%.0f,%.0f]", c.Mean, c.Low, c.High)
	}
	return fmt.Sprintf("%s [%s,%s]", Share(c.Mean), Share(c.Low), Share(c.High))
}

// Share formats a share with three decimals and without a leading zero: 0.351 as .351.
func Share(v float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", v), "0") }

// PrintChanges prints the differences between two runs as a table.
func PrintChanges(a *app.App, changes []bench.TableChange) error {
	tw := app.NewTable("set", "library", "group", "measure", "n", "before", "after", "difference")
	for _, c := range changes {
		if c.Before == c.After && c.Low == c.High {
			continue
		}
		tw.AppendRow(table.Row{c.Set, c.Library, c.Group, c.Measure, c.N, Share(c.Before), Share(c.After),
			fmt.Sprintf("%+.3f [%+.3f,%+.3f]", c.After-c.Before, c.Low, c.High)})
	}
	return a.PrintTable(tw)
}
