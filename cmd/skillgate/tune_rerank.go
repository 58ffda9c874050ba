package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/ltr"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/tune"
	"github.com/skillgate/skillgate/triage"
)

func newTuneRerankCommand(e *env) *cobra.Command {
	var sets []string
	var l2 float64
	var write string
	cmd := &cobra.Command{
		Use:   "rerank --set SPEC...",
		Short: "Fit the learned reranker: which of the first candidates comes first",
		Long: `rerank fits the linear model of the learned reranker (gate/ltr/model.txt) to the
first candidates of labelled prompts, and says what it is worth: the share of prompts
with a right skill first, and among the first five, by plain BM25F, by the ranking as
it is (BM25F with the factors for coverage and name) and by the model, the last one
cross-validated in five folds. The differences come with 95 % intervals by paired
bootstrap. It is worth switching on (rerank.learned) where the interval of its
difference is above zero.`,
		Example: "  skillgate tune rerank --set library.jsonl.gz:prompts.jsonl --write gate/ltr/model.txt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.tuneRerank(cmd.Context(), sets, l2, write)
		},
	}
	cmd.Flags().StringArrayVar(&sets, "set", nil, "a `SET` to fit to; may be repeated")
	cmd.Flags().Float64Var(&l2, "l2", 100, "penalty on the weights, in prompts")
	cmd.Flags().StringVar(&write, "write", "", "write the model to this `FILE`")
	return cmd
}

func (e *env) tuneRerank(ctx context.Context, specs []string, l2 float64, write string) error {
	if len(specs) == 0 {
		return &exitError{code: 3, err: errors.New("no --set"), hint: "skillgate tune rerank --set library.jsonl.gz:prompts.jsonl"}
	}
	tmp, err := os.MkdirTemp("", "skillgate-tune-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var choices []tune.Choice
	var plain []int
	for i, spec := range specs {
		s, err := readTuneSet(spec)
		if err != nil {
			return err
		}
		more, ranks, err := e.choices(ctx, s, filepath.Join(tmp, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		choices, plain = append(choices, more...), append(plain, ranks...)
	}
	ranking := make([]int, len(choices))
	for i, c := range choices {
		ranking[i] = tune.FirstRight(nil, c)
	}
	learned := tune.CrossValidateUtility(choices, l2)
	e.printRerank(choices, plain, ranking, learned)
	text := "# The learned reranker (package ltr), made by\n#   skillgate tune rerank --set " +
		strings.Join(baseSpecs(specs), " --set ") + fmt.Sprintf(" --l2 %g\n", l2) + tune.Utility(choices, l2).String()
	if write == "" {
		fmt.Fprint(e.stdout, text)
		return nil
	}
	return os.WriteFile(write, []byte(text), 0o644)
}

// choices asks the prompts of one set of its library and returns what the learned
// reranker sees, and each one's first right rank by plain BM25F.
func (e *env) choices(ctx context.Context, s tuneSet, dir string) (choices []tune.Choice, plain []int, err error) {
	opened, err := s.build(ctx, e, dir, s.entries, 2)
	if err != nil {
		return nil, nil, err
	}
	settings := gate.Default()
	settings.Rerank.Learned = false
	g := gate.OpenIndexes(settings, []string{s.name}, opened[0])
	defer g.Close()
	bare := gate.OpenIndexes(settings, []string{s.name}, opened[1])
	defer bare.Close()
	for _, factor := range rank.Factors {
		if err := bare.Ranker().Weights.Set(factor, 0); err != nil {
			return nil, nil, err
		}
	}
	folds := bench.Folds(s.prompts, tuneFolds, 1)
	for i, p := range s.prompts {
		if p.Task != bench.Search || p.Kind == "composite" {
			continue
		}
		right := func(id string) bool { return slices.Contains(p.Gold, id) || slices.Contains(p.AlsoOK, id) }
		c := tune.Choice{Set: s.name, ID: p.ID, Fold: folds[i]}
		prompt := triage.Classify(p.Query)
		g.Decide(ctx, gate.Request{Prompt: prompt, Choice: func(ids []string, list []ltr.Features) {
			c.X = list
			for _, id := range ids {
				c.Right = append(c.Right, right(id))
			}
		}})
		first := 0
		bare.Decide(ctx, gate.Request{Prompt: prompt, Choice: func(ids []string, _ []ltr.Features) {
			first = slices.IndexFunc(ids, right) + 1
		}})
		choices, plain = append(choices, c), append(plain, first)
	}
	return choices, plain, nil
}

func (e *env) printRerank(choices []tune.Choice, plain, ranking, learned []int) {
	w := ruledTable(table.Row{"hit@1 / hit@5", "prompts", "plain BM25F", "with factors", "learned, cross-validated"})
	row := func(name string, keep func(tune.Choice) bool) table.Row {
		var of [3][]int
		for i, c := range choices {
			if keep(c) {
				for j, ranks := range [][]int{plain, ranking, learned} {
					of[j] = append(of[j], ranks[i])
				}
			}
		}
		r := table.Row{name, len(of[0])}
		for _, ranks := range of {
			r = append(r, fmt.Sprintf("%.3f / %.3f", tune.HitAt(ranks, 1), tune.HitAt(ranks, 5)))
		}
		return r
	}
	var sets []string
	for _, c := range choices {
		if !slices.Contains(sets, c.Set) {
			sets = append(sets, c.Set)
			w.AppendRow(row(c.Set, func(o tune.Choice) bool { return o.Set == c.Set }))
		}
	}
	w.AppendFooter(row("all", func(tune.Choice) bool { return true }))
	fmt.Fprintln(e.stdout, w.Render())
	for _, other := range []struct {
		name  string
		ranks []int
	}{{"plain BM25F", plain}, {"the ranking with factors", ranking}} {
		deltas := make([]float64, len(choices))
		mean := 0.0
		for i := range choices {
			deltas[i] = tune.HitAt(learned[i:i+1], 1) - tune.HitAt(other.ranks[i:i+1], 1)
			mean += deltas[i] / float64(len(deltas))
		}
		low, high := bench.Interval(deltas)
		fmt.Fprintf(e.stdout, "hit@1 over %s: %+.3f (95 %%: %+.3f to %+.3f)\n", other.name, mean, low, high)
	}
	fmt.Fprintln(e.stdout)
}
