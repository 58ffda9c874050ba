package app

import (
	"context"
	"errors"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/workspace"
)

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
