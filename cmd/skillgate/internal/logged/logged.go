// Package logged opens the log of decisions for the commands that read it, and defines the flags that filter it.
package logged

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// foldWait is how long a command waits while another process folds the journal. After that it reads only the
// database.
const foldWait = 3 * time.Second

// Open folds all lines of the journal into its database and opens the database. Its errors carry a hint.
func Open(ctx context.Context, a *app.App) (*store.DB, error) {
	d, err := a.Places()
	if err != nil {
		return nil, err
	}
	var bar *app.Bar
	db, err := store.Read(ctx, d.State, a.Now(), foldWait, func(done, total int) {
		if bar == nil {
			bar = a.Progress("reading the log", false)
		}
		if bar.Set(done, total); done == total {
			bar.Done()
			bar = nil
		}
	})
	if err != nil {
		return nil, Error(err, d.State)
	}
	if n, err := db.TellRedacted(ctx); err == nil && n > 0 {
		a.Note("logged prompts redacted again because this version has new redaction rules: %d", n)
	}
	switch why := db.Copied(); {
	case db.Behind:
		a.Note("the newest decisions are not shown yet: another skillgate process is still moving them into the database")
	case errors.Is(why, store.ErrDenied):
		a.NoteOnce("reading a copy of the log, because the log is not writable: %v", why)
	case why != nil:
		a.NoteOnce("reading a copy of the log, because %s, which is on %s, cannot be locked (%v); set XDG_STATE_HOME "+
			"to a folder on another file system", a.Display(d.State), FileSystem(a, d.State), why)
	}
	if n, err := db.Unreadable(); err == nil && n > 0 {
		a.NoteOnce("unreadable lines in the log: %d; they are not counted, but kept in %s", n,
			a.Display(filepath.Join(d.State, store.BadFiles)))
	}
	return db, nil
}

// FileSystem returns the type of the file system that holds dir.
func FileSystem(a *app.App, dir string) string {
	return cmp.Or(system.FileSystem(dir), a.T("an unknown file system"))
}

// With opens the journal, calls do with it and closes it.
func With(ctx context.Context, a *app.App, do func(*store.DB) error) error {
	db, err := Open(ctx, a)
	if err != nil {
		return err
	}
	defer db.Close()
	return Error(do(db), db.Dir())
}

// Error adds a hint to an error of the journal in folder dir, unless the error has one.
func Error(err error, dir string) error {
	var exit *app.Error
	if err = app.OpenError(err); err == nil || errors.As(err, &exit) {
		return err
	}
	hint := ""
	switch {
	case errors.Is(err, store.ErrCorrupt):
		hint = fmt.Sprintf("move %s and its -wal and -shm files out of %s; skillgate then creates a new "+
			"database, and the newest decisions are still in *.jsonl", store.File, dir)
	case errors.Is(err, store.ErrNewer):
		hint = "update skillgate on this machine; nothing was changed"
	case errors.Is(err, store.ErrForeign):
		hint = fmt.Sprintf("move %s out of %s, because skillgate needs this name for its own log", store.File, dir)
	case errors.Is(err, regular.ErrNotRegular), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ELOOP):
		hint = fmt.Sprintf("move that file out of %s, where skillgate keeps its own files", dir)
	case errors.Is(err, store.ErrDenied):
		hint = fmt.Sprintf("give your user write permission for %s", dir)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // the parent folder cannot be created
		hint = fmt.Sprintf("%s must be a folder; HOME and XDG_STATE_HOME determine its path", dir)
	case errors.Is(err, experiment.ErrUnreadable):
		hint = experiment.SetAside
	case errors.Is(err, experiment.ErrNewer):
		hint = "update skillgate on this machine, or " + experiment.SetAside
	case errors.Is(err, store.ErrBusy):
		hint = "another skillgate process is using the log; try again in a moment"
	}
	return app.Hint(err, hint)
}

// Filter holds the flags that select decisions.
type Filter struct {
	Skill string // name of a skill that was suggested or used

	since, until                                    string
	verdict, reason, session, project, lang, follow string
}

func (f *Filter) Add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.since, "since", "", "only decisions since `WHEN`, such as 2h, 7d, 2026-11-03 or 2026-11-03T15:04")
	fs.StringVar(&f.until, "until", "", "only decisions before `WHEN`")
	fs.StringVar(&f.verdict, "verdict", "", "only decisions with this `VERDICT`: inject, force, silent, skip or error")
	fs.StringVar(&f.reason, "reason", "", "only decisions with this `REASON`: "+strings.Join(Reasons, ", "))
	fs.StringVar(&f.session, "session", "", "only decisions of sessions whose ID begins with `ID`")
	fs.StringVar(&f.project, "project", "", "only decisions of sessions in `FOLDER` or its subfolders")
	fs.StringVar(&f.lang, "lang", "", "only decisions for prompts in `LANG`: "+
		""+strings.Join(lang.Codes(), ", ")+", mixed or other")
	fs.StringVar(&f.follow, "followed", "", "only decisions with this `OUTCOME`: yes (suggestion used), no or unknown")
}

// AddSkill adds the flag that sets f.Skill.
func (f *Filter) AddSkill(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Skill, "skill", "", "only decisions that suggested the skill `NAME` or preceded its use")
}

// Reasons lists the reasons that a decision may have.
var Reasons = []string{
	string(gate.Greeting), string(gate.Ack), string(gate.Command), string(gate.Machine), string(gate.Empty),
	string(gate.Repeat), string(gate.BelowScoreMin), string(gate.BelowNeedMin), string(gate.PlainQuestion),
	string(gate.ByChance), string(gate.Known), string(gate.Budget), string(gate.NoCandidates), string(gate.NoIndex),
	string(gate.Deadline), string(gate.LateInput), string(gate.Disabled), string(gate.HeldBack), string(gate.UserOnly),
}

// Parse checks the flags and returns the filter that they describe.
func (f *Filter) Parse(a *app.App) (store.Filter, error) {
	out := store.Filter{Session: f.session, Verdict: f.verdict, Reason: f.reason, Skill: f.Skill, Lang: f.lang,
		Followed: outcome.State(f.follow)}
	for _, c := range []struct {
		flag, value string
		allowed     []string
	}{
		{"verdict", f.verdict, []string{"inject", "force", "silent", "skip", "error"}},
		{"reason", f.reason, Reasons},
		{"lang", f.lang, append(lang.Codes(), "mixed", "other")},
		{"followed", f.follow, []string{string(outcome.Followed), string(outcome.NotFollowed), string(outcome.Unknown)}},
	} {
		if err := app.OneOf(c.flag, c.value, c.allowed); err != nil {
			return out, err
		}
	}
	var err error
	if out.Since, err = When("since", f.since, a.Now()); err != nil {
		return out, err
	}
	if out.Until, err = When("until", f.until, a.Now()); err != nil {
		return out, err
	}
	if f.project != "" {
		out.Project = a.Absolute(f.project)
	}
	return out, nil
}

// When parses a date and time in now's time zone, or a time span before now. It returns the zero time for "".
func When(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
		time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	span, err := parseSpan(text)
	if err != nil {
		return time.Time{}, app.Usage("--%s: %q is neither a span (2h, 7d, 4w) nor a date (2026-11-03)", flag, text)
	}
	return now.Add(-span), nil
}

var errSpan = errors.New("not a span of time")

func parseSpan(text string) (time.Duration, error) {
	unit := time.Duration(0)
	switch {
	case strings.HasSuffix(text, "d"):
		unit = 24 * time.Hour
	case strings.HasSuffix(text, "w"):
		unit = 7 * 24 * time.Hour
	default:
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, errSpan
		}
		return d, nil
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil || n < 0 || n > 36500 {
		return 0, errSpan
	}
	return time.Duration(n) * unit, nil
}

// Nothing prints to standard error why there is nothing to show.
func Nothing(ctx context.Context, a *app.App, db *store.DB) error {
	n, err := db.Decisions(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		fmt.Fprintf(a.Stderr, a.T("skillgate: no decision matches the filters; decisions in the log: %d\n"), n)
		return nil
	}
	fmt.Fprint(a.Stderr, a.T("skillgate: the log is empty, because no decision has been made yet\n"))
	fmt.Fprint(a.Stderr,
		a.T("skillgate: hint: run `skillgate install` and `skillgate doctor`, then type a prompt in Claude Code\n"))
	return nil
}

// Interval formats a rate with its 95 % interval.
func Interval(a *app.App, r *outcome.Rate) string {
	return a.Textf("%.1f%%, 95 %% interval %.1f to %.1f", 100*r.Value, 100*r.Low, 100*r.High)
}
