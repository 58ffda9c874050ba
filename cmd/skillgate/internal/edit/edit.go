// Package edit changes settings files in front of their user: it shows what would change, asks,
// keeps the former text beside each file, and reports.
package edit

import (
	"fmt"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/hooks/register"
)

// Options are how files are changed.
type Options struct {
	App    *app.App
	DryRun bool // show the change and make none
	Yes    bool // do not ask
	JSON   bool
	Brief  bool         // show the change only with DryRun, and take an empty answer for a yes
	First  func() error // is done before anything is written, and where nothing is to be; nil for nothing
}

// Report is what is printed with --json, one for each file.
type Report struct {
	Host  string `json:"host"`
	Scope string `json:"scope"` // plugin for the plugin's folder
	File  string `json:"file"`
	// unchanged, dry_run, written, removed (the file, which install had made), installed
	Status   string            `json:"status"`
	Changes  []register.Change `json:"changes"`
	Diff     string            `json:"diff"`
	Backup   string            `json:"backup,omitempty"`
	Warnings []string          `json:"warnings"`
}

// File is one file to change.
type File struct {
	Report
	Before   register.File
	After    []byte
	Remove   bool     // the file holds nothing but what skillgate wrote
	Restores string   // the backup that After is equal to
	Obsolete []string // backups of an upgrade's, of which nothing but skillgate's differs from After
	Same     string   // what is said where nothing changes
}

// Undoes makes f take back what skillgate wrote: After is one of the originals, of that name, or
// skillgate has created the file.
func (f *File) Undoes(names []string, originals [][]byte, created bool) {
	f.Remove = created && f.Before.Exists
	for i, text := range originals {
		if string(text) == string(f.After) {
			f.Restores, f.Remove = names[i], false
			return
		}
	}
}

// Warn adds what the user should know before the change.
func (f *File) Warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// Changed reports whether there is anything to write.
func (f *File) Changed() bool {
	return f.Remove || f.Before.Inert || string(f.After) != string(f.Before.Text)
}

// Apply shows the edits, asks, writes and reports, with what was done besides.
func Apply(o Options, edits []*File, done ...Report) error {
	a := o.App
	changed := 0
	for _, f := range edits {
		f.Status = "unchanged"
		if f.Warnings == nil {
			f.Warnings = []string{}
		}
		if f.Changes == nil {
			f.Changes = []register.Change{}
		}
		if f.Before.Inert && !f.Remove {
			f.Warn("%s may not be run: it is made a program", f.File)
			for i := range f.Changes {
				f.Changes[i].Action = register.Updated
			}
		}
		if f.Changed() {
			changed++
			f.Status = "dry_run"
			after := f.After
			if f.Remove {
				after = nil
			}
			f.Diff = string(diff.Diff(f.File, f.Before.Text, f.File, after))
		}
		if !o.JSON {
			if o.DryRun || !o.Brief {
				fmt.Fprint(a.Data(), f.Diff)
			}
			for _, w := range f.Warnings {
				a.Note("%s", w)
			}
		}
	}
	if changed > 0 && !o.DryRun {
		what := a.T("Change this file")
		if o.Brief {
			what = a.Textf("Change %s", edits[0].File)
		}
		if changed > 1 {
			what = fmt.Sprintf(a.T("Change these %d files"), changed)
		}
		if err := Confirm(o, what); err != nil {
			return err
		}
	}
	if !o.DryRun && o.First != nil {
		if err := o.First(); err != nil {
			return err
		}
	}
	if !o.DryRun {
		for _, f := range edits {
			if !f.Changed() {
				continue
			}
			if err := write(a, f); err != nil {
				return err
			}
		}
	}
	if o.JSON {
		enc := a.JSONLines()
		enc.SetIndent("", "  ")
		reports := append([]Report{}, done...)
		for _, f := range edits {
			reports = append(reports, f.Report)
		}
		return enc.Encode(reports)
	}
	for _, r := range done {
		fmt.Fprintf(a.Stdout, "%s the plugin in %s\n", map[string]string{"dry_run": "would change", "installed": "installed",
			"removed": "removed"}[r.Status], r.File)
	}
	for _, f := range edits {
		printEdit(a, f)
	}
	return nil
}

// Confirm asks before something is changed.
func Confirm(o Options, what string) error {
	if o.Yes {
		return nil
	}
	const undone, hint = "nothing was written", "look at the change with --dry-run, then repeat the command with --yes"
	if o.Brief {
		if o.App.Ask(what) {
			return nil
		}
		return app.Fail(hint, o.App.T("%s: not confirmed"), o.App.T(undone))
	}
	if o.JSON { // what is printed is for a program
		return app.Fail(o.App.T(hint), o.App.T("%s: no terminal to ask on"), o.App.T(undone))
	}
	return o.App.Confirm(what, undone, hint)
}

// write makes one f. The former text stays beside the file, unless it is
// restored from there.
func write(a *app.App, f *File) (err error) {
	defer func() {
		for _, name := range f.Obsolete {
			if err == nil {
				err = register.RemoveBackup(name)
			}
		}
	}()
	if f.Remove {
		f.Status = "removed"
		return f.Before.Remove()
	}
	if f.Restores == "" && string(f.After) != string(f.Before.Text) {
		if f.Backup, err = f.Before.Backup(a.Now()); err != nil {
			return err
		}
	}
	if err := f.Before.Write(f.After); err != nil {
		return err
	}
	f.Status = "written"
	if f.Restores != "" {
		return register.RemoveBackup(f.Restores)
	}
	return nil
}

func printEdit(a *app.App, f *File) {
	switch f.Status {
	case "unchanged":
		a.Say("%s in %s\n", a.T(f.Same), f.File)
		return
	case "dry_run":
		a.Say("would change %s\n", f.File)
		return
	case "removed":
		a.Say("removed %s, which held nothing else\n", f.File)
		return
	}
	a.Say("changed %s", f.File)
	switch {
	case f.Backup != "":
		a.Say(" (the former text is in %s)", f.Backup)
	case f.Restores != "":
		a.Say(", which is now as before install")
	}
	fmt.Fprintln(a.Stdout)
}
