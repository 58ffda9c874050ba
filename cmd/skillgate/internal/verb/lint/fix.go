package lint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/wording"
)

func newFix(a *app.App) *cobra.Command {
	f, dryRun := &selection{App: a}, false
	cmd := &cobra.Command{
		Use:   "fix [PATH...]",
		Short: "Apply the safe fixes and print them as a diff",
		Long: `fix applies the fixes that do not change the meaning of a skill, and prints them as
a diff for git apply. PATH is the same as for lint. If PATH is "-", fix only prints
the diff for the text on standard input.

Exit status: 0 all fixes were applied, or there are none; 1 fixes were only printed
(with --dry-run or for standard input); 3 failure.`,
		Example: `  skillgate lint fix skills --dry-run
  skillgate lint fix skills
  skillgate lint fix skills --changed`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.paths = args
			return fix(cmd.Context(), f, dryRun)
		},
	}
	f.addFlags(cmd.Flags())
	f.addParts(cmd.Flags())
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print the fixes without applying them")
	return cmd
}

func fix(ctx context.Context, f *selection, dryRun bool) error {
	return f.work(func(j *job.Job) error {
		j.Fixes = true
		res, err := f.check(ctx, j)
		if err != nil {
			return err
		}
		return applyFixes(f.App, j.Library, res, !dryRun && !j.FromStdin)
	})
}

func applyFixes(a *app.App, l *lint.Library, res *lint.Result, write bool) error {
	by := map[string][]lint.Finding{}
	for _, f := range res.Findings {
		if f.Fix != nil {
			by[f.Skill] = append(by[f.Skill], f)
		}
	}
	out := a.Stdout
	_, terminal := app.Terminal(out)
	if runner := a.Getenv("GITHUB_ACTIONS") + a.Getenv("TF_BUILD"); !terminal && runner == "" {
		out = app.Raw(out) // git apply needs the exact bytes; escaping them would break the patch
	}
	files, fixed := 0, 0
	var failed []error
	for _, s := range l.Skills {
		text, done := lint.Apply(s.Src.Text, by[s.ID])
		if len(done) == 0 {
			continue
		}
		if _, err := out.Write(patch(s.Src.Path, s.Src.Text, text)); err != nil {
			return err
		}
		if write && s.Path != "" {
			if err := rewrite(&s.Entry, s.Src.Text, text); err != nil {
				failed = append(failed, err)
				continue
			}
		}
		files, fixed = files+1, fixed+len(done)
	}
	verb := "would fix"
	if write {
		verb = "fixed"
	}
	fmt.Fprintf(a.Stderr, "%s %s in %s; findings without a safe fix: %d\n", verb, wording.Count(fixed, "finding"),
		wording.Count(files, "file"), unfixable(res.Findings))
	if failed != nil {
		return errors.Join(failed...)
	}
	if fixed > 0 && !write {
		return app.ErrFindings
	}
	return nil
}

func patch(path, old, text string) []byte {
	name := strings.TrimPrefix(filepath.ToSlash(path), "/")
	return diff.Diff("a/"+name, []byte(old), "b/"+name, []byte(text))
}

func unfixable(findings []lint.Finding) int {
	n := 0
	for _, f := range findings {
		if f.Fix == nil {
			n++
		}
	}
	return n
}

func rewrite(s *catalog.Entry, old, text string) error {
	now, err := os.ReadFile(s.Path)
	if err != nil {
		return err
	}
	if string(now) != old {
		return fmt.Errorf("%s has changed since the check and was not written; run the command again", s.Path)
	}
	return disk.Write(s.Path, []byte(text), disk.Options{Shared: true, Root: s.Within, Sync: true})
}
