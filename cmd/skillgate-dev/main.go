// Command skillgate-dev is for developers of skillgate: it measures the gate on test sets
// that are not part of the project and trains its models. It is not installed.
package main

import (
	"io"
	"log"
	"os"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	_ "github.com/skillgate/skillgate/cmd/internal/start"
)

func main() {
	log.SetOutput(io.Discard) // libraries log errors that they also return
	a := app.New(os.Args[1:])
	os.Exit(a.Run(newRoot(a)))
}

func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "skillgate-dev",
		Short: "Measure and train skillgate",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newTableCommand(a), newPublicCommand(a), newTrainCommand(),
		newSecretsCommand(a), newOrdersCommand(a), newCommonCommand(a), newWordsCommand(a),
		newHelpsCommand(a),
		newPageCommand(a))
	return root
}
