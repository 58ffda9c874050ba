package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
)

// defaultWindow is the context window, in tokens, of most models Claude Code runs.
const defaultWindow = 200_000

// taxReport is what tax prints with --json.
type taxReport struct {
	listing
	MaxDescChars int         `json:"max_desc_chars"`
	Libraries    int         `json:"libraries"` // skills in library folders, which the host does not list
	Savings      []taxSaving `json:"savings"`
	Problems     []string    `json:"problems"`
}

// taxSaving is what moving one source to a library folder would change.
type taxSaving struct {
	Source    string `json:"source"`
	Chars     int    `json:"chars"`     // of its lines, which every session is spared
	Described int    `json:"described"` // descriptions that the other skills get back
}

func newTaxCommand(e *env) *cobra.Command {
	var asJSON bool
	var window, budget int
	cmd := &cobra.Command{
		Use:   "tax",
		Short: "Show what the host's skill listing costs in this folder",
		Long: `tax computes what Claude Code's listing of skills takes of every session here. The
host lists every name; descriptions share 1 % of the model's context window with
the host's own skills, and those that do not fit are dropped: the model then
chooses by the bare name. Skills in a library folder (setting "libraries") are in no
listing; the hook names them with their path when a prompt needs them.

The numbers follow Claude Code 2.1.197. It keeps the descriptions of often used
skills longest; tax does not know the use and goes by the listing's order.`,
		Example: `  skillgate tax
  skillgate tax --window 1000000
  skillgate tax --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, s, err := e.placesAndSettings()
			if err != nil {
				return err
			}
			if window < 1 || budget < 0 {
				return errors.New("--window and --budget must be above 0")
			}
			r, err := e.tax(cmd.Context(), d, s, window, budget)
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(e.stdout)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(r)
			}
			e.printTax(r)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&window, "window", defaultWindow, "the model's context window has `N` tokens")
	cmd.Flags().IntVar(&budget, "budget", 0, "the listing has `N` characters, instead of what the window gives it")
	return cmd
}

// tax computes the report. budget 0 is computed from settings and window.
func (e *env) tax(ctx context.Context, d dirs.Dirs, s gate.Settings, window, budget int) (taxReport, error) {
	files := e.hostFiles(d)
	limit, maxDesc := e.listingLimits(files, window)
	if budget == 0 {
		budget = limit
	}
	r := taxReport{MaxDescChars: maxDesc, Savings: []taxSaving{}, Problems: []string{}}
	roots, problems := catalog.Roots(d, e.cwd, s.Libraries)
	policy, more := catalog.LoadPolicy(d, e.cwd)
	problems = append(problems, more...)
	found, more := catalog.Files(ctx, roots, nil)
	problems = append(problems, more...)
	if err := ctx.Err(); err != nil {
		return r, err
	}
	var entries []catalog.Entry
	for _, f := range found {
		if roots[f.Root].Pool != catalog.Skill {
			continue
		}
		entry, err := catalog.Read(roots[f.Root], f)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		entries = append(entries, entry)
	}
	for _, err := range problems {
		r.Problems = append(r.Problems, err.Error())
	}
	var skills []listedSkill
	entries, _ = catalog.Precedence(entries)
	for _, entry := range entries {
		switch {
		case entry.Source == catalog.Library:
			r.Libraries++
		case entry.Source == catalog.Agents: // of other hosts
		case entry.Pool != catalog.Skill || !entry.ModelInvocable || !policy.Allows(entry.Name, entry.Pool, entry.Source, entry.Plugin):
		default:
			skills = append(skills, listed(entry, files))
		}
	}
	r.listing = hostListing(skills, budget, maxDesc)
	for _, source := range r.Sources {
		var rest []listedSkill
		for _, skill := range skills {
			if skill.Source != source.Source {
				rest = append(rest, skill)
			}
		}
		without := hostListing(rest, budget, maxDesc)
		r.Savings = append(r.Savings, taxSaving{source.Source, source.Chars, without.Described - (r.Described - source.Described)})
	}
	return r, nil
}

func listed(entry catalog.Entry, files []hostFile) listedSkill {
	skill := listedSkill{Name: entry.Name, Text: entry.Description, Source: string(entry.Source)}
	if entry.WhenToUse != "" {
		skill.Text += " - " + entry.WhenToUse
	}
	if entry.Source == catalog.Plugin {
		skill.Source += " " + entry.Plugin // skillOverrides do not reach plugins
	} else {
		skill.NameOnly = nameOnly(files, entry.Name)
	}
	return skill
}

// shownDropped is how many dropped names are printed; --json has all.
const shownDropped = 20

func (e *env) printTax(r taxReport) {
	for _, p := range r.Problems {
		fmt.Fprintf(e.stderr, "skillgate: note: %s\n", p)
	}
	if r.Names == 0 {
		fmt.Fprintf(e.stdout, "No installed skills here: the listing holds only the host's own.\n")
	} else {
		t := table.NewWriter()
		t.SetStyle(table.StyleLight)
		t.SetOutputMirror(e.stdout)
		t.AppendHeader(table.Row{"source", "names", "of names", "descriptions shown", "dropped", "characters"})
		for _, s := range r.Sources {
			t.AppendRow(table.Row{s.Source, s.Names, s.NameChars, s.Described, s.Dropped, s.Chars})
		}
		names := 0
		for _, s := range r.Sources {
			names += s.NameChars
		}
		t.AppendFooter(table.Row{"all", r.Names, names, r.Described, len(r.Dropped), r.Chars})
		var columns []table.ColumnConfig
		for i := 2; i <= 6; i++ {
			columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight, AlignFooter: text.AlignRight})
		}
		t.SetColumnConfigs(columns)
		t.Render()
		fmt.Fprintf(e.stdout, "\n%d characters a session, about %d tokens, and about %d more for the host's own skills; budget %d.\n", r.Chars, r.Chars/4, bundledListing, r.Budget)
	}
	if r.Libraries > 0 {
		fmt.Fprintf(e.stdout, "%d skills in library folders cost nothing here.\n", r.Libraries)
	}
	if n := len(r.Without); n > 0 {
		fmt.Fprintf(e.stdout, "%d without a description, chosen by name alone: %s\n", n, firstNames(r.Without))
	}
	if n := len(r.Dropped); n > 0 {
		fmt.Fprintf(e.stdout, "%d descriptions dropped, chosen by name alone: %s\n", n, firstNames(r.Dropped))
	}
	for _, s := range r.Savings {
		fmt.Fprintf(e.stdout, "Moving %s to a library folder saves %d characters a session", s.Source, s.Chars)
		if s.Described > 0 {
			fmt.Fprintf(e.stdout, "; %d of the other skills get their description back", s.Described)
		}
		fmt.Fprintln(e.stdout, ".")
	}
}

func firstNames(names []string) string {
	if len(names) <= shownDropped {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, … (%d more; --json has all)", strings.Join(names[:shownDropped], ", "), len(names)-shownDropped)
}
