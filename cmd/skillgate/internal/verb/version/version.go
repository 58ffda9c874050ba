// Package version is the command that says what the binary was built from.
package version

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
)

// Options are what the command line says.
type Options struct {
	App  *app.App
	JSON bool
}

// New returns the command. run does the work; nil stands for Run.
func New(a *app.App, run func(*Options) error) *cobra.Command {
	o := &Options{App: a}
	if run == nil {
		run = Run
	}
	cmd := &cobra.Command{
		Use:     "version",
		Example: "  skillgate version\n  skillgate version --json",
		Short:   "Print what this binary was built from",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return run(o) },
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
	return cmd
}

// Run prints the version.
func Run(o *Options) error {
	b := build.Read()
	if o.JSON {
		return o.App.JSONLines().Encode(b)
	}
	_, err := fmt.Fprintf(o.App.Stdout, "skillgate %s (%s, %s, analyzer %s)\n", b.Version, b.Go, b.Platform, b.Analyzer)
	return err
}
