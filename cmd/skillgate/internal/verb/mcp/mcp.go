// Package mcp implements the command mcp, which serves the skills over the Model Context Protocol.
package mcp

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/hooks/mcp"
)

type options struct {
	App       *app.App
	Libraries []string
}

func New(a *app.App) *cobra.Command {
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the skills over the Model Context Protocol",
		Long: `mcp serves a client of the Model Context Protocol on standard input and output.
It has two tools: skill_lookup returns the skills that fit a prompt, and
skill_load returns the SKILL.md of a named skill, with arguments filled in as the
host does. It also serves the protocol's Skills extension (SEP-2640):
skills/list, skills/get, and the files of skills as resources. The tools and the
extension offer the skills that a session in this folder can use, and update the
index first.

Each skill_lookup is logged as a decision with the source mcp, and each
skill_load as its outcome. log shows them; stats, report and replay, which are
about prompts of sessions, leave them out.`,
		Example: `  skillgate mcp
  skillgate mcp --library ./skills`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o) },
	}
	cmd.Flags().StringArrayVar(&o.Libraries, "library", nil,
		"serve this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	return cmd
}

func run(ctx context.Context, o *options) error {
	a := o.App
	log, err := logOf(a)
	if err != nil {
		return err
	}
	return mcp.Serve(ctx, mcp.New(mcp.Source{Open: opener(a, o.Libraries), Log: log}, build.Read().Version), a.Stdin,
		a.Stdout)
}

// opener returns a function that opens a gate over libraries, or over the installed skills if there are none,
// after updating the index. It prints nothing, since nobody reads a server's standard error.
func opener(a *app.App, libraries []string) mcp.Open {
	return func(ctx context.Context) (*gate.Gate, error) {
		silent := *a
		silent.Stderr = io.Discard
		return silent.OpenHere(ctx, libraries)
	}
}

// logOf returns functions that append lookups and loads to the journal. All records of a server share a session, so
// that a load is an outcome of the lookup before it.
func logOf(a *app.App) (mcp.Log, error) {
	places, err := a.Places()
	if err != nil {
		return mcp.Log{}, err
	}
	session := journal.NewID(a.Now())
	write := func(r journal.Record) error {
		r.Session, r.Cwd, r.Source = journal.SourceMCP+"-"+session, a.Cwd, journal.SourceMCP
		_ = journal.Append(places.State, r) // the client gets its answer even if it cannot be logged
		return nil
	}
	return mcp.Log{
		Looked: func(_ context.Context, g *gate.Gate, d gate.Decision) error {
			return write(journal.Decided(a.Now(), build.Read().Version, d, g, g.Settings))
		},
		Loaded: func(_ context.Context, name, path string) error {
			r := journal.New(journal.KindOutcome, a.Now())
			r.Outcome = &journal.Outcome{Tool: journal.ToolMCP, Skill: name, Path: path, Success: true,
				Source: journal.SourceMCP}
			return write(r)
		},
	}, nil
}
