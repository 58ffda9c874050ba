// Package tune is the command that fits the weights of ranking.
package tune

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/tune"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/triage"
)

// New returns the command with those below it.
func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Fit ranking weights to labelled prompts",
		Long: `tune fits the weights of ranking (gate/rank/weights.txt). It prints cross-validated
figures beside the fitted ones, so that fitting shows.

A set is LIBRARY[,LIBRARY…]:PROMPTS, or LIBRARY[,LIBRARY…]@PREFIX:PROMPTS to keep
the skills whose id starts with PREFIX, or LIBRARY[,LIBRARY…]+EXPANSIONS:PROMPTS to
index the library with a file of expansions.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newWeights(a))
	return cmd
}

// set is one library and its prompts.
type set struct {
	name    string
	entries []catalog.Entry
	prompts []bench.Prompt
	expand  []enrich.Expansion
}

func readSet(spec string) (set, error) {
	libraries, prompts, ok := strings.Cut(spec, ":")
	if !ok {
		return set{}, fmt.Errorf("set %q, want LIBRARY[,LIBRARY…][@PREFIX][+EXPANSIONS]:PROMPTS", spec)
	}
	libraries, expansions, enriched := strings.Cut(libraries, "+")
	libraries, prefix, _ := strings.Cut(libraries, "@")
	s := set{}
	var err error
	if s.expand, err = enrichment.Read(expansions); err != nil {
		return s, err
	}
	for _, file := range strings.Split(libraries, ",") {
		entries, err := catalog.ReadLibraryFile(file)
		if err != nil {
			return s, app.Hint(err, "a set's LIBRARY is a .jsonl or .jsonl.gz file; see `skillgate-dev tune --help`")
		}
		for _, entry := range entries {
			if strings.HasPrefix(entry.ID, prefix) {
				s.entries = append(s.entries, entry)
			}
		}
	}
	if len(s.entries) == 0 {
		return s, fmt.Errorf("no skills in %s", strings.TrimSuffix(libraries+"@"+prefix, "@"))
	}
	set, err := bench.ReadPromptFile(prompts)
	s.name, s.prompts = set.Name, set.Prompts
	if enriched {
		s.name += " + expansions"
	}
	return s, err
}

// build indexes entries into a temporary folder and opens it n times.
func (s set) build(ctx context.Context, a *app.App, dir string, entries []catalog.Entry, n int) ([]*index.Index, error) {
	o := a.Workspace(dirs.Dirs{Cache: dir}, gate.Default())
	o.Expansions = s.expand
	var out []*index.Index
	for range n {
		x, err := workspace.Indexes(ctx, &workspace.Source{Name: s.name, Entries: entries}, o)
		if err != nil {
			return nil, err
		}
		out = append(out, x...)
	}
	return out, nil
}

const foldCount = 5

func newWeights(a *app.App) *cobra.Command {
	var sets, names []string
	var passes int
	var validate bool
	var write, from string
	cmd := &cobra.Command{
		Use:     "weights --set SPEC...",
		Short:   "Fit the weights of ranking by coordinate ascent",
		Example: "  skillgate-dev tune weights --set library.jsonl.gz:prompts.jsonl --write gate/rank/weights.txt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return weights(cmd.Context(), a, sets, names, passes, validate, from, write)
		},
	}
	cmd.Flags().StringVar(&from, "from", "",
		"start from the weights in this `FILE`, not from those checked in: an honest cross-validation starts from weights that were fitted to nothing")
	cmd.Flags().StringArrayVar(&sets, "set", nil, "a `SET` to fit to; may be repeated")
	cmd.Flags().StringSliceVar(&names, "only", nil, "fit only these weights")
	cmd.Flags().IntVar(&passes, "passes", 3, "go round all weights `N` times")
	cmd.Flags().BoolVar(&validate, "cross-validate", true, "also fit on four fifths and measure on the rest, five times")
	cmd.Flags().StringVar(&write, "write", "", "write the weights to this `FILE`")
	return cmd
}

func weights(ctx context.Context, a *app.App, specs, names []string, passes int, validate bool, from, write string) error {
	if len(specs) == 0 {
		return app.Fail("skillgate-dev tune weights --set library.jsonl.gz:prompts.jsonl", "no --set")
	}
	tmp, err := os.MkdirTemp("", "skillgate-tune-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	const workers = 2
	var sets []tune.Set
	for i, spec := range specs {
		s, err := readSet(spec)
		if err != nil {
			return err
		}
		opened, err := s.build(ctx, a, filepath.Join(tmp, fmt.Sprint(i)), s.entries, workers)
		if err != nil {
			return err
		}
		next := 0
		set := tune.Set{Name: s.name, Open: func() (*rank.Ranker, func(uint32) string, error) {
			x := opened[next]
			next++
			snap := index.Join(x)
			return rank.New(snap, x.Dict, rank.DefaultWeights()), func(doc uint32) string {
				d, err := snap.Doc(doc)
				if err != nil {
					return ""
				}
				return d.ID
			}, nil
		}}
		folds := bench.Folds(s.prompts, foldCount, 1)
		for j, p := range s.prompts {
			if p.Task != bench.Search || p.Kind == "composite" {
				continue
			}
			right := map[string]bool{}
			for _, id := range slices.Concat(p.Gold, p.AlsoOK) {
				right[id] = true
			}
			set.Prompts = append(set.Prompts, tune.Prompt{
				ID: p.ID, Text: gate.SearchText(triage.Classify(p.Query).Text), Right: right, Fold: folds[j],
			})
		}
		sets = append(sets, set)
	}
	t, err := tune.New(sets, workers)
	if err != nil {
		return err
	}
	report := func(title string, ranks [][]int) {
		w := app.RuledTable(table.Row{title, "prompts", "hit@1", "hit@5", "objective"})
		for i, s := range sets {
			w.AppendRow(table.Row{s.Name, len(s.Prompts), fmt.Sprintf("%.3f", tune.HitAt(ranks[i], 1)), fmt.Sprintf("%.3f",
				tune.HitAt(ranks[i], 5)), fmt.Sprintf("%.4f", tune.Objective(ranks[i:i+1]))})
		}
		w.AppendFooter(table.Row{"all", "", "", "", fmt.Sprintf("%.4f", tune.Objective(ranks))})
		fmt.Fprintln(a.Stdout, w.Render())
		fmt.Fprintln(a.Stdout)
	}
	start, title := rank.DefaultWeights(), "checked in"
	if from != "" {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if start, err = rank.ParseWeights(string(text)); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		title = "start"
	}
	ranks, err := t.Ranks(ctx, start, nil)
	if err != nil {
		return err
	}
	report(title, ranks)
	best, err := t.Weights(ctx, start, names, passes, nil, func(name string, value, objective float64) {
		fmt.Fprintf(a.Stderr, "%-20s %-8.4g %.4f\n", name, value, objective)
	})
	if err != nil {
		return err
	}
	if ranks, err = t.Ranks(ctx, best, nil); err != nil {
		return err
	}
	report("fitted", ranks)
	if validate {
		for f := range foldCount {
			w, err := t.Weights(ctx, start, names, passes, func(p tune.Prompt) bool { return p.Fold == f }, nil)
			if err != nil {
				return err
			}
			held, err := t.Ranks(ctx, w, func(p tune.Prompt) bool { return p.Fold != f })
			if err != nil {
				return err
			}
			for i := range held {
				for j, r := range held[i] {
					if r >= 0 {
						ranks[i][j] = r
					}
				}
			}
		}
		report("cross-validated", ranks)
	}
	text := "# Weights of ranking (package rank, type Weights), made by\n#   skillgate-dev tune weights --set " +
		strings.Join(baseSpecs(specs), " --set ") + "\n" + best.String()
	if write == "" {
		fmt.Fprint(a.Stdout, text)
		return nil
	}
	return os.WriteFile(write, []byte(text), 0o644)
}

// baseSpecs drops the folders from sets, which are this machine's.
func baseSpecs(specs []string) []string {
	var out []string
	for _, s := range specs {
		libraries, prompts, _ := strings.Cut(s, ":")
		libraries, expansions, enriched := strings.Cut(libraries, "+")
		libraries, prefix, part := strings.Cut(libraries, "@")
		var names []string
		for _, l := range strings.Split(libraries, ",") {
			names = append(names, filepath.Base(l))
		}
		last := &names[len(names)-1]
		if part {
			*last += "@" + prefix
		}
		if enriched {
			*last += "+" + filepath.Base(expansions)
		}
		out = append(out, strings.Join(names, ",")+":"+filepath.Base(prompts))
	}
	return out
}
