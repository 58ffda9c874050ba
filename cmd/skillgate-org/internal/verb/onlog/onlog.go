// Package onlog are the commands that run skillgate's report, advise and stats on what all
// machines have sent.
package onlog

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/central"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/collect"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/journal"
)

type options struct {
	app      *app.App
	verb     string
	database string
	team     string
	days     int
	program  string
}

// New returns the commands.
func New(a *app.App) []*cobra.Command {
	var out []*cobra.Command
	for _, verb := range []string{"report", "advise", "stats"} {
		o := &options{app: a, verb: verb}
		cmd := &cobra.Command{
			Use:   verb + " [flags] [-- FLAGS OF skillgate " + verb + "]",
			Short: "Run skillgate " + verb + " on what all machines have sent",
			Long: verb + " writes what `skillgate-org collect` has kept to a log in a temporary folder, and runs\n`skillgate " +
				verb + "` on it. Replays need prompts, which machines send only as the setting export.prompts says, and use the " +
				"skills of this machine.",
			Example: "  skillgate-org " + verb + " --database postgres://localhost/telemetry --team payments",
			RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
		}
		cmd.Flags().StringVar(&o.database, "database", "", "`URL` of the database; without it SKILLGATE_DATABASE")
		cmd.Flags().StringVar(&o.team, "team", "", "only machines of `TEAM`")
		cmd.Flags().IntVar(&o.days, "days", 30, "the last `N` days")
		cmd.Flags().StringVar(&o.program, "skillgate", "skillgate", "`PROGRAM` to run")
		out = append(out, cmd)
	}
	return out
}

func (o *options) run(ctx context.Context, args []string) error {
	a := o.app
	if o.days < 1 {
		return app.Usage("--days is %d, want 1 or more", o.days)
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return app.Fail("the log of all machines is read only; `skillgate advise apply` on a machine applies what its own "+
			"log shows",
			"%q is not a flag", args[0])
	}
	program, err := exec.LookPath(o.program)
	if err != nil {
		return app.Hint(err, "install skillgate on this machine, or give its path with --skillgate")
	}
	s, err := collect.Open(ctx, a, o.database)
	if err != nil {
		return err
	}
	defer s.Close()
	dir, err := os.MkdirTemp("", "skillgate-org-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	n, err := Write(ctx, s, central.Filter{Team: o.team, Since: a.Now().AddDate(0, 0, -o.days)},
		filepath.Join(dir, "skillgate"))
	if err != nil {
		return err
	}
	if n == 0 {
		return app.Fail("machines send it with `skillgate-org export otlp`", "nothing was sent in this time")
	}
	if err := o.withExpansions(filepath.Join(dir, "skillgate")); err != nil {
		return err
	}
	if o.verb == "advise" {
		a.Note("what follows rests on all machines; `skillgate advise apply` applies what this machine's own log shows")
	}
	cmd := exec.CommandContext(ctx, program, append([]string{o.verb}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = a.Stdin, a.Stdout, a.Stderr, a.Cwd
	cmd.Env = append(a.Environ, "XDG_STATE_HOME="+dir)
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 0 {
		return &app.Error{Code: exit.ExitCode()}
	}
	return err
}

// withExpansions copies what `skillgate enrich` has written on this machine to the folder of the
// log: replays search with it.
func (o *options) withExpansions(dir string) error {
	d, err := o.app.Places()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(d.State, enrich.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, enrich.File), text, 0o600)
}

// Write writes the records that f chooses as a journal in the folder dir, which it makes, and
// returns how many decisions there are. The turn of each is its own, under its id: prompt ids
// are unique only on a machine.
func Write(ctx context.Context, s *central.Store, f central.Filter, dir string) (decisions int, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	file, err := os.OpenFile(filepath.Join(dir, journal.File), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(file)
	put := json.NewEncoder(w)
	err = s.Lines(ctx, f, func(line, of string, over, use bool) error {
		var r journal.Record
		if json.Unmarshal([]byte(line), &r) != nil || r.Decision == nil && r.Outcome == nil {
			return nil // of another version
		}
		r.PromptID = of
		if err := put.Encode(r); err != nil || use {
			return err
		}
		decisions++
		turn := journal.New(journal.KindTurn, r.Time.Add(time.Millisecond))
		turn.Session, turn.PromptID, turn.Of, turn.Over = r.Session, of, r.ID, over
		return put.Encode(turn)
	})
	if err := errors.Join(err, w.Flush(), file.Close()); err != nil {
		return 0, fmt.Errorf("central log: %w", err)
	}
	return decisions, nil
}
