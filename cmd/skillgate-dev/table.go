package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
)

type tableFlags struct {
	benchmark.Options
	only  string
	folds string
}

func newTableCommand(a *app.App) *cobra.Command {
	f := tableFlags{Options: benchmark.Options{App: a}}
	cmd := &cobra.Command{
		Use:   "table FOLDER",
		Short: "Measure the gate on every set of a bench folder, in one table",
		Long: `table runs every set of a bench folder on the library of the set and prints one row
for each set and group: ranking (hit@1, hit@5); the share of prompts for which the right
skill (right shown), any skill (spoken) or an excluded skill (excluded shown) is
suggested; and, for sessions played turn by turn, the added characters. The 95 %
intervals are bootstrapped over sources: owners, repositories or skills.`,
		Example: `  skillgate-dev table bench --save before.json
  skillgate-dev table bench --compare before.json
  skillgate-dev table bench --only 'people|sessions'
  skillgate-dev table diff before.json after.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTable(cmd.Context(), args[0], &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.only, "only", "", "run only sets whose name or library matches `PATTERN`")
	f.AddFlags(cmd)
	flags.StringVar(&f.folds, "folds", "",
		"decide each case with the model in `FOLDER` that was trained without the case's source (see train --folds)")
	cmd.AddCommand(newAblationCommand(), &cobra.Command{
		Use:   "diff BEFORE.json AFTER.json",
		Short: "Compare two saved runs on the cases that they share",
		Args:  cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			before, err := bench.ReadTable(args[0])
			if err != nil {
				return err
			}
			after, err := bench.ReadTable(args[1])
			if err != nil {
				return err
			}
			return benchmark.PrintChanges(a, bench.CompareTables(before, after))
		},
	})
	return cmd
}

func runTable(ctx context.Context, dir string, f *tableFlags) error {
	only, err := regexp.Compile(f.only)
	if err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	settings := gate.Default()
	weights, err := f.Apply(&settings)
	if err != nil {
		return err
	}
	models, err := readFolds(f.folds)
	if err != nil {
		return err
	}
	start := f.App.Now()
	rooms, err := bench.ReadSuite(dir)
	if err != nil {
		return err
	}
	var answers []bench.Answer
	for i := range rooms {
		got, err := askRoom(ctx, f.App, &rooms[i], only, settings, weights, models)
		if err != nil {
			return err
		}
		answers = append(answers, got...)
	}
	var t bench.Table
	t.Sum(answers)
	t.Seconds = f.App.Now().Sub(start).Seconds()
	return f.Finish(&t)
}

func readFolds(dir string) ([]need.Model, error) {
	var out []need.Model
	for i := range needFolds {
		if dir == "" {
			break
		}
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.bin", i)))
		if err != nil {
			return nil, err
		}
		m, ok := need.Parse(data)
		if !ok {
			return nil, fmt.Errorf("%s: the model of fold %d has a different version; rerun train --folds", dir, i)
		}
		out = append(out, m)
	}
	return out, nil
}

func askRoom(ctx context.Context, a *app.App, room *bench.Room, only *regexp.Regexp, s gate.Settings,
	weights map[string]float64, models []need.Model) ([]bench.Answer, error) {
	wanted := func(set string) bool { return only.MatchString(set) || only.MatchString(room.Library) }
	if !room.Any(wanted) {
		return nil, nil
	}
	g, err := openRoom(ctx, room, s)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	benchmark.Weigh(g, weights)
	var out []bench.Answer
	for _, set := range room.Sets {
		if !wanted(set.Name) {
			continue
		}
		start := a.Now()
		got, err := bench.Ask(ctx, g, room.Library, set, func(c *bench.Case) {
			if models != nil {
				g.Need = models[fold(source(set.Name, c))]
			}
		})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(a.Stderr, "%s, %s: %d in %.1f s\n", room.Library, set.Name, len(set.Cases)+len(set.Prompts),
			a.Now().Sub(start).Seconds())
		out = append(append(out, got...), room.Plain(&set)...)
	}
	return out, nil
}

func openRoom(ctx context.Context, room *bench.Room, s gate.Settings) (*gate.Gate, error) {
	src, o, err := roomSource(room, s)
	if err != nil {
		return nil, err
	}
	g, err := workspace.Open(ctx, src, o)
	if err != nil {
		return nil, err
	}
	g.Ranker().Remember()
	return g, nil
}

func roomSource(room *bench.Room, s gate.Settings) (*workspace.Source, workspace.Options, error) {
	d, err := dirs.FromEnv(os.Getenv, hooks.Places)
	if err != nil {
		return nil, workspace.Options{}, err
	}
	entries, err := room.Entries()
	if err != nil {
		return nil, workspace.Options{}, err
	}
	src := &workspace.Source{Name: room.Library + ": " + room.Only + " of " + strings.Join(room.Files, ", "),
		Entries: entries}
	// without a config folder, the user's dictionary is not read
	return src, workspace.Options{Dirs: dirs.Dirs{Cache: d.Cache}, Settings: s, Now: time.Now}, nil
}
