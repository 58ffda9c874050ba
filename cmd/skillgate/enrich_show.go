package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/enrichment"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
)

// enrichStore opens the store, for writing or reading, with the entries of a session here.
func (e *env) enrichStore(ctx context.Context, write bool) (*enrich.Store, []catalog.Entry, error) {
	d, s, err := e.placesAndSettings()
	if err != nil {
		return nil, nil, err
	}
	entries, err := enrichment.Skills(ctx, e.app(), d, s)
	if err != nil {
		return nil, nil, err
	}
	open := enrich.Load
	if write {
		open = enrich.Open
	}
	known, err := open(d.State)
	if err != nil {
		return nil, nil, enrichError(err)
	}
	return known, entries, nil
}

// reindex brings the index up to date after the store has changed.
func (e *env) reindex(ctx context.Context) error {
	d, s, err := e.placesAndSettings()
	if err != nil {
		return err
	}
	return e.refreshSkills(ctx, d, s)
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
		return nil, &exitError{code: 3, err: fmt.Errorf("no skill %q", pattern), hint: "its name, folder or id; `skillgate index --json` counts them"}
	}
	return out, nil
}

func newEnrichShowCommand(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [SKILL]",
		Short: "Show a skill's expansions, or how many skills have any",
		Long: `show prints what was written and learned for a skill, who wrote it and when, and
which phrases are dropped and why. Without a skill it counts.`,
		Example: `  skillgate enrich show
  skillgate enrich show pdf`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			known, entries, err := e.enrichStore(cmd.Context(), false)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return e.countExpansions(known, entries, asJSON)
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
					if err := encodeJSON(e, x); err != nil {
						return err
					}
				case !ok:
					fmt.Fprintf(e.stdout, "%s: %s\n", entry.ID, map[bool]string{true: "none, as you asked", false: "none yet"}[known.Removed(entry.ID)])
				default:
					e.printExpansion(x, stale)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, one object a skill")
	return cmd
}

func (e *env) countExpansions(known *enrich.Store, entries []catalog.Entry, asJSON bool) error {
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
		return encodeJSON(e, map[string]any{"skills": count, "learned": learned, "skipped_lines": known.Skipped})
	}
	fmt.Fprintf(e.stdout, "%d skills enriched, %d changed since, %d without, %d declined; %d requests learned from use\n",
		count[enrich.Fresh]+count[enrich.Outdated], count[enrich.Changed], count[enrich.Missing], count[enrich.Declined], learned)
	return nil
}

func (e *env) printExpansion(x enrich.Expansion, stale bool) {
	fmt.Fprintf(e.stdout, "%s\n", x.ID)
	if len(x.Phrases) > 0 {
		by := x.Provider
		if x.Model != "" {
			by += " (" + x.Model + ")"
		}
		old := ""
		if stale {
			old = "; the skill has changed since"
		}
		fmt.Fprintf(e.stdout, "  written by %s on %s, prompt version %d, for content %.12s%s\n", by, x.Date.Format("2006-01-02"), x.Prompt, x.Hash, old)
	}
	for _, p := range x.Phrases {
		mark := ""
		if p.Dropped != "" {
			mark = "  [dropped: " + p.Dropped + "]"
		}
		fmt.Fprintf(e.stdout, "  %-3s %s%s\n", p.Kind, p.Text, mark)
	}
	for _, n := range x.Near {
		fmt.Fprintf(e.stdout, "  not %s  [%s]\n", n.Text, n.Skill)
	}
	for _, l := range x.Learned {
		fmt.Fprintf(e.stdout, "  use %s  [%d×, last %s]\n", l.Text, l.Count, l.Last.Format("2006-01-02"))
	}
}

func newEnrichDropCommand(e *env) *cobra.Command {
	var all bool
	var phrase string
	cmd := &cobra.Command{
		Use:   "drop [SKILL...]",
		Short: "Take expansions out of the index",
		Long: `drop removes what was written and learned for skills and remembers that they are
to have none; "enrich --only SKILL" asks again. With --phrase it takes out one
phrase and keeps the rest. --all removes everything and remembers nothing.`,
		Example: `  skillgate enrich drop pdf
  skillgate enrich drop pdf --phrase "make a form"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) > 0) || all && phrase != "" {
				return &exitError{code: 3, err: errors.New("want skills or --all"), hint: "skillgate enrich drop pdf"}
			}
			known, entries, err := e.enrichStore(cmd.Context(), true)
			if err != nil {
				return err
			}
			n, err := e.drop(known, entries, args, phrase)
			if err := errors.Join(err, known.Close()); err != nil {
				return err
			}
			fmt.Fprintf(e.stdout, "%d skills changed\n", n)
			return e.reindex(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "drop every expansion")
	cmd.Flags().StringVar(&phrase, "phrase", "", "drop this `TEXT` only")
	return cmd
}

// drop drops the expansions of the named skills, all of them where none is named.
func (e *env) drop(known *enrich.Store, entries []catalog.Entry, names []string, phrase string) (int, error) {
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
				x = enrich.Expansion{Removed: true, Date: e.now(), Schema: enrich.Schema}
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
		return 0, &exitError{code: 3, err: fmt.Errorf("no phrase %q", phrase), hint: "`skillgate enrich show SKILL` prints them"}
	}
	return n, nil
}

func newEnrichExportCommand(e *env) *cobra.Command {
	var learned bool
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the expansions to a file that others can import",
		Long: `export writes one JSON object a line to FILE, or to standard output. Requests
learned from use are your own prompts: they are left out unless --learned.`,
		Example: `  skillgate enrich export expansions.jsonl`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := e.places()
			if err != nil {
				return err
			}
			known, err := enrich.Load(d.State)
			if err != nil {
				return enrichError(err)
			}
			list := known.All()
			if !learned {
				list = written(list)
			}
			if len(args) == 0 || args[0] == "-" {
				return enrich.Write(e.stdout, list)
			}
			file := args[0]
			if !filepath.IsAbs(file) {
				file = filepath.Join(e.cwd, file)
			}
			if err := e.writeShared(file, func(w io.Writer) error { return enrich.Write(w, list) }); err != nil {
				return err
			}
			fmt.Fprintf(e.stdout, "%d skills written to %s\n", len(list), args[0])
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

func newEnrichImportCommand(e *env) *cobra.Command {
	f := enrichFlags{batch: 50, jobs: 1, attempts: 1, timeout: 1}
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take the expansions of a file, as enrich --from FILE does",
		Long: `import takes the expansions that "enrich export" wrote elsewhere, or lines of
{"id","ko","en","kw"}, for the skills that are here: by content, then by id, then
by name. They pass the same checks as a model's answer.`,
		Example: `  skillgate enrich import expansions.jsonl --dry-run`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.from = strings.TrimSpace(args[0])
			return e.enrich(cmd.Context(), f)
		},
	}
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would be taken")
	cmd.Flags().BoolVar(&f.noCheck, "no-check", false, "leave out the round trip afterwards")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the report as JSON")
	return cmd
}
