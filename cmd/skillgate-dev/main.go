// Command skillgate-dev holds what only developers of skillgate need: it measures
// the gate on test sets that are not part of the project. It is not installed.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	log.SetOutput(io.Discard) // bleve logs what it cannot open, and returns it as an error too
	root := &cobra.Command{
		Use:           "skillgate-dev",
		Short:         "Measures and trains skillgate",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newTableCommand(), newTrainCommand(), newSecretsCommand(), newCommonCommand())
	if err := root.Execute(); err != nil {
		fmt.Fprintf(os.Stderr, "skillgate-dev: %v\n", err)
		os.Exit(3)
	}
}
