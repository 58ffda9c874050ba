package app

import (
	"path/filepath"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// Foreign returns the folders of the user that are not skillgate's own. The caller tells the user of them; Run
// does so where the command has asked for the folders and not for this.
func (a *App) Foreign() (all []*disk.ForeignError) {
	if a.asked == nil {
		return nil
	}
	all = append(disk.Foreign(a.asked.State, disk.State), disk.Foreign(a.asked.Cache, disk.Cache)...)
	a.asked = nil
	return all
}

// MendForeign is what to do about a folder that is not skillgate's own.
func (a *App) MendForeign(e *disk.ForeignError) string {
	move := "mv -n " + register.ShellQuote(filepath.Join(e.Path, e.Entry)) + " ~"
	in := func(dir string) bool {
		rel, err := filepath.Rel(dir, e.Path)
		return err == nil && filepath.IsLocal(rel)
	}
	d, _ := dirs.FromEnv(a.Getenv, hooks.Places) // empty where there are none
	variable := "XDG_CACHE_HOME"
	switch {
	case in(d.State):
		variable = "XDG_STATE_HOME"
	case !in(d.Cache):
		return a.Textf("skillgate writes nothing into %s while %s is in it: `%s`", e.Path, Visible(e.Entry), move)
	}
	return a.Textf("skillgate writes nothing into %s while %s is in it: `%s`, or set %s to another folder", e.Path,
		Visible(e.Entry), move, variable)
}

// tellForeign notes the folders that are not skillgate's own after a command that asked for them.
func (a *App) tellForeign() {
	for _, e := range a.Foreign() {
		a.NoteOnce("%s", a.MendForeign(e))
	}
}
