package main

import (
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/advise"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/calibrate"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/doctor"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/enrich"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/experiment"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/index"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/install"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/ir"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/lint"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/listing"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/log"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/mcp"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/query"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/replay"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/report"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/rerank"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/state"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/stats"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/synonyms"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/tax"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/version"
)

func init() { cobra.EnableCommandSorting = false } // the help lists commands in the order of newRoot

func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "skillgate",
		Short: "Suggests the skills that fit a prompt, before the model reads it",
		Long: `skillgate runs on Claude Code's UserPromptSubmit hook. For every prompt it
decides whether a skill is worth loading and, if so, suggests the few that are.
It stays silent for greetings, acknowledgements and commands.

Start with:
  skillgate             show what is installed, and the next step
  skillgate install     register the hook
  skillgate query TEXT  show what skillgate would suggest, and why
  skillgate doctor      check that everything works`,
		Version: build.Read().Version,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return state.Run(cmd.Context(), a) },
	}
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Everyday use", []*cobra.Command{
			query.New(a), log.New(a), stats.New(a),
			report.New(a), advise.New(a), doctor.New(a),
			index.New(a), install.New(a), install.NewUninstall(a),
		}},
		{"Writing and maintaining skills", []*cobra.Command{
			lint.New(a), ir.New(a), tax.New(a), enrich.New(a), synonyms.New(a),
		}},
		{"Measuring changes", []*cobra.Command{experiment.New(a), calibrate.New(a), replay.New(a),
			benchmark.New(a)}},
		{"More", []*cobra.Command{mcp.New(a), listing.New(a), rerank.New(a), version.New(a)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID("More")
	root.SetCompletionCommandGroupID("More")
	return root
}
