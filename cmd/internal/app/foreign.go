package app

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/hooks"
)

// Foreign checks the state and cache folders and returns an error for each folder that contains foreign files. The
// caller must report these errors. If a command calls Places but not Foreign, Run reports them.
func (a *App) Foreign() (all []*disk.ForeignError) {
	if a.asked == nil {
		return nil
	}
	all = append(disk.Foreign(a.asked.State, disk.State), disk.Foreign(a.asked.Cache, disk.Cache)...)
	a.asked = nil
	return all
}

// MendForeign returns a hint that says how to fix e.
func (a *App) MendForeign(e *disk.ForeignError) string {
	if variable := a.moves(e.Path); variable != "" {
		return a.Textf("skillgate does not write to %s while that folder contains %s; run `%s`, or set %s to another folder",
			e.Path, Visible(e.Entry), e.Mend(), variable)
	}
	return a.Textf("skillgate does not write to %s while that folder contains %s; run `%s`",
		e.Path, Visible(e.Entry), e.Mend())
}

func (a *App) mendUnwritable(err error) string {
	at, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return ""
	}
	dir, variable := filepath.Dir(at.Path), a.moves(at.Path)
	switch {
	case variable != "":
		return a.Textf("check that %s and its files are writable and that the disk has free space; to use another "+
			"folder, set %s", dir, variable)
	case at.Op == "open" && errors.Is(err, fs.ErrPermission):
		return ""
	}
	return a.Textf("check that %s and its files are writable and that the disk has free space", dir)
}

// moves returns the environment variable that relocates the skillgate folder containing path, or "".
func (a *App) moves(path string) string {
	d, _ := dirs.FromEnv(a.Getenv, hooks.Places) // empty if HOME is not set
	for _, of := range []struct{ dir, variable string }{
		{d.State, "XDG_STATE_HOME"}, {d.Cache, "XDG_CACHE_HOME"}, {d.Config, "XDG_CONFIG_HOME"},
	} {
		if rel, err := filepath.Rel(of.dir, path); err == nil && filepath.IsLocal(rel) && of.dir != "" {
			return of.variable
		}
	}
	return ""
}

func (a *App) tellForeign() {
	for _, e := range a.Foreign() {
		a.NoteOnce("%s", a.MendForeign(e))
	}
}
