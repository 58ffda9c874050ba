package enrich

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/plural"
)

// reindex brings the index up to date after the store has changed.
func reindex(ctx context.Context, a *app.App) error {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	return a.RefreshSkills(ctx, d, s)
}

// matching returns the entries that a pattern means, or an error when there are none.
func matching(entries []catalog.Entry, pattern string) ([]*catalog.Entry, error) {
	var out []*catalog.Entry
	for i := range entries {
		if enrich.Matches(pattern, &entries[i]) {
			out = append(out, &entries[i])
		}
	}
	if len(out) == 0 {
		return nil, app.Fail("give its name, folder or id; `skillgate enrich show` lists the skills that have expansions",
			"no skill %q", pattern)
	}
	return out, nil
}

func newShow(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [SKILL]",
		Short: "Show a skill's expansions, or how many skills have any",
		Long: `show prints what was written and learned for a skill, who wrote it and when,
and which phrases are dropped and why. Without a skill it counts.`,
		Example: `  skillgate enrich show
  skillgate enrich show pdf`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			known, entries, err := enrichment.Store(cmd.Context(), a, false)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return countExpansions(a, known, entries, asJSON)
			}
			found, err := matching(entries, args[0])
			if err != nil {
				return err
			}
			for _, entry := range found {
				x, stale, ok := known.Get(entry.ID, entry.Hash)
				x.ID, x.Name = entry.ID, entry.Name
				switch {
				case asJSON:
					if err := a.PrintJSON(x); err != nil {
						return err
					}
				case !ok:
					fmt.Fprintf(a.Stdout, "%s: %s\n", entry.ID, map[bool]string{true: "none, as you asked",
						false: "none yet"}[known.Removed(entry.ID)])
				default:
					printExpansion(a, x, stale)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, one object a skill")
	return cmd
}

func countExpansions(a *app.App, known *enrich.Store, entries []catalog.Entry, asJSON bool) error {
	count := map[enrich.State]int{}
	for i := range entries {
		if entries[i].ModelInvocable {
			count[known.StateOf(&entries[i], nil)]++
		}
	}
	learned := 0
	for _, x := range known.All() {
		learned += len(x.Learned)
	}
	if asJSON {
		return a.PrintJSON(map[string]any{"skills": count, "learned": learned, "skipped_lines": known.Skipped})
	}
	fmt.Fprintf(a.Stdout, "%s enriched, %d changed since, %d without, %d declined; %s learned from use\n",
		plural.Of(count[enrich.Fresh]+count[enrich.Outdated], "skill"), count[enrich.Changed], count[enrich.Missing],
		count[enrich.Declined],
		plural.Of(learned, "request"))
	return nil
}

func printExpansion(a *app.App, x enrich.Expansion, stale bool) {
	fmt.Fprintf(a.Stdout, "%s\n", x.ID)
	if len(x.Phrases) > 0 {
		by := x.Provider
		if x.Model != "" {
			by += " (" + x.Model + ")"
		}
		old := ""
		if stale {
			old = "; the skill has changed since"
		}
		fmt.Fprintf(a.Stdout, "  written by %s on %s, prompt version %d, for content %.12s%s\n", by,
			x.Date.Format("2006-01-02"), x.Prompt, x.Hash, old)
	}
	for _, p := range x.Phrases {
		mark := ""
		if p.Dropped != "" {
			mark = "  [dropped: " + p.Dropped + "]"
		}
		fmt.Fprintf(a.Stdout, "  %-3s %s%s\n", p.Kind, p.Text, mark)
	}
	for _, n := range x.Near {
		fmt.Fprintf(a.Stdout, "  not %s  [%s]\n", n.Text, n.Skill)
	}
	for _, l := range x.Learned {
		fmt.Fprintf(a.Stdout, "  use %s  [%d×, last %s]\n", l.Text, l.Count, l.Last.Format("2006-01-02"))
	}
}

func newDrop(a *app.App) *cobra.Command {
	var all bool
	var phrase string
	cmd := &cobra.Command{
		Use:   "drop [SKILL...]",
		Short: "Take expansions out of the index",
		Long: `drop removes what was written and learned for skills and remembers that they
are to have none; "enrich --only SKILL" asks again. With --phrase it takes out
one phrase and keeps the rest. --all removes everything and remembers nothing.`,
		Example: `  skillgate enrich drop pdf
  skillgate enrich drop pdf --phrase "make a form"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) > 0) || all && phrase != "" {
				return app.Fail("skillgate enrich drop pdf", "want skills or --all")
			}
			known, entries, err := enrichment.Store(cmd.Context(), a, true)
			if err != nil {
				return err
			}
			n, err := drop(a, known, entries, args, phrase)
			if err := errors.Join(err, known.Close()); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s changed\n", plural.Of(n, "skill"))
			return reindex(cmd.Context(), a)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "drop every expansion")
	cmd.Flags().StringVar(&phrase, "phrase", "", "drop this `TEXT` only")
	return cmd
}

// drop drops the expansions of the named skills, or of all skills.
func drop(a *app.App, known *enrich.Store, entries []catalog.Entry, names []string, phrase string) (int, error) {
	if len(names) == 0 {
		n := len(known.All())
		return n, known.Clear()
	}
	n := 0
	for _, name := range names {
		found, err := matching(entries, name)
		if err != nil {
			return n, err
		}
		for _, entry := range found {
			x, _, ok := known.Get(entry.ID, entry.Hash)
			switch {
			case phrase == "":
				x = enrich.Expansion{Removed: true, Date: a.Now(), Schema: enrich.Schema}
			case !ok || !x.DropPhrase(phrase, "by the user"):
				continue
			}
			x.ID, x.Name, x.Learned = entry.ID, entry.Name, nil
			if err := known.Put(x); err != nil {
				return n, err
			}
			n++
		}
	}
	if n == 0 && phrase != "" {
		return 0, app.Fail("`skillgate enrich show SKILL` prints them", "no phrase %q", phrase)
	}
	return n, nil
}

func newExport(a *app.App) *cobra.Command {
	var learned bool
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the expansions to a file that others can import",
		Long: `export writes one JSON object a line to FILE, or to standard output. Requests
learned from use are your own prompts: they are left out unless --learned.`,
		Example: `  skillgate enrich export expansions.jsonl`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := a.Places()
			if err != nil {
				return err
			}
			known, err := enrich.Load(d.State)
			if err != nil {
				return enrichment.Hint(err)
			}
			list := known.All()
			if !learned {
				list = written(list)
			}
			if len(args) == 0 || args[0] == "-" {
				return enrich.Write(a.Data(), list)
			}
			if err := a.WriteShared(args[0], func(w io.Writer) error { return enrich.Write(w, list) }); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s written to %s\n", plural.Of(len(list), "skill"), args[0])
			return nil
		},
	}
	cmd.Flags().BoolVar(&learned, "learned", false, "with the requests learned from your use")
	return cmd
}

// written leaves out what was learned, and skills that have nothing else.
func written(list []enrich.Expansion) []enrich.Expansion {
	var out []enrich.Expansion
	for _, x := range list {
		if x.Learned = nil; len(x.Phrases) > 0 {
			out = append(out, x)
		}
	}
	return out
}

func newImport(a *app.App) *cobra.Command {
	f := &Options{App: a, batch: 50, jobs: 1, attempts: 1, timeout: 1}
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take the expansions of a file instead of asking a model",
		Long: `import takes the expansions that "enrich export" wrote elsewhere, or lines of
{"id","ko","en","kw"}, for the skills that are here: by content, then by id,
then by name. They pass the same checks as a model's answer.`,
		Example: `  skillgate enrich import expansions.jsonl --dry-run`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.from = strings.TrimSpace(args[0])
			return Run(cmd.Context(), f)
		},
	}
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would be taken")
	f.addSelection(cmd.Flags())
	return cmd
}
