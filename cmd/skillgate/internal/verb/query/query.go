// Package query implements the command query, which shows what the hook would decide about a prompt.
package query

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/decision"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/triage"
)

// Options holds the arguments and flags of the command.
type Options struct {
	App       *app.App
	Prompt    string // "-" for standard input
	JSON      bool
	Explain   bool
	K         int // number of candidates to list, 0 for the default
	Libraries []string
}

func New(a *app.App) *cobra.Command {
	o := &Options{App: a}
	cmd := &cobra.Command{
		Use:   "query [flags] PROMPT...",
		Short: "Show what the hook would decide about a prompt",
		Long: `query makes the same decision about one prompt as the hook, but without a session
and without a log entry. It updates the index first. With "-" the prompt is read
from standard input. Put "--" before a prompt that starts with a dash.`,
		Example: `  skillgate query "review this pull request for security holes"
  skillgate query --explain 이번 주 매출 엑셀로 정리해줘
  skillgate query --json --k 20 --library ./skills "make a deck"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Prompt = strings.Join(args, " ")
			if o.K < 0 || o.K == 0 && cmd.Flags().Changed("k") {
				return app.Fail(a.T("omit --k to list the default number of candidates"),
					a.T("--k must be 1 or more, not %d"), o.K)
			}
			return Run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the decision as JSON")
	cmd.Flags().BoolVar(&o.Explain, "explain", false, "show which terms matched which fields, with their scores")
	cmd.Flags().IntVar(&o.K, "k", 0, "list `N` candidates, suggested or not")
	cmd.Flags().StringArrayVar(&o.Libraries, "library", nil,
		"search this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	return cmd
}

// Run decides about the prompt and prints the decision.
func Run(ctx context.Context, o *Options) error {
	a, prompt := o.App, o.Prompt
	if prompt == "-" {
		text, err := io.ReadAll(io.LimitReader(a.Stdin, 1<<20))
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		prompt = string(text)
	}
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	g, err := workspace.Open(ctx, &workspace.Source{Cwd: a.Cwd, Libraries: o.Libraries}, a.Workspace(d, s))
	if err != nil {
		return err
	}
	defer g.Close()
	k := o.K
	if o.Explain {
		k = max(k, 5)
	}
	if s.Rerank.Enabled {
		if _, err := a.Helper(d, s).Warm(); err != nil {
			a.Note("%v", err)
		}
		g.Reranker = a.Helper(d, s).Config().Client()
	}
	found := g.Decide(ctx, gate.Request{Prompt: triage.Classify(secret.Redact(prompt)), K: k})
	if o.JSON {
		return a.PrintJSON(found)
	}
	decision.Print(a, found, o.Explain)
	return nil
}
