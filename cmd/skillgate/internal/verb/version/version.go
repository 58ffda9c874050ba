// Package version implements the command version, which shows what the binary was built from and whether a newer
// release exists.
package version

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
)

func New(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version and build details",
		Example: "  skillgate version\n  skillgate version --json\n  skillgate version check",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return print(a, asJSON, build.Read(), Line())
		},
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.AddCommand(&cobra.Command{
		Use:   "check",
		Short: "Check for a newer release",
		Long: `check asks npm's registry, or the one in npm_config_registry, for the newest
release. The request contains nothing about you or your skills. If there is
no answer within three seconds, check says so and exits with status 0.`,
		Example: "  skillgate version check",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := check(cmd.Context(), build.Read().Version, a.Getenv, a.Textf)
			return print(a, asJSON, c, c.said(a.Textf))
		},
	})
	return cmd
}

func print(a *app.App, asJSON bool, value any, line string) error {
	if asJSON {
		return a.JSONLines().Encode(value)
	}
	_, err := fmt.Fprintln(a.Stdout, line)
	return err
}

// Line returns the version in one line.
func Line() string {
	b := build.Read()
	return fmt.Sprintf("skillgate %s (%s, %s, analyzer %s)", b.Version, b.Go, b.Platform, b.Analyzer)
}
