// Package app provides the parts that skillgate's commands share: streams and environment,
// errors with a next step, tables, progress bars and JSON output.
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

// App is the environment of a command. Everything outside the process is passed in, so that tests can run the
// whole program.
type App struct {
	Args    []string // arguments, without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Environ []string
	Now     func() time.Time
	Cwd     string

	noted []string   // notes already printed by NoteOnce
	asked *dirs.Dirs // folders returned by Places that Foreign has not checked yet
}

// New returns an App for the running process. args exclude the program's name.
func New(args []string) *App {
	cwd, _ := os.Getwd() // commands that need a folder report the error
	return &App{
		Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now, Cwd: cwd,
	}
}

// Absolute returns path as an absolute path, relative to a.Cwd.
func (a *App) Absolute(path string) string { return dirs.Absolute(a.Cwd, path) }

// Places returns the user's folders. Its error has a hint.
func (a *App) Places() (dirs.Dirs, error) {
	d, err := dirs.FromEnv(a.Getenv, hooks.Places)
	if err != nil {
		return d, Hint(err, "set HOME to your home folder")
	}
	a.asked = &d
	return d, nil
}

// Settings loads the settings and returns an error if a user setting is invalid. It ignores invalid settings of
// the organisation and of the project, which may be a clone, and prints a note about them.
func (a *App) Settings(d dirs.Dirs) (gate.Settings, error) {
	s, err := gate.Load(d, a.Cwd, a.Environ)
	if bad, ok := errors.AsType[*gate.BadSettings](err); ok {
		if others := errors.Join(bad.Project, bad.Managed); others != nil {
			for line := range strings.SplitSeq(others.Error(), "\n") {
				a.Note("ignored setting: %s", Visible(line))
			}
		}
		err = bad.Own
	}
	if err != nil {
		return s, Hint(err, "correct or remove that setting")
	}
	return s, nil
}

func (a *App) PlacesAndSettings() (dirs.Dirs, gate.Settings, error) {
	d, err := a.Places()
	if err != nil {
		return d, gate.Settings{}, err
	}
	s, err := a.Settings(d)
	return d, s, err
}

// Session returns the host session in the folder a.Cwd.
func (a *App) Session(d dirs.Dirs) hostfile.Session {
	return hostfile.Session{Dirs: d, Cwd: a.Cwd, Getenv: a.Getenv}
}

// Helper returns the reranking helper for the settings s.
func (a *App) Helper(d dirs.Dirs, s gate.Settings) rerank.Helper {
	return rerank.Helper{Dirs: d, Settings: s.Rerank, Getenv: a.Getenv, Now: a.Now}
}

// Display returns the path of file for messages, relative to a.Cwd if file is inside it.
func (a *App) Display(file string) string {
	if rel, err := filepath.Rel(a.Cwd, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// Workspace returns options for opening skills with a progress bar and a note for each skill that cannot be
// read.
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

// OpenError adds a hint to an error of package workspace and returns other errors unchanged. Run applies it to
// every command's error.
func OpenError(err error) error {
	problem := (*workspace.Error)(nil)
	if !errors.As(err, &problem) {
		return err
	}
	hint := ""
	switch problem.Problem {
	case workspace.BadLibrary:
		hint = "give a folder of skills, or a .jsonl or .jsonl.gz file with one " +
			`{"id","name","description","frontmatter","body"} object per line`
	case workspace.NoSkills:
		hint = "give a path that contains skills; a skill is a folder with a SKILL.md, or a line of a .jsonl file"
	case workspace.BadDictionary:
		hint = "correct the file, then check it with `skillgate doctor`"
	case workspace.BadState:
		hint = "make " + problem.File + " readable by your user"
	case workspace.CannotBuild:
		hint = "make " + problem.File + " writable and check that its disk has free space"
	}
	return Hint(err, hint)
}

// OpenSkills opens a gate over libraries, or over the installed skills if there are none.
func (a *App) OpenSkills(ctx context.Context, d dirs.Dirs, s gate.Settings, libraries []string) (*gate.Gate, error) {
	return workspace.Open(ctx, &workspace.Source{Cwd: a.Cwd, Libraries: libraries}, a.Workspace(d, s))
}

// OpenHere is like OpenSkills but also loads the user's folders and settings.
func (a *App) OpenHere(ctx context.Context, libraries []string) (*gate.Gate, error) {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, err
	}
	return a.OpenSkills(ctx, d, s, libraries)
}

// RefreshSkills updates the indexes of the installed skills.
func (a *App) RefreshSkills(ctx context.Context, d dirs.Dirs, s gate.Settings) error {
	_, err := workspace.Refresh(ctx, a.Cwd, a.Workspace(d, s))
	return err
}
