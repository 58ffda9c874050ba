// Package index implements the command index, which updates the skill index.
package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/workspace"
)

type options struct {
	App        *app.App
	JSON       bool
	Full       bool // rebuild everything
	Background bool // started by the hook: silent and with low priority
	Below      []string
}

func New(a *app.App) *cobra.Command {
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Update the skill index",
		Long: `index scans every folder of skills and agents that a session here can use and
updates two indexes: one for everything that does not depend on this folder, and
one for this project. Unchanged skills are not read again.

The hook updates the indexes in the background. Run index to wait for the result
or to see which skills cannot be read.`,
		Example: `  skillgate index           refresh
  skillgate index --full    rebuild from scratch
  skillgate index --json    a summary for programs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o) },
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print a summary as JSON")
	cmd.Flags().BoolVar(&o.Full, "full", false, "rebuild everything")
	cmd.Flags().StringArrayVar(&o.Below, "below", nil,
		"also index the skills in `FOLDER`, a folder below the current one, such as packages/web/.claude/skills\n"+
			"(the hook does so for folders that a session has discovered)")
	cmd.Flags().BoolVar(&o.Background, "background", false,
		"print nothing, run at low priority and exit if another build is running (used by the hook)")
	return cmd
}

func run(ctx context.Context, o *options) error {
	a := o.App
	if o.Background {
		system.LowerPriority() // the user's programs come first
	}
	d, err := a.Places()
	if err != nil {
		return err
	}
	s, err := a.Settings(d)
	if err != nil && !o.Background {
		return err
	}
	how := a.Workspace(d, s)
	for _, folder := range o.Below {
		path := below(d, a.Cwd, a.Absolute(folder))
		if path == "" && !o.Background { // in the background, a missing folder does not stop the rest
			return app.Fail("name a folder such as packages/web/.claude/skills",
				"--below: %s is not a folder of skills below the current folder", folder)
		}
		how.Below = append(how.Below, path)
	}
	if err := fetch(d, s, a.Now()); err != nil && !o.Background {
		a.Note("%v", err)
	}
	if how.Full, how.Background = o.Full, o.Background; o.Background {
		how.Progress = nil
	}
	sums, err := workspace.Refresh(ctx, a.Cwd, how)
	if o.Background {
		learn(ctx, d, s, a.Now())
	}
	if err != nil || o.Background {
		return err
	}
	if o.JSON {
		return a.PrintJSON(sums)
	}
	for _, sum := range sums {
		state := a.T("up to date")
		if !sum.UpToDate {
			state = a.Textf("%d added, %d changed, %d removed, %d unchanged", sum.Added, sum.Changed, sum.Removed,
				sum.Unchanged)
		}
		copies := ""
		if sum.Skills > sum.Distinct {
			copies = a.Textf(" in %d folders", sum.Skills)
		}
		a.Say("%s: %s%s, build %d, %s (%.2f s)\n", sum.Scope, a.Count(sum.Distinct, "1 skill", "%d skills"), copies,
			sum.Generation, state, sum.Seconds)
		for _, p := range sum.Problems {
			fmt.Fprintf(a.Stdout, "  %s\n", p)
		}
	}
	return nil
}

// below returns the path by which the host would discover folder in a session in cwd, or "" if it would not. cwd
// and folder may be given through different symbolic links.
func below(d dirs.Dirs, cwd, folder string) string {
	realCwd, _ := filepath.EvalSymlinks(cwd) // "" if cwd does not exist; the loop then finds no root
	realFolder, _ := filepath.EvalSymlinks(folder)
	to, _ := filepath.Rel(realCwd, realFolder)
	roots, _ := catalog.Roots(d, cwd, nil, folder, filepath.Join(cwd, to))
	for _, r := range roots {
		if r.Below {
			return r.Path
		}
	}
	return ""
}

// learnLimit is the time limit of learn, so that the process does not outlive its session for long.
const learnLimit = 20 * time.Second

// learn folds the log into its database, ends an experiment that is due and calibrates need_min. After an error
// the lines stay in the log, and doctor and log report it.
func learn(ctx context.Context, d dirs.Dirs, s gate.Settings, now time.Time) {
	if _, err := os.Stat(d.State); s.Disabled || err != nil { // doctor removes the state folder of its trial runs
		return
	}
	ctx, cancel := context.WithTimeout(ctx, learnLimit)
	defer cancel()
	db, err := store.Open(ctx, d.State)
	if err != nil {
		return
	}
	defer db.Close()
	if _, err := db.Fold(ctx, now, 0); err != nil {
		return
	}
	_, _ = arms.Settle(ctx, db, now)
	if s.Calibrate {
		_, _ = db.Calibrate(ctx, d, now, bar.Itself) // stats shows the change
	}
}

// fetch starts `skillgate-org library refresh` in the background, at most once per fetched.Every, if the settings
// name remote libraries. New skills are used from the next prompt on.
func fetch(d dirs.Dirs, s gate.Settings, now time.Time) error {
	if s.Disabled || len(fetched.Of(s.Libraries)) == 0 {
		return nil
	}
	program, err := orgProgram()
	if err != nil {
		return err
	}
	// A changed list of libraries is fetched at once.
	attempt := filepath.Join(fetched.All(d.Cache), "attempt")
	state := strings.Join(fetched.Of(s.Libraries), "\n")
	text, _ := regular.Read(attempt, 1<<20)
	if info, err := os.Stat(attempt); err == nil && string(text) == state && !fetched.Due(info.ModTime(), now) {
		return nil
	}
	if err := disk.Keep(attempt, disk.Fetched, []byte(state), disk.Options{}); err != nil {
		return err
	}
	cmd := exec.Command(program, "library", "refresh", "--background")
	if err := system.Start(&cmd.SysProcAttr, cmd.Start); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	return cmd.Process.Release()
}

func orgProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the running program: %w", err)
	}
	beside := filepath.Join(filepath.Dir(self), "skillgate-org")
	if _, err := os.Stat(beside); err == nil {
		return beside, nil
	}
	found, err := exec.LookPath("skillgate-org")
	if err != nil {
		return "", errors.New("remote libraries are not updated, because skillgate-org is not installed")
	}
	return found, nil
}
