package index

import (
	"fmt"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
)

func New(a *app.App) *cobra.Command {
	var asJSON bool
	var full, background bool
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Bring the skill index up to date",
		Long: `index scans every folder of skills and agents that a session here could use and
brings two indexes up to date: one for everything that does not depend on this
folder, one for this project. Unchanged skills are not read again.

The hook does this by itself in the background; run it to wait for the result
or to see what is wrong with a skill.`,
		Example: `  skillgate index           refresh
  skillgate index --full    rebuild from scratch
  skillgate index --json    a summary for programs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if background {
				lowerPriority()
			}
			d, err := a.Places()
			if err != nil {
				return err
			}
			s, err := a.Settings(d)
			if err != nil && !background {
				return err
			}
			o := a.Workspace(d, s)
			if o.Full, o.Background = full, background; background {
				o.Progress = nil
			}
			sums, err := a.Refresh(cmd.Context(), o)
			if err != nil || background {
				return err
			}
			if asJSON {
				return a.PrintJSON(sums)
			}
			for _, sum := range sums {
				state := "up to date"
				if !sum.UpToDate {
					state = fmt.Sprintf("%d added, %d changed, %d removed, %d unchanged", sum.Added, sum.Changed, sum.Removed, sum.Unchanged)
				}
				fmt.Fprintf(a.Stdout, "%s: %d skills, generation %d, %s (%.2f s)\n", sum.Scope, sum.Skills, sum.Generation, state, sum.Seconds)
				for _, p := range sum.Problems {
					fmt.Fprintf(a.Stdout, "  %s\n", p)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a summary as JSON")
	cmd.Flags().BoolVar(&full, "full", false, "rebuild everything")
	cmd.Flags().BoolVar(&background, "background", false, "print nothing, yield to other work, leave when another build runs (how the hook starts it)")
	return cmd
}

// lowerPriority makes a background build yield to whatever the user runs.
func lowerPriority() {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, os.Getpid(), 10) // best effort: without it the build is only less polite
}
