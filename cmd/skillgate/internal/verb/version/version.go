// Package version is the command that says what the binary was built from, and whether there
// is a newer release.
package version

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
)

// options are what the command line says.
type options struct {
	App   *app.App
	JSON  bool
	Check bool
}

// New returns the command.
func New(a *app.App) *cobra.Command {
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print what this binary was built from",
		Long: `version prints what this binary was built from. With --check it asks npm's
registry, or the one that npm_config_registry names, for the newest release:
one request, which carries nothing about you or your skills. Without an answer
within three seconds it says so and exits with status 0.`,
		Example: "  skillgate version\n  skillgate version --check\n  skillgate version --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o) },
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&o.Check, "check", false, "ask whether there is a newer release")
	return cmd
}

// run prints the version, or with --check whether there is a newer one.
func run(ctx context.Context, o *options) error {
	out := o.App.Stdout
	if o.Check {
		c := check(ctx, build.Read().Version, o.App.Getenv)
		if o.JSON {
			return o.App.JSONLines().Encode(c)
		}
		_, err := fmt.Fprintln(out, c)
		return err
	}
	if o.JSON {
		return o.App.JSONLines().Encode(build.Read())
	}
	_, err := fmt.Fprintln(out, Line())
	return err
}

// Line is the version in one line.
func Line() string {
	b := build.Read()
	return fmt.Sprintf("skillgate %s (%s, %s, analyzer %s)", b.Version, b.Go, b.Platform, b.Analyzer)
}
