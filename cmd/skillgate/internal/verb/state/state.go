// Package state implements skillgate called without a command: it shows what is installed, indexed and registered,
// the last decision and the next step.
package state

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/self"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
	"github.com/skillgate/skillgate/triage"
)

// Run prints the state. It builds no index. The only change it makes is to fold new lines of the log into the database.
func Run(ctx context.Context, a *app.App) error {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	program, err := self.Path(a)
	if err != nil {
		return err
	}
	where, mend := registered(a, d)
	skills, err := indexed(a, d, s)
	last, decided := decision(ctx, a, d)
	next := a.T("`skillgate log` shows past decisions; with --follow it also shows new ones as they are made")
	switch {
	case s.Disabled && a.Getenv("SKILLGATE_DISABLED") != "":
		next = a.T("unset SKILLGATE_DISABLED to enable the hook")
	case s.Disabled:
		next = a.T("remove `disabled: true` from skillgate.yaml to enable the hook")
	case len(where) == 0:
		where = []string{a.T("not registered")}
		next = a.T("run `skillgate install` to register the hook")
	case mend != "":
		next = fmt.Sprintf(a.T("run `%s` to register a working program"), mend)
	case err != nil:
		next = a.T("run `skillgate index` to index your skills")
	case !decided:
		next = a.T("type a prompt in the host, such as Claude Code, then run `skillgate log`")
	}
	a.Say("program  %s, version %s\n", program, build.Read().Version)
	for _, line := range where {
		a.Say("hook     %s\n", line)
	}
	a.Say("skills   %s\n", skills)
	a.Say("decision %s\n", last)
	a.Say("\nNext: %s.\n`skillgate --help` lists all commands.\n", next)
	return nil
}

// registered lists the places where the hook is registered and says why a registration is broken. mend is the command
// that repairs the first broken registration.
func registered(a *app.App, d dirs.Dirs) (where []string, mend string) {
	add := func(host *hooks.Host, path, scope string, found []register.Found) {
		for _, h := range found {
			if h.Event != host.PromptEvent {
				continue
			}
			line := host.Title + ", " + path
			if filepath.IsAbs(h.Command) && system.Executable(h.Command) == "" {
				install := self.Again(host, scope)
				line += fmt.Sprintf(a.T(", but %s cannot be run; `%s` fixes this"), h.Command, install)
				mend = cmp.Or(mend, install)
			}
			where = append(where, line)
			return
		}
	}
	for _, host := range hooks.Hosts {
		if host == &hooks.Claude {
			for _, f := range a.Session(d).Read() {
				add(host, f.Path, f.Scope, f.Found)
			}
			continue
		}
		for _, f := range a.Session(d).Files(host) {
			if file, err := register.ReadFile(f.Path); err == nil {
				found, _ := register.Find(f.Path, file.Text) // doctor reports errors
				add(host, f.Path, f.Scope, found)
			}
		}
	}
	return where, mend
}

func indexed(a *app.App, d dirs.Dirs, s gate.Settings) (string, error) {
	g, err := gate.Open(d, a.Cwd, s)
	switch {
	case g == nil || err != nil:
		if errors.Is(err, index.ErrNoIndex) {
			return a.T("not indexed yet"), err
		}
		return fmt.Sprintf(a.T("the index cannot be read: %v"), err), err
	}
	defer g.Close()
	text := fmt.Sprintf(a.T("%d are indexed"), g.Skills())
	if len(g.Stale)+len(g.Missing) > 0 {
		text += a.T("; some have changed since and will be indexed at the next prompt")
	}
	return text, nil
}

func decision(ctx context.Context, a *app.App, d dirs.Dirs) (string, bool) {
	none := a.T("no decision has been logged yet")
	if _, err := os.Stat(d.State); err != nil {
		return none, false
	}
	db, err := store.Read(ctx, d.State, a.Now(), 0, nil)
	if err != nil {
		return fmt.Sprintf(a.T("the log cannot be read: %v"), err), false
	}
	defer db.Close()
	entries, err := db.List(ctx, store.Filter{Newest: true, Limit: 1})
	if err != nil || len(entries) == 0 {
		return none, false
	}
	e := entries[0]
	var named []string
	for _, c := range e.Decision.Candidates {
		if c.Injected {
			named = append(named, app.Visible(c.Name))
		}
	}
	text := string(e.Decision.Verdict)
	if len(named) > 0 {
		text += " " + strings.Join(named, ", ")
	}
	if prompt := app.Visible(triage.Typed(e.PromptText())); prompt != "" {
		text += ": " + wording.Clip(prompt, 40)
	}
	return fmt.Sprintf("%s, %s", e.Time.In(a.Now().Location()).Format(time.DateTime), text), true
}
