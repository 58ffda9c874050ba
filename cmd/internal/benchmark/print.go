package benchmark

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/wording"
)

// printBench prints a run: a table for each set and task, the differences and the time it took.
func printBench(w io.Writer, r *bench.Report) error {
	var b strings.Builder
	for _, s := range r.Sections {
		printSection(&b, s)
		if s.Style == bench.SkillRetBench {
			printPublished(&b, s, r.Published)
		}
	}
	if len(r.Differences) > 0 {
		printDifferences(&b, r.Differences)
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(&b, "for libraries that are not loaded: %s\n", wording.Count(r.LeftOut, "prompt"))
	}
	if r.Reranked > 0 || r.NotReranked != nil {
		fmt.Fprintf(&b, "reranked: %d\n", r.Reranked)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.NotReranked)) {
		fmt.Fprintf(&b, "not reranked, %s: %s\n", wording.Count(r.NotReranked[reason], "time"), reason)
	}
	fmt.Fprintf(&b, "%s over %s in %.2f s: %.0f prompts/s\n", wording.Count(r.Prompts, "prompt"),
		wording.Count(r.Skills, "skill"), r.Seconds, r.PerSecond)
	_, err := io.WriteString(w, b.String())
	return err
}

// printSection prints measures as rows and groups as columns.
func printSection(b *strings.Builder, s bench.Section) {
	title := s.Set + " · " + string(s.Task)
	if s.Set == "" {
		title = "gate, over all prompts"
	}
	t := app.NewTable()
	head, count := table.Row{title}, table.Row{"prompts"}
	configs := []table.ColumnConfig{{Number: 1}}
	for i, g := range s.Groups {
		head = append(head, g.Name)
		count = append(count, g.N)
		configs = append(configs, table.ColumnConfig{Number: i + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(head)
	t.AppendRow(count)
	for _, m := range s.Measures {
		row := table.Row{m}
		for _, g := range s.Groups {
			row = append(row, rateCell(g.Rates[m], g.N))
		}
		t.AppendRow(row)
	}
	app.WriteTable(b, t)
}

// rateCell is a rate with its standard error, and the number of prompts behind
// it where that is not the whole group.
func rateCell(r bench.Rate, group int) string {
	switch {
	case r.N == 0:
		return "–"
	case r.N < group:
		return fmt.Sprintf("%s ±%s (%d)", fraction(r.Mean), fraction(r.SE), r.N)
	}
	return fmt.Sprintf("%s ±%s", fraction(r.Mean), fraction(r.SE))
}

// fraction prints a number with three places and no zero before the point.
func fraction(v float64) string {
	s := fmt.Sprintf("%.3f", v)
	return strings.Replace(strings.Replace(s, "-0.", "-.", 1), "0.", ".", 1)
}

// printPublished prints our figures above those that come with the benchmark,
// by setting and as the mean over settings.
func printPublished(b *strings.Builder, s bench.Section, published bench.Published) {
	measures := slices.DeleteFunc(slices.Clone(s.Measures), func(m string) bool {
		return !strings.Contains(m, "@") && m != "MRR" && m != "MAP"
	})
	methods := map[string]map[string]map[string]float64{}
	settings := []string{}
	ours := map[string]map[string]float64{}
	for _, g := range s.Groups {
		if g.By != "class" {
			continue
		}
		settings = append(settings, g.Name)
		ours[g.Name] = map[string]float64{}
		for m, rate := range g.Rates {
			ours[g.Name][m] = rate.Mean
		}
	}
	names := []string{"skillgate"}
	methods["skillgate"] = ours
	for name, results := range published {
		methods[name] = results
		names = append(names, name)
	}
	slices.Sort(names[1:])
	t := app.NewTable()
	head := table.Row{"setting", "method"}
	configs := []table.ColumnConfig{}
	for i, m := range measures {
		head = append(head, m)
		configs = append(configs, table.ColumnConfig{Number: i + 3, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(head)
	for _, setting := range append(settings, "mean") {
		for _, name := range names {
			row := table.Row{setting, name}
			for _, m := range measures {
				row = append(row, publishedCell(methods[name], setting, settings, m))
			}
			t.AppendRow(row)
		}
	}
	app.WriteTable(b, t)
}

// publishedCell is one method's figure for a setting, or the mean over settings.
func publishedCell(results map[string]map[string]float64, setting string, settings []string, measure string) string {
	if setting != "mean" {
		settings = []string{setting}
	}
	sum := 0.0
	for _, name := range settings {
		v, ok := results[name][measure]
		if !ok {
			return "–"
		}
		sum += v
	}
	if len(settings) == 0 {
		return "–"
	}
	return fraction(sum / float64(len(settings)))
}

// printDifferences prints the measures that differ for any prompt.
func printDifferences(b *strings.Builder, differences []bench.Difference) {
	differences = slices.DeleteFunc(slices.Clone(differences),
		func(d bench.Difference) bool { return d.Better+d.Worse == 0 })
	if len(differences) == 0 {
		b.WriteString("no measure differs\n\n")
		return
	}
	t := app.NewTable("differences", "measure", "n", "before", "after", "change", "95 % interval", "better", "worse")
	var right []table.ColumnConfig
	for n := 3; n <= 9; n++ {
		right = append(right, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	for _, d := range differences {
		t.AppendRow(table.Row{
			d.Set + " · " + string(d.Task), d.Measure, d.N, fraction(d.Before), fraction(d.After), signed(d.Delta),
			signed(d.Low) + " to " + signed(d.High), d.Better, d.Worse,
		})
	}
	app.WriteTable(b, t)
}

func signed(v float64) string {
	s := fraction(v)
	if v > 0 {
		return "+" + s
	}
	return s
}

// oneLine is at most n runes of s with its white space made single spaces.
func oneLine(s string, n int) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return string(runes)
}

// PrintDiff prints what two runs treat differently: the prompts that got worse, then those that got
// better, then the differences of the measures.
func PrintDiff(w io.Writer, d bench.Diff) error {
	var b strings.Builder
	for _, better := range []bool{false, true} {
		title := "worse"
		if better {
			title = "better"
		}
		n := 0
		for _, c := range d.Changes {
			if c.Better == better {
				n++
			}
		}
		fmt.Fprintf(&b, "%s: %d\n", title, n)
		for _, c := range d.Changes {
			if c.Better != better {
				continue
			}
			fmt.Fprintf(&b, "  %s  %s → %s\n      %s\n", c.ID, c.Before, c.After, oneLine(c.Query, 120))
		}
	}
	fmt.Fprintf(&b, "same: %d\n", d.Same)
	if d.Only > 0 {
		fmt.Fprintf(&b, "in one run only: %d\n", d.Only)
	}
	b.WriteString("\n")
	printDifferences(&b, d.Differences)
	_, err := io.WriteString(w, b.String())
	return err
}
