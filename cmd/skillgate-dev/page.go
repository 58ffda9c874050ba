package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-dev/internal/site"
)

// newPageCommand makes the project's page.
func newPageCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "page FOLDER",
		Short: "Make the project's page from this checkout",
		Long: `page writes a static page of the project to FOLDER: what skillgate does, its
figures (from testdata/figures), a recording of a terminal and the documents. It
builds skillgate and records a real run of it, with the skills of
testdata/skills-e2e, in a home folder of its own. It is run in the checkout.`,
		Example: "  go run ./cmd/skillgate-dev page /tmp/page",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := site.Write(cmd.Context(), a.Cwd, a.Absolute(args[0])); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.Stdout, "%s/index.html\n", a.Absolute(args[0]))
			return err
		},
	}
}
