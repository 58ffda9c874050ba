package install

import (
	"fmt"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/hooks/register"
)

// report is the JSON that is printed for each file.
type report struct {
	Host     string            `json:"host"`
	Scope    string            `json:"scope"` // "plugin" for the plugin's folder
	File     string            `json:"file"`
	Status   string            `json:"status"` // unchanged, dry_run, written, installed or removed
	Changes  []register.Change `json:"changes"`
	Diff     string            `json:"diff"`
	Backup   string            `json:"backup,omitempty"`
	Warnings []string          `json:"warnings"`
}

type edit struct {
	report
	before   register.File
	after    []byte
	remove   bool     // delete the file, because it has no other content
	restores string   // name of the backup whose text equals after
	obsolete []string // backups made by upgrades, which differ from after only in skillgate's handlers
	same     string   // message if nothing changes
}

func (f *edit) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

func (f *edit) changed() bool {
	return f.remove || f.before.Inert || string(f.after) != string(f.before.Text)
}

// apply shows the edits, asks for confirmation, writes them and prints their reports after those in done.
func (o *options) apply(edits []*edit, done []report) error {
	a := o.app
	changed := 0
	for _, f := range edits {
		f.Status = "unchanged"
		f.Warnings = append([]string{}, f.Warnings...)
		f.Changes = append([]register.Change{}, f.Changes...)
		if f.before.Inert && !f.remove {
			f.warn("%s is not executable; install makes it executable", f.File)
			for i := range f.Changes {
				f.Changes[i].Action = register.Updated
			}
		}
		if f.changed() {
			changed++
			f.Status = "dry_run"
			after := f.after
			if f.remove {
				after = nil
			}
			f.Diff = string(diff.Diff(f.File, f.before.Text, f.File, after))
		}
		if !o.json {
			if o.dryRun || !o.brief {
				fmt.Fprint(a.Data(), f.Diff)
			}
			for _, w := range f.Warnings {
				a.Note("%s", w)
			}
		}
	}
	if !o.dryRun {
		question := a.Textf("Change these %d files", changed)
		switch {
		case changed == 1 && o.brief:
			question = a.Textf("Change %s", edits[0].File)
		case changed == 1:
			question = a.T("Change this file")
		}
		if changed > 0 {
			if err := o.confirm(question); err != nil {
				return err
			}
		}
		if err := o.copy(); err != nil {
			return err
		}
		for _, f := range edits {
			if f.changed() {
				if err := f.write(a); err != nil {
					return err
				}
			}
		}
	}
	if o.json {
		for _, f := range edits {
			done = append(done, f.report)
		}
		return a.PrintJSON(done)
	}
	for _, r := range done {
		fmt.Fprintf(a.Stdout, "%s the plugin in %s\n", map[string]string{"dry_run": "would change", "installed": "installed",
			"removed": "removed"}[r.Status], r.File)
	}
	for _, f := range edits {
		f.print(a)
	}
	return nil
}

func (o *options) confirm(question string) error {
	if o.yes {
		return nil
	}
	const undone, hint = "nothing was written", "look at the change with --dry-run, then repeat the command with --yes"
	if o.brief {
		if o.app.Ask(question) {
			return nil
		}
		return app.Fail(hint, o.app.T("%s: not confirmed"), o.app.T(undone))
	}
	if o.json { // a program reads the output
		return app.Fail(o.app.T(hint), o.app.T("%s: confirmation needs a terminal"), o.app.T(undone))
	}
	return o.app.Confirm(question, undone, hint)
}

// write writes the file and keeps a backup next to it, unless after is the content of a backup.
func (f *edit) write(a *app.App) (err error) {
	defer func() {
		for _, name := range f.obsolete {
			if err == nil {
				err = register.RemoveBackup(name)
			}
		}
	}()
	if f.remove {
		f.Status = "removed"
		return f.before.Remove()
	}
	if f.restores == "" && string(f.after) != string(f.before.Text) {
		if f.Backup, err = f.before.Backup(a.Now()); err != nil {
			return err
		}
	}
	if err := f.before.Write(f.after); err != nil {
		return err
	}
	f.Status = "written"
	if f.restores != "" {
		return register.RemoveBackup(f.restores)
	}
	return nil
}

func (f *edit) print(a *app.App) {
	switch f.Status {
	case "unchanged":
		a.Say("%s in %s\n", a.T(f.same), f.File)
	case "dry_run":
		a.Say("would change %s\n", f.File)
	case "removed":
		a.Say("removed %s, which had no other content\n", f.File)
	default:
		a.Say("changed %s", f.File)
		switch {
		case f.Backup != "":
			a.Say(" (the previous content is in %s)", f.Backup)
		case f.restores != "":
			a.Say(", which is now as it was before the installation")
		}
		fmt.Fprintln(a.Stdout)
	}
}
