package main

import (
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/install"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/log"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/report"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/stats"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/tax"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/verb/version"
)

func newRootCommand(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "skillgate",
		Short: "Names the skills that fit a prompt, before the model reads it",
		Long: `skillgate runs on Claude Code's UserPromptSubmit hook. For every prompt it
decides whether a skill is worth loading and, if so, names the few that are.
It stays silent for greetings, acknowledgements, commands and small edits.

Start with:
  skillgate install     register the hook
  skillgate query TEXT  see what a prompt would get, and why
  skillgate doctor      check that everything works`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	cobra.EnableCommandSorting = false // they are listed as below
	a := e.app()
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Every day", []*cobra.Command{
			newQueryCommand(e), log.New(a, nil), stats.New(a, nil), report.New(a, nil), newDoctorCommand(e),
			newIndexCommand(e), install.New(a, nil), install.NewUninstall(a, nil),
		}},
		{"Writing and keeping skills", []*cobra.Command{newLintCommand(e), newIRCommand(e), tax.New(a, nil), newEnrichCommand(e), newSynonymsCommand(e)}},
		{"Measuring changes", []*cobra.Command{newReplayCommand(e), newBenchCommand(e), newTuneCommand(e)}},
		{"More", []*cobra.Command{newMCPCommand(e), newRerankCommand(e), version.New(a, nil)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID("More")
	return root
}
