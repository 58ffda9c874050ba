package bench

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
)

func newTriggers(a *app.App) *cobra.Command {
	var libraries []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "triggers FOLDER",
		Short: "Check whether skills are named when their authors say, and only then",
		Long: `triggers reads the trigger-evaluation files below a folder of skills: .json
lists of {"query","should_trigger"} beside a SKILL.md. Every query is asked of
the folder's skills and those of --library together. A skill is right where it
is named for the queries that should trigger it and not named for the others.`,
		Example: `  skillgate bench triggers ./my-skills
  skillgate bench triggers ./my-skills --library ~/.claude/skills`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTriggers(cmd.Context(), a, args[0], libraries, asJSON)
		},
	}
	cmd.Flags().StringArrayVar(&libraries, "library", nil,
		"folder of skills, or a .jsonl or .jsonl.gz `FILE`, that the queries are asked of too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print every query as JSON")
	return cmd
}

func runTriggers(ctx context.Context, a *app.App, dir string, libraries []string, asJSON bool) error {
	dir = a.Absolute(dir)
	evals, err := bench.ReadTriggerEvals(dir)
	if err != nil {
		return err
	}
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	g, err := a.OpenSkills(ctx, d, s, append([]string{dir}, libraries...))
	if err != nil {
		return err
	}
	defer g.Close()
	got := bench.AskTriggers(bench.OfGate(ctx, g), evals)
	if asJSON {
		return a.PrintJSON(got)
	}
	return printTriggers(a, dir, got)
}

// printTriggers writes one row a skill and then what is not right.
func printTriggers(a *app.App, dir string, got []bench.Triggered) error {
	type sum struct{ should, named, first, shouldNot, wrongly int }
	sums := map[string]*sum{}
	var skills []string
	for _, t := range got {
		s := sums[t.Skill]
		if s == nil {
			s = &sum{}
			sums[t.Skill] = s
			skills = append(skills, t.Skill)
		}
		switch {
		case t.ShouldTrigger:
			s.should++
			if t.Named {
				s.named++
			}
			if t.Rank == 1 {
				s.first++
			}
		default:
			s.shouldNot++
			if t.Named {
				s.wrongly++
			}
		}
	}
	slices.Sort(skills)
	folder := func(skill string) string {
		rel, err := filepath.Rel(dir, filepath.Dir(skill))
		if err != nil || rel == "." {
			return filepath.Base(filepath.Dir(skill))
		}
		return rel
	}
	w := app.NewTable("skill", "should", "named", "first", "should not", "named")
	for _, skill := range skills {
		s := sums[skill]
		w.AppendRow(table.Row{folder(skill), s.should, s.named, s.first, s.shouldNot, s.wrongly})
	}
	var b strings.Builder
	a.FitTable(&b, w)
	slices.SortStableFunc(got, func(x, y bench.Triggered) int { return cmp.Compare(x.Skill, y.Skill) })
	for _, t := range got {
		if t.Right() {
			continue
		}
		what := "not named"
		switch {
		case t.Named:
			what = "named, should not be"
		case t.Rank > 0:
			what = fmt.Sprintf("not named, place %d", t.Rank)
		}
		if len(t.Instead) > 0 {
			what += "; named: " + strings.Join(t.Instead, ", ")
		}
		fmt.Fprintf(&b, "%s: %q: %s (need %.2f)\n", folder(t.Skill), t.Query, what, t.Need)
	}
	_, err := fmt.Fprint(a.Stdout, b.String())
	return err
}
