package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/rank"
)

type part struct {
	name    string
	off     gate.Parts
	weights map[string]float64
}

var parts = []part{
	{name: "vectors", weights: map[string]float64{"meaning": 0}},
	{name: "phrases", weights: map[string]float64{"phrase": 0}},
	{name: "neighbours", weights: map[string]float64{"pair": 0}},
	{name: "literal Korean", weights: map[string]float64{"literal": 0, "both": 0}},
	{name: "dictionary", weights: map[string]float64{"sense1": 0, "sense2": 0, "to_korean": 0}},
	{name: "English synonyms", weights: map[string]float64{"synonym": 0, "same": 0}},
	{name: "factors", weights: map[string]float64{"cover": 0, "name_cover": 0}},
	{name: "general words", weights: map[string]float64{"generic": 1, "number": 1}},
	{name: "flat idf", weights: map[string]float64{"idf_power": 1}},
	{name: "other people's words", weights: map[string]float64{"elsewhere": 0}},
	{name: "body", weights: map[string]float64{"field.body": 0}},
	{name: "headings", weights: map[string]float64{"field.headings": 0}},
	{name: "anchors", weights: map[string]float64{"field.anchors": 0}},
	{name: "families", off: gate.Parts{Families: true}},
	{name: "exclusion", off: gate.Parts{Excluded: true}},
	{name: "cut", off: gate.Parts{Cut: true}},
	{name: "steps", off: gate.Parts{Steps: true}},
	{name: "chance", off: gate.Parts{Chance: true}},
	{name: "triage", off: gate.Parts{Triage: true}},
}

func newAblationCommand() *cobra.Command {
	var only, of string
	cmd := &cobra.Command{
		Use:   "ablation FOLDER",
		Short: "Measure the effect of switching off each part of ranking",
		Long: `ablation runs every set of a bench folder with each part of ranking switched off in
turn and prints how every measure changes. A star marks changes whose 95 % interval
(bootstrap over sources) does not contain 0.`,
		Example: "  skillgate-dev table ablation bench --of 'families|steps'",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sets, err := regexp.Compile(only)
			if err != nil {
				return fmt.Errorf("--only: %w", err)
			}
			wanted, err := regexp.Compile(of)
			if err != nil {
				return fmt.Errorf("--of: %w", err)
			}
			tried := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return !wanted.MatchString(p.name) })
			return ablation(cmd.Context(), cmd.OutOrStdout(), args[0], sets, tried)
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "run only sets whose name or library matches `PATTERN`")
	cmd.Flags().StringVar(&of, "of", "", "switch off only parts whose name matches `PATTERN`")
	return cmd
}

func ablation(ctx context.Context, w io.Writer, dir string, only *regexp.Regexp, tried []part) error {
	rooms, err := bench.ReadSuite(dir)
	if err != nil {
		return err
	}
	runs := make([][]bench.Answer, 1+len(tried)) // in the first run no part is switched off
	for i := range rooms {
		if err := ablateRoom(ctx, &rooms[i], only, tried, runs); err != nil {
			return err
		}
	}
	tables := make([]bench.Table, len(runs))
	for i := range runs {
		tables[i].Sum(runs[i])
	}
	tw := app.NewTable()
	header := table.Row{"set", "library", "group", "measure", "n", "with all"}
	for _, p := range tried {
		header = append(header, p.name)
	}
	tw.AppendHeader(header)
	changes := make([][]bench.TableChange, len(tried))
	for i := range tried {
		changes[i] = bench.CompareTables(&tables[0], &tables[1+i])
	}
	for at := range changes[0] {
		c := changes[0][at]
		row := table.Row{c.Set, c.Library, c.Group, c.Measure, c.N, benchmark.Share(c.Before)}
		moved := false
		for i := range changes {
			c := changes[i][at]
			text := ""
			if c.After != c.Before {
				text = strings.Replace(fmt.Sprintf("%+.3f", c.After-c.Before), "0.", ".", 1)
				moved = true
			}
			if c.Low > 0 || c.High < 0 {
				text += "*"
			}
			row = append(row, text)
		}
		if moved {
			tw.AppendRow(row)
		}
	}
	return app.WriteTable(w, tw)
}

func ablateRoom(ctx context.Context, room *bench.Room, only *regexp.Regexp, tried []part, runs [][]bench.Answer) error {
	wanted := func(set string) bool { return only.MatchString(set) || only.MatchString(room.Library) }
	if !room.Any(wanted) {
		return nil
	}
	g, err := openRoom(ctx, room, gate.Default())
	if err != nil {
		return err
	}
	defer g.Close()
	for i := range runs {
		g.Off, g.Ranker().Weights = gate.Parts{}, rank.DefaultWeights()
		if i > 0 {
			g.Off = tried[i-1].off
			for name, value := range tried[i-1].weights {
				if err := g.Ranker().Weights.Set(name, value); err != nil {
					return err
				}
			}
		}
		for _, set := range room.Sets {
			if !wanted(set.Name) {
				continue
			}
			got, err := bench.Ask(ctx, g, room.Library, set, nil)
			if err != nil {
				return err
			}
			runs[i] = append(runs[i], got...)
		}
		fmt.Fprintf(os.Stderr, "%s, %d of %d\n", room.Library, i, len(tried))
	}
	return nil
}
