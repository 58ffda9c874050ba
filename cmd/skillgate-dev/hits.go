package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/report"
)

// hits are the findings of one rule, by the run that they come from.
type hits struct {
	rule *lint.Rule
	runs [][]lint.Finding
}

func newHitsCommand(a *app.App) *cobra.Command {
	var seed uint64
	var most, around int
	var rules []string
	cmd := &cobra.Command{
		Use:   "hits RUN.json...",
		Short: "Draw hits of every lint rule to be read",
		Long: `Hits draws up to --most findings of every rule from runs of lint, in turn from every run
that has one, and prints them with the lines around them, to be read by somebody who has not
written the rule. A RUN.json is what "skillgate lint FOLDER --json" prints; files are looked
for from where lint ran. The same seed and runs give the same sample.`,
		Example: "  skillgate-dev hits a.json b.json --seed 15 --rule SG129",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			list, err := readHits(files)
			if err != nil {
				return err
			}
			for _, h := range list {
				if len(rules) > 0 && !slices.Contains(rules, h.rule.ID) {
					continue
				}
				drawn, from := h.draw(most, seed)
				all := 0
				for _, run := range h.runs {
					all += len(run)
				}
				fmt.Fprintf(a.Stdout, "== %s %s, %s: %d hits, %d drawn from %d runs\n", h.rule.ID, h.rule.Severity,
					h.rule.Text().Title, all, len(drawn), from)
				for _, f := range drawn {
					printHit(a.Stdout, f, around)
				}
			}
			return nil
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "of the drawing")
	cmd.Flags().IntVar(&most, "most", 20, "hits of a rule that are drawn")
	cmd.Flags().IntVar(&around, "around", 2, "lines before and after a hit")
	cmd.Flags().StringSliceVar(&rules, "rule", nil, "draw only hits of the rule with this `ID`; may be repeated")
	return cmd
}

// readHits returns the hits in results of lint, in the order of the rules.
func readHits(files []string) ([]hits, error) {
	by := map[string][][]lint.Finding{}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		run := report.JSON{Result: &lint.Result{}}
		if err := json.Unmarshal(text, &run); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, f := range run.Findings {
			if by[f.Rule] == nil {
				by[f.Rule] = make([][]lint.Finding, len(files))
			}
			by[f.Rule][i] = append(by[f.Rule][i], f)
		}
	}
	var out []hits
	for _, r := range lint.All {
		if runs := by[r.ID]; runs != nil {
			out = append(out, hits{r, runs})
		}
	}
	return out, nil
}

// draw returns up to n hits, in turn from every run that has one, and from how many runs they are.
func (h hits) draw(n int, seed uint64) (out []lint.Finding, runs int) {
	sum := fnv.New64a()
	io.WriteString(sum, h.rule.ID)
	random := rand.New(rand.NewPCG(seed, sum.Sum64()))
	var left [][]lint.Finding
	for _, run := range h.runs {
		if run = slices.Clone(run); len(run) > 0 {
			random.Shuffle(len(run), func(i, j int) { run[i], run[j] = run[j], run[i] })
			left = append(left, run)
		}
	}
	runs = min(n, len(left))
	for round := 0; len(out) < n; round++ {
		before := len(out)
		for _, run := range left {
			if round < len(run) && len(out) < n {
				out = append(out, run[round])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out, runs
}

func printHit(w io.Writer, f lint.Finding, around int) {
	fmt.Fprintf(w, "-- %s:%d: %s\n   (%s)\n", f.Path, f.Line, f.Text, f.Hint)
	text, err := os.ReadFile(filepath.FromSlash(f.Path))
	if err != nil {
		fmt.Fprintln(w, "  |", f.Excerpt)
		return
	}
	lines := bytes.Split(text, []byte("\n"))
	for i := max(0, f.Line-1-around); i < min(len(lines), cmp.Or(f.Line, 1)+around); i++ {
		line := []rune(strings.ToValidUTF8(string(lines[i]), "�"))
		fmt.Fprintf(w, "%5d| %s\n", i+1, string(line[:min(len(line), 500)]))
	}
}
