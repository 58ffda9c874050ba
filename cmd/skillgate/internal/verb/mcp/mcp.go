// Package mcp is the command that serves the skills over the Model Context Protocol.
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

// Options are what the command line says.
type Options struct {
	App       *app.App
	Libraries []string
}

// New returns the command. run does the work; nil stands for Run.
func New(a *app.App, run func(context.Context, *Options) error) *cobra.Command {
	o := &Options{App: a}
	if run == nil {
		run = Run
	}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the skills over the Model Context Protocol",
		Long: `mcp answers a client of the Model Context Protocol on standard input and output.
It has three tools: skill_lookup (a prompt to the skills that fit it), skill_load
(a name to its SKILL.md) and skill_list. They serve what a session in this folder
could use, and bring the index up to date before they answer.

The decision of each skill_lookup goes into the journal as the hook's do, marked
with mcp: log shows it, and stats, report and replay, which are about prompts of
sessions, leave it out.`,
		Example: `  skillgate mcp
  skillgate mcp --library ./skills`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o) },
	}
	cmd.Flags().StringArrayVar(&o.Libraries, "library", nil,
		"serve this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	return cmd
}

// Run serves until standard input ends.
func Run(ctx context.Context, o *Options) error {
	a := o.App
	log := func(g *gate.Gate, d gate.Decision) { logLookup(a, g, d) }
	return mcp.Serve(ctx, mcp.New(opener(a, o.Libraries), log, build.Read().Version), a.Stdin, a.Stdout)
}

// opener returns what opens a gate over libraries, or over the installed skills
// where there are none, with the index up to date. Nothing is printed: standard
// error of a server is read by nobody.
func opener(a *app.App, libraries []string) mcp.Open {
	return func(ctx context.Context) (*gate.Gate, error) {
		silent := *a
		silent.Stderr = io.Discard
		return silent.OpenHere(ctx, libraries)
	}
}

// logLookup appends what was decided for an MCP client to the journal.
func logLookup(a *app.App, g *gate.Gate, d gate.Decision) {
	places, err := a.Places()
	if err != nil {
		return
	}
	r, err := journal.Decided(a.Now(), build.Read().Version, d, g, g.Settings)
	if err != nil {
		return
	}
	r.Cwd, r.Source = a.Cwd, journal.SourceMCP
	_ = journal.Append(places.State, r) // the answer matters more than its log line
}
