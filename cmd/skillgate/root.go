package main

import (
	"github.com/spf13/cobra"

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
	root.AddCommand(newRerankCommand(e), newLintCommand(e), newIRCommand(e))
	root.AddCommand(newIndexCommand(e), newQueryCommand(e), log.New(e.app(), nil), stats.New(e.app(), nil),
		newInstallCommand(e), newUninstallCommand(e), newDoctorCommand(e), tax.New(e.app(), nil), newBenchCommand(e), newTuneCommand(e), newEnrichCommand(e), version.New(e.app(), nil))
	root.AddCommand(newSynonymsCommand(e), newReplayCommand(e), report.New(e.app(), nil))
	root.AddCommand(newMCPCommand(e))
	return root
}
