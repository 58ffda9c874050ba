package query

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/decision"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/triage"
)

func New(a *app.App) *cobra.Command {
	var f Options
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
		RunE: func(cmd *cobra.Command, args []string) error { return Run(cmd.Context(), a, f, args) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the decision as JSON")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "show which term met which field, and what it scored")
	cmd.Flags().IntVar(&f.k, "k", 0, "list `N` candidates, injected or not")
	cmd.Flags().StringArrayVar(&f.libraries, "library", nil, "search this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	cmd.Flags().StringVar(&f.enrichment, "enrichment", "", "add the expansions of `FILE` to --library")
	return cmd
}

type Options struct {
	json, explain bool
	k             int
	libraries     []string
	enrichment    string
}

func Run(ctx context.Context, a *app.App, f Options, args []string) error {
	prompt := strings.Join(args, " ")
	if prompt == "-" {
		text, err := io.ReadAll(io.LimitReader(a.Stdin, 1<<20))
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		prompt = string(text)
	}
	if f.k < 0 {
		return app.Fail("without --k as many are listed as are shown to the model, and five at least", "--k is %d, want 1 or more", f.k)
	}
	if f.enrichment != "" && len(f.libraries) == 0 {
		return app.Fail("`skillgate enrich --from FILE` adds expansions to the installed skills", "--enrichment needs --library")
	}
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	o := a.Workspace(d, s)
	if o.Expansions, err = enrichment.Read(f.enrichment); err != nil {
		return err
	}
	g, err := a.Open(ctx, &workspace.Source{Cwd: a.Cwd, Libraries: f.libraries}, o)
	if err != nil {
		return err
	}
	defer g.Close()
	k := f.k
	if f.explain {
		k = max(k, 5)
	}
	if s.Rerank.Enabled {
		if _, err := a.Helper(d, s).Warm(); err != nil {
			fmt.Fprintf(a.Stderr, "skillgate: note: %v\n", err)
		}
		g.Reranker = a.Helper(d, s).Reranker()
	}
	found := g.Decide(ctx, gate.Request{Prompt: triage.Classify(secret.Redact(prompt)), K: k})
	if f.json {
		return a.PrintJSON(found)
	}
	decision.Print(a, found, f.explain)
	return nil
}
