package lint

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/wording"
)

func newBaseline(a *app.App) *cobra.Command {
	f := &selection{App: a}
	cmd := &cobra.Command{
		Use:   "baseline FILE [PATH...]",
		Short: "Write all findings to FILE, which lint --baseline then leaves out",
		Long: `baseline writes the findings of today to FILE. "lint --baseline FILE" leaves
them out, so that an old library passes and every new mistake fails. PATH is
what it is for lint.`,
		Example: `  skillgate lint baseline known.json skills
  skillgate lint skills --baseline known.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.paths = args[1:]
			return writeBaseline(cmd.Context(), f, args[0])
		},
	}
	f.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&f.noCache, "no-cache", false, "check everything again")
	return cmd
}

func writeBaseline(ctx context.Context, f *selection, file string) error {
	return f.work(func(j *job.Job) error {
		res, _, _, err := f.check(ctx, j)
		if err != nil {
			return err
		}
		b := lint.NewBaseline(res)
		if err := f.App.WriteShared(file, b.Write); err != nil {
			return err
		}
		fmt.Fprintf(f.App.Stderr, "%s in %s\n", wording.Count(len(b.Findings), "finding"), file)
		return nil
	})
}

func readBaseline(file string) (lint.Baseline, error) {
	if file == "" {
		return lint.Baseline{}, nil
	}
	r, err := os.Open(file)
	if err != nil {
		return lint.Baseline{}, app.Fail("`skillgate lint baseline "+file+"` makes one", "--baseline: %w", err)
	}
	defer r.Close()
	b, err := lint.ReadBaseline(r)
	if err != nil {
		return b, fmt.Errorf("%s: %w", file, err)
	}
	return b, nil
}
