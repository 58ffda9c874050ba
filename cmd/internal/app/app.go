// Package app holds what the commands of a skillgate program share: the process's streams and
// environment, errors that name the next step, tables, progress and JSON.
package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
)

// App is what a command may reach: everything outside the process is handed in, so that
// tests drive the whole program.
type App struct {
	Args    []string // after the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Environ []string
	Now     func() time.Time
	Cwd     string

	noted []string   // see NoteOnce
	asked *dirs.Dirs // what Places has returned
}

// New is the process itself with args, which are those after the program's name.
func New(args []string) *App {
	cwd, _ := os.Getwd() // without one, what needs it fails by itself
	return &App{
		Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now, Cwd: cwd,
	}
}

// Absolute is path, relative to a.Cwd.
func (a *App) Absolute(path string) string { return dirs.Absolute(a.Cwd, path) }

// Places returns the folders of this user, or an error with a hint.
func (a *App) Places() (dirs.Dirs, error) {
	d, err := dirs.FromEnv(a.Getenv, hooks.Places)
	if err != nil {
		return d, Hint(err, "set HOME to your home folder")
	}
	a.asked = &d
	return d, nil
}

// Settings loads the settings strictly: every command but hook stops on a bad one of the
// user's. One of the project's, which comes with a clone, or of the organisation's is left out
// with a note.
func (a *App) Settings(d dirs.Dirs) (gate.Settings, error) {
	s, err := gate.Load(d, a.Cwd, a.Environ)
	if bad, ok := errors.AsType[*gate.BadSettings](err); ok {
		if others := errors.Join(bad.Project, bad.Managed); others != nil {
			for line := range strings.SplitSeq(others.Error(), "\n") {
				a.Note("left out: %s", Visible(line))
			}
		}
		err = bad.Own
	}
	if err != nil {
		return s, Hint(err, "correct what it names, or take it out")
	}
	return s, nil
}

// PlacesAndSettings is Places, then Settings.
func (a *App) PlacesAndSettings() (dirs.Dirs, gate.Settings, error) {
	d, err := a.Places()
	if err != nil {
		return d, gate.Settings{}, err
	}
	s, err := a.Settings(d)
	return d, s, err
}

// Session is the host's session that a is in.
func (a *App) Session(d dirs.Dirs) hostfile.Session {
	return hostfile.Session{Dirs: d, Cwd: a.Cwd, Getenv: a.Getenv}
}

// Helper is the reranking helper of these settings.
func (a *App) Helper(d dirs.Dirs, s gate.Settings) rerank.Helper {
	return rerank.Helper{Dirs: d, Settings: s.Rerank, Getenv: a.Getenv, Now: a.Now}
}

// Display is how messages name a file: relative to a.Cwd where it is below it.
func (a *App) Display(file string) string {
	if rel, err := filepath.Rel(a.Cwd, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// Workspace is how skills are opened: with a progress bar, and a note on standard error
// for each that cannot be read.
func (a *App) Workspace(d dirs.Dirs, s gate.Settings) workspace.Options {
	return workspace.Options{
		Dirs: d, Settings: s, Now: a.Now,
		Progress: func(label string) (func(done, total int), func()) {
			bar := a.Progress(label, false)
			return bar.Set, bar.Done
		},
		Note: func(err error) { a.Note("%v", err) },
	}
}

// OpenError adds the next step to an error of package workspace. Run does so to what a command returns.
func OpenError(err error) error {
	problem := (*workspace.Error)(nil)
	if !errors.As(err, &problem) {
		return err
	}
	hint := ""
	switch problem.Problem {
	case workspace.BadLibrary:
		hint = "want a folder of skills, or a .jsonl or .jsonl.gz file with one " +
			`{"id","name","description","frontmatter","body"} object a line`
	case workspace.NoSkills:
		hint = "a skill is a folder with a SKILL.md, or a line of a .jsonl file"
	case workspace.BadDictionary:
		hint = "correct it; `skillgate doctor` reads your words again"
	case workspace.BadState:
		hint = "is " + problem.File + " readable?"
	case workspace.CannotBuild:
		hint = "is " + problem.File + " writable, with space left?"
	}
	return Hint(err, hint)
}

// OpenSkills opens a gate over libraries, or over the installed skills where there are
// none.
func (a *App) OpenSkills(ctx context.Context, d dirs.Dirs, s gate.Settings, libraries []string) (*gate.Gate, error) {
	return workspace.Open(ctx, &workspace.Source{Cwd: a.Cwd, Libraries: libraries}, a.Workspace(d, s))
}

// OpenHere is OpenSkills with the user's folders and settings.
func (a *App) OpenHere(ctx context.Context, libraries []string) (*gate.Gate, error) {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, err
	}
	return a.OpenSkills(ctx, d, s, libraries)
}

// RefreshSkills brings the indexes of the installed skills up to date.
func (a *App) RefreshSkills(ctx context.Context, d dirs.Dirs, s gate.Settings) error {
	_, err := workspace.Refresh(ctx, a.Cwd, a.Workspace(d, s))
	return err
}
