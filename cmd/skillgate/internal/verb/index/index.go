// Package index is the command that brings the skill index up to date.
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
	Full       bool // everything is built again
	Background bool // the hook has started it: nobody reads, and other work goes first
	Below      []string
}

// New returns the command.
func New(a *app.App) *cobra.Command {
	o := &options{App: a}
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
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o) },
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print a summary as JSON")
	cmd.Flags().BoolVar(&o.Full, "full", false, "rebuild everything")
	cmd.Flags().StringArrayVar(&o.Below, "below", nil,
		"also index the skills in this folder below the current one, such as packages/web/.claude/skills\n"+
			"(the hook starts it for those that a session has come upon)")
	cmd.Flags().BoolVar(&o.Background, "background", false,
		"print nothing, yield to other work, exit when another build runs (how the hook starts it)")
	return cmd
}

func run(ctx context.Context, o *options) error {
	a := o.App
	if o.Background {
		system.LowerPriority() // whatever the user runs comes first
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
		if path == "" && !o.Background { // one that is gone by now keeps nothing else from being indexed
			return app.Fail("name a folder such as packages/web/.claude/skills",
				"--below: %s is not a folder of skills below this one", folder)
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
			copies = a.Textf(" in %d places", sum.Skills)
		}
		a.Say("%s: %s%s, generation %d, %s (%.2f s)\n", sum.Scope, a.Count(sum.Distinct, "1 skill", "%d skills"), copies,
			sum.Generation, state, sum.Seconds)
		for _, p := range sum.Problems {
			fmt.Fprintf(a.Stdout, "  %s\n", p)
		}
	}
	return nil
}

// below returns a folder as the host would come upon its skills in a session in cwd, "" where it would
// not. A symbolic link may lead to cwd, and folder be named by the other way.
func below(d dirs.Dirs, cwd, folder string) string {
	realCwd, _ := filepath.EvalSymlinks(cwd) // "" of what does not exist: such a folder has no root
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

// learnLimit is how long learn may work: nobody waits for it, but it should not outlive its session either.
const learnLimit = 20 * time.Second

// learn folds the log into its database and learns from it, as skillgate does by itself while sessions
// go on. What fails stays in the log; doctor and log report it.
func learn(ctx context.Context, d dirs.Dirs, s gate.Settings, now time.Time) {
	if _, err := os.Stat(d.State); s.Disabled || err != nil { // doctor's trials have a folder that is gone by now
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
	_, _ = arms.Settle(ctx, db, now) // an experiment ends by itself
	if s.Calibrate {
		_, _ = db.Calibrate(ctx, d, now, bar.Itself) // stats tells of it
	}
}

// fetch starts `skillgate-org library refresh` in a session of its own where the settings name
// libraries that are not on this machine, at most once in fetched.Every. What it finds shows at
// the next prompts.
func fetch(d dirs.Dirs, s gate.Settings, now time.Time) error {
	if s.Disabled || len(fetched.Of(s.Libraries)) == 0 {
		return nil
	}
	program, err := orgProgram()
	if err != nil {
		return err
	}
	// Other references are another attempt: a new one is not left waiting.
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
	cmd.SysProcAttr = system.Detached()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	return cmd.Process.Release()
}

func orgProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	beside := filepath.Join(filepath.Dir(self), "skillgate-org")
	if _, err := os.Stat(beside); err == nil {
		return beside, nil
	}
	found, err := exec.LookPath("skillgate-org")
	if err != nil {
		return "", errors.New("libraries that are not on this machine stay as they are: skillgate-org is not installed")
	}
	return found, nil
}
