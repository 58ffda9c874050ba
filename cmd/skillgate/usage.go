package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// onRun calls f before cmd or a command below it starts its work: an error that comes
// without that call is one of its arguments or flags.
func onRun(cmd *cobra.Command, f func()) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			f()
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		onRun(sub, f)
	}
}

// usageHint is the next step after wrong arguments or flags of cmd: the command that
// was meant, where one has a similar name, or the help.
func usageHint(cmd *cobra.Command) string {
	if rest := cmd.Flags().Args(); cmd.HasAvailableSubCommands() && len(rest) > 0 {
		cmd.SuggestionsMinimumDistance = 2 // letters to change
		if meant := cmd.SuggestionsFor(rest[0]); len(meant) > 0 {
			return fmt.Sprintf("did you mean `%s %s`?", cmd.CommandPath(), meant[0])
		}
		return fmt.Sprintf("`%s --help` lists the commands", cmd.CommandPath())
	}
	if cmd.HasExample() {
		return fmt.Sprintf("`%s --help` has examples", cmd.CommandPath())
	}
	return fmt.Sprintf("`%s --help` says how it is used", cmd.CommandPath())
}
