// Package mine is the command that proposes dictionary entries from a bilingual library.
package mine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/mine"
	"github.com/skillgate/skillgate/synonyms/source"
)

// minedPair is a proposal with what it would do.
type minedPair struct {
	mine.Pair
	Senses []string   `json:"senses"` // of the entry to add: what the dictionary has, then the new one
	Gold   *goldDelta `json:"gold,omitempty"`
}

// goldDelta is what one more entry does to the prompts that hold one of its words.
type goldDelta struct {
	Prompts int     `json:"prompts"` // with either word
	Better  int     `json:"better"`  // whose first right skill moved up
	Worse   int     `json:"worse"`
	MRR     float64 `json:"mrr"`  // change of the mean reciprocal rank over the whole set
	Hit5    float64 `json:"hit5"` // change of hit@5 over the whole set
}

type mineFlags struct {
	libraries []string
	gold      string
	limit     int
	least     int
	json      bool
}

// New returns the command.
func New(a *app.App) *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:   "mine --library PATH",
		Short: "Propose Korean/English pairs from a bilingual library",
		Long: `mine looks for Korean and English words that occur together in the descriptions and
triggers of a library and that the dictionary does not join yet. They are ordered by
how unlikely it is that they meet by chance (log-likelihood ratio, G²).

Words that merely go together are proposed as well as translations, so read the list
before adding anything. With --gold every proposal is tried on labelled prompts: how
many hold one of its words, how many get better or worse, and what that changes.`,
		Example: `  skillgate-dev mine --library ./skills
  skillgate-dev mine --library ./skills --gold prompts.jsonl --limit 30`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return Run(cmd.Context(), a, f) },
	}
	cmd.Flags().StringArrayVar(&f.libraries, "library", nil,
		"`PATH` of a folder of skills, a .jsonl or a .jsonl.gz file; may be repeated")
	cmd.Flags().StringVar(&f.gold, "gold", "", "JSON Lines `FILE` of labelled prompts, as `bench` reads them")
	cmd.Flags().IntVar(&f.limit, "limit", 50, "propose at most `N` pairs")
	cmd.Flags().IntVar(&f.least, "least", 3, "`N` skills must hold both words")
	cmd.Flags().BoolVar(&f.json, "json", false, "print as JSON")
	if err := cmd.MarkFlagRequired("library"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

// Run proposes pairs and, with gold prompts, tries them.
func Run(ctx context.Context, a *app.App, f mineFlags) error {
	d, err := a.Places()
	if err != nil {
		return err
	}
	dict, err := workspace.Dict(d)
	if err != nil {
		return err
	}
	lib, err := benchmark.ReadLibrary(ctx, a, f.libraries, "")
	if err != nil {
		return err
	}
	entries, err := lib.Source.Read(ctx)
	if err != nil {
		return err
	}
	texts := make([]string, len(entries))
	for i := range entries {
		texts[i] = describing(&entries[i])
	}
	pairs := mine.Pairs(texts, dict, mine.Options{Least: f.least, General: rank.Generic})
	pairs = pairs[:min(len(pairs), max(f.limit, 0))]
	out := make([]minedPair, len(pairs))
	for i, p := range pairs {
		old := dict.Senses(p.Korean)
		out[i] = minedPair{Pair: p, Senses: append(slices.Clone(old[:min(len(old), 2)]), p.English)}
	}
	if f.gold != "" {
		if err := tryPairs(ctx, a, out, &lib, entries, dict, f.gold); err != nil {
			return err
		}
	}
	if f.json {
		return a.PrintJSON(out)
	}
	return printPairs(a, out)
}

// describing is what a skill says about itself, in whatever languages.
func describing(e *catalog.Entry) string {
	return strings.Join(append([]string{e.Description, e.WhenToUse}, e.Triggers...), "\n")
}

// tryPairs measures each pair on the prompts of a gold file: through the gate, over
// an index in memory, with the pair on top of dict.
func tryPairs(ctx context.Context, a *app.App, pairs []minedPair, lib *benchmark.Library, entries []catalog.Entry,
	dict *synonyms.Dict, gold string) error {
	set, err := bench.ReadPromptFile(gold)
	if err != nil {
		return app.Hint(err, `one {"id","query","gold":[ids]} object a line`)
	}
	if set, _, err = lib.Known.Check(set); err != nil {
		return err
	}
	x, err := index.Memory(ctx, entries, dict, nil)
	if err != nil {
		return err
	}
	ask := func(dict *synonyms.Dict, s bench.Set) ([]bench.Outcome, error) {
		copied := *x
		copied.Dict = dict
		g := gate.OpenIndexes(gate.Default(), lib.Paths[:1], &copied)
		return bench.Run(ctx, bench.OfGate(ctx, g), s, lib.Known, bench.Options{K: bench.DefaultK})
	}
	outcomes, err := ask(dict, set)
	if err != nil {
		return err
	}
	before := map[string]bench.Outcome{}
	labelled := 0
	for _, o := range outcomes {
		before[o.ID] = o
		if _, ok := o.Values["MRR"]; ok {
			labelled++
		}
	}
	bar := a.Progress("trying pairs", false)
	defer bar.Done()
	for i := range pairs {
		p := &pairs[i]
		with, err := withPair(dict, p)
		if err != nil {
			return err
		}
		after, err := ask(with, bench.Set{Name: set.Name, Prompts: promptsWith(set.Prompts, with, &p.Pair)})
		if err != nil {
			return err
		}
		p.Gold = compareGold(before, after, labelled)
		bar.Set(i+1, len(pairs))
	}
	return nil
}

// withPair puts one entry on top of dict.
func withPair(dict *synonyms.Dict, p *minedPair) (*synonyms.Dict, error) {
	one := source.Dictionary{Entries: []source.Entry{{Head: p.Korean, Senses: p.Senses}}}
	top, err := synonyms.Open(string(one.Compile()))
	if err != nil {
		return nil, fmt.Errorf("try %s: %w", p.Korean, err)
	}
	return dict.With(top), nil
}

// promptsWith returns the prompts with either word of a pair: no other can change.
func promptsWith(prompts []bench.Prompt, dict *synonyms.Dict, p *mine.Pair) []bench.Prompt {
	an := index.NewAnalyzer(dict)
	var out []bench.Prompt
	for _, prompt := range prompts {
		found := an.Terms(prompt.Query)
		if slices.Contains(found, p.Korean) || slices.Contains(found, p.Stem) {
			out = append(out, prompt)
		}
	}
	return out
}

// compareGold sums what changed, over a set of so many labelled prompts.
func compareGold(before map[string]bench.Outcome, after []bench.Outcome, labelled int) *goldDelta {
	g := &goldDelta{Prompts: len(after)}
	for _, a := range after {
		mrr, ok := a.Values["MRR"]
		if !ok {
			continue
		}
		was := before[a.ID].Values
		switch {
		case mrr > was["MRR"]:
			g.Better++
		case mrr < was["MRR"]:
			g.Worse++
		}
		g.MRR += (mrr - was["MRR"]) / float64(labelled)
		g.Hit5 += (a.Values["hit@5"] - was["hit@5"]) / float64(labelled)
	}
	return g
}

func printPairs(a *app.App, pairs []minedPair) error {
	if len(pairs) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "nothing to propose: no words of both languages occur together often enough")
		return err
	}
	t := app.NewTable()
	head := table.Row{"korean", "english", "both", "of ko", "of en", "G²", "PMI"}
	tried := pairs[0].Gold != nil
	if tried {
		head = append(head, "prompts", "better", "worse", "ΔMRR", "Δhit@5")
	}
	t.AppendHeader(append(head, "to add it"))
	for _, p := range pairs {
		row := table.Row{p.Korean, p.English, p.Both, p.OfKo, p.OfEn, fmt.Sprintf("%.1f", p.G2), fmt.Sprintf("%.1f", p.PMI)}
		if tried {
			row = append(row, p.Gold.Prompts, p.Gold.Better, p.Gold.Worse, fmt.Sprintf("%+.4f", p.Gold.MRR),
				fmt.Sprintf("%+.4f", p.Gold.Hit5))
		}
		var senses []string
		for _, s := range p.Senses {
			if strings.Contains(s, " ") {
				s = `"` + s + `"`
			}
			senses = append(senses, s)
		}
		t.AppendRow(append(row, "skillgate synonyms add "+p.Korean+" "+strings.Join(senses, " ")))
	}
	return a.PrintTable(t)
}
