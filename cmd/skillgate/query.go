package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

func newQueryCommand(e *env) *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "query [flags] PROMPT...",
		Short: "Show what the hook would decide about a prompt",
		Long: `query decides about one prompt exactly as the hook would, without a session and
without writing a log. It brings the index up to date first. With "-" the prompt
is read from standard input. "--" ends the flags.`,
		Example: `  skillgate query "review this pull request for security holes"
  skillgate query --explain 이번 주 매출 엑셀로 정리해줘
  skillgate query --json --k 20 --library ./skills "make a deck"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return e.query(cmd.Context(), f, args) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the decision as JSON")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "show which term met which field, and what it scored")
	cmd.Flags().IntVar(&f.k, "k", 0, "list `N` candidates, injected or not")
	cmd.Flags().StringArrayVar(&f.libraries, "library", nil, "search this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	cmd.Flags().StringVar(&f.enrichment, "enrichment", "", "add the expansions of `FILE` to --library")
	return cmd
}

type queryFlags struct {
	json, explain bool
	k             int
	libraries     []string
	enrichment    string
}

func (e *env) query(ctx context.Context, f queryFlags, args []string) error {
	prompt := strings.Join(args, " ")
	if prompt == "-" {
		text, err := io.ReadAll(io.LimitReader(e.stdin, 1<<20))
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		prompt = string(text)
	}
	if f.k < 0 {
		return &exitError{code: 3, err: fmt.Errorf("--k is %d, want 1 or more", f.k), hint: "without --k as many are listed as are shown to the model, and five at least"}
	}
	if f.enrichment != "" && len(f.libraries) == 0 {
		return &exitError{code: 3, err: errors.New("--enrichment needs --library"), hint: "`skillgate enrich --from FILE` adds expansions to the installed skills"}
	}
	d, s, err := e.placesAndSettings()
	if err != nil {
		return err
	}
	var g *gate.Gate
	if len(f.libraries) > 0 {
		g, err = e.openLibrary(ctx, d, s, f.libraries, f.enrichment)
	} else {
		if _, err := e.buildScopes(ctx, d, s, buildFlags{wait: true}); err != nil {
			return err
		}
		g, err = gate.Open(d, e.cwd, s)
	}
	if err != nil {
		return err
	}
	defer g.Close()
	k := f.k
	if f.explain {
		k = max(k, 5)
	}
	if s.Rerank.Enabled {
		if _, err := e.warmReranker(d, s); err != nil {
			fmt.Fprintf(e.stderr, "skillgate: note: %v\n", err)
		}
		g.Reranker = e.reranker(d, s)
	}
	decision := g.Decide(ctx, gate.Request{Prompt: triage.Classify(secret.Redact(prompt)), K: k})
	if f.json {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(decision)
	}
	e.printDecision(decision, f.explain)
	return nil
}

func (e *env) printDecision(d gate.Decision, explain bool) {
	why := ""
	if d.Reason != "" {
		why = " (" + string(d.Reason) + ")"
	}
	fmt.Fprintf(e.stdout, "%s%s, need %.2f, %s, %.1f ms\n", d.Verdict, why, d.Need, d.Lang, d.Ms.Total)
	for _, n := range d.Notes {
		fmt.Fprintf(e.stderr, "skillgate: note: %s\n", n)
	}
	if len(d.Candidates) == 0 {
		return
	}
	t := ruledTable(table.Row{"#", "", "name", "score", "step", "matched"})
	for _, c := range d.Candidates {
		mark := ""
		if c.Injected {
			mark = "→"
		}
		step := ""
		if c.Step > 0 {
			step = fmt.Sprint(c.Step)
		}
		name := c.Name
		if c.Pool == "agent" {
			name += " (agent)"
		}
		t.AppendRow(table.Row{c.Rank, mark, name, fmt.Sprintf("%.2f", c.Score), step, matchedWords(c.Matched)})
	}
	fmt.Fprintln(e.stdout, t.Render())
	if explain {
		e.explain(d)
	}
	if d.Context != "" {
		fmt.Fprintf(e.stdout, "\nThe model is shown (%d characters):\n%s\n", d.Chars, d.Context)
	}
}

// explain prints each candidate's score term by term and field by field.
func (e *env) explain(d gate.Decision) {
	for _, c := range d.Candidates {
		fmt.Fprintf(e.stdout, "\n%d. %s  %s\n", c.Rank, c.Name, c.Path)
		t := ruledTable(table.Row{"term", "met", "field", "score"})
		sum := 0.0
		for _, m := range c.Matched {
			via := m.Via
			if m.Field == "expansion" {
				via = "(an expansion)" // made by a model from the skill, never shown
			}
			t.AppendRow(table.Row{m.Term, via, m.Field, fmt.Sprintf("%+.3f", m.Score)})
			sum += m.Score
		}
		t.AppendFooter(table.Row{"", "", "sum", fmt.Sprintf("%.3f", sum)})
		fmt.Fprintln(e.stdout, t.Render())
		if len(c.HeldBack) > 0 {
			fmt.Fprintf(e.stdout, "held back, near-equal to it: %s\n", strings.Join(c.HeldBack, ", "))
		}
	}
}

// matchedWords lists the terms that scored, best first, within 60 characters.
func matchedWords(matched []gate.Match) string {
	var out string
	seen := map[string]bool{}
	for _, m := range matched {
		word := m.Term
		if m.Via != "" && m.Field != "expansion" {
			word += "→" + m.Via
		}
		if m.Score <= 0 || seen[word] {
			continue
		}
		seen[word] = true
		if utf8.RuneCountInString(out)+utf8.RuneCountInString(word) > 60 {
			return out + " …"
		}
		if out != "" {
			out += ", "
		}
		out += word
	}
	return out
}
