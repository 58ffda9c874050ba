package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/tune"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/triage"
)

type weightsFlags struct {
	only   []string
	passes int
	most   int
	write  string
}

func newWeightsCommand() *cobra.Command {
	var f weightsFlags
	cmd := &cobra.Command{
		Use:   "weights FOLDER",
		Short: "Fit the weights of ranking by coordinate ascent",
		Long: `Weights fits the weights of ranking (gate/rank/weights.txt) to all sets of a bench folder
at once, each of which counts the same however many prompts it has.`,
		Example: "  skillgate-dev weights bench --only cover,k1 --write gate/rank/weights.txt",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return fitWeights(cmd.Context(), cmd.OutOrStdout(), args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.only, "only", nil, "fit only these weights")
	flags.IntVar(&f.passes, "passes", 1, "go round all weights `N` times")
	flags.IntVar(&f.most, "most", 0, "use at most `N` prompts of a set, evenly spread; 0: all")
	flags.StringVar(&f.write, "write", "", "write the weights to `FILE`")
	return cmd
}

func fitWeights(ctx context.Context, out io.Writer, dir string, f weightsFlags) error {
	start := rank.DefaultWeights()
	rooms, err := bench.ReadSuite(dir)
	if err != nil {
		return err
	}
	var sets []tune.Set
	for i := range rooms {
		x, err := indexRoom(ctx, &rooms[i])
		if err != nil {
			return err
		}
		defer x.Close()
		snap := index.Join(x)
		id := func(n uint32) string {
			d, err := snap.Brief(n)
			if err != nil {
				return ""
			}
			return d.ID
		}
		for _, s := range rooms[i].Sets {
			prompts := weightPrompts(s, f.most)
			if len(prompts) == 0 {
				continue
			}
			r := rank.New(snap, x.Dict, start)
			r.Remember()
			sets = append(sets, tune.Set{Name: s.Name + ", " + rooms[i].Library, Prompts: prompts, Ranker: r, ID: id})
		}
	}
	before, err := tune.Ranks(ctx, sets, start)
	if err != nil {
		return err
	}
	best, err := tune.Weights(ctx, sets, start, f.only, f.passes, func(name string, value, objective float64) {
		fmt.Fprintf(os.Stderr, "%-20s %-8.4g %.4f\n", name, value, objective)
	})
	if err != nil {
		return err
	}
	after, err := tune.Ranks(ctx, sets, best)
	if err != nil {
		return err
	}
	printFit(out, sets, before, after)
	text := "# Weights of ranking (package rank, type Weights), made by\n#   " + commandLine(f) + "\n" + best.String()
	if f.write == "" {
		fmt.Fprint(out, text)
		return nil
	}
	return os.WriteFile(f.write, []byte(text), 0o644)
}

func indexRoom(ctx context.Context, room *bench.Room) (*index.Index, error) {
	src, o, err := roomSource(room, gate.Default())
	if err != nil {
		return nil, err
	}
	opened, err := workspace.Indexes(ctx, src, o)
	if err != nil {
		return nil, err
	}
	return opened[0], nil
}

func weightPrompts(s bench.CaseSet, most int) []tune.Prompt {
	var out []tune.Prompt
	for _, c := range s.Cases {
		if len(c.Right) == 0 || s.Sessions {
			continue
		}
		p := tune.Prompt{Right: map[string]bool{}}
		p.Text = triage.Classify(secret.Redact(c.Query)).Text
		for _, id := range c.Right {
			p.Right[id] = true
		}
		out = append(out, p)
	}
	if most == 0 || len(out) <= most {
		return out
	}
	thin := make([]tune.Prompt, most)
	for i := range thin {
		thin[i] = out[i*len(out)/most]
	}
	return thin
}

func printFit(w io.Writer, sets []tune.Set, runs ...[][]int) {
	tw := app.NewTable()
	header := table.Row{"set", "n"}
	for i := range runs {
		title := []string{"before", "fitted"}[i]
		header = append(header, title+" hit@1", "hit@5")
	}
	tw.AppendHeader(header)
	for i, s := range sets {
		row := table.Row{s.Name, len(s.Prompts)}
		for _, r := range runs {
			row = append(row, benchmark.Share(tune.HitAt(r[i], 1)), benchmark.Share(tune.HitAt(r[i], 5)))
		}
		tw.AppendRow(row)
	}
	row := table.Row{"mean gain", ""}
	for _, r := range runs {
		row = append(row, fmt.Sprintf("%.4f", tune.Objective(r)), "")
	}
	tw.AppendRow(row)
	_ = app.WriteTable(w, tw)
	fmt.Fprintln(w)
}

func commandLine(f weightsFlags) string {
	args := "skillgate-dev weights BENCH"
	if f.only != nil {
		args += " --only " + strings.Join(f.only, ",")
	}
	return args + fmt.Sprintf(" --passes %d --most %d", f.passes, f.most)
}
