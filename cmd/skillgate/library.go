package main

import (
	"context"
	"errors"
	"os"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/workspace"
)

// places returns the folders of this user, or an error with a hint.
func (e *env) places() (dirs.Dirs, error) {
	d, err := dirs.FromEnv(e.getenv)
	if err != nil {
		return d, &exitError{code: 3, err: err, hint: "set HOME to your home folder"}
	}
	return d, nil
}

// settings loads the settings strictly: every command but hook stops on a bad one.
func (e *env) settings(d dirs.Dirs) (gate.Settings, error) {
	s, err := gate.Load(d, e.cwd, e.environ)
	if err != nil {
		return s, &exitError{code: 3, err: err, hint: "correct what it names, or take it out; `skillgate doctor` shows all settings"}
	}
	return s, nil
}

// placesAndSettings is places, then settings.
func (e *env) placesAndSettings() (dirs.Dirs, gate.Settings, error) {
	d, err := e.places()
	if err != nil {
		return d, gate.Settings{}, err
	}
	s, err := e.settings(d)
	return d, s, err
}

// openSkills opens a gate over libraries, or over the installed skills where there are none.
func (e *env) openSkills(ctx context.Context, d dirs.Dirs, s gate.Settings, libraries []string) (*gate.Gate, error) {
	return e.app().Open(ctx, &workspace.Source{Cwd: e.cwd, Libraries: libraries}, e.app().Workspace(d, s))
}

// refreshSkills brings the indexes of the installed skills up to date.
func (e *env) refreshSkills(ctx context.Context, d dirs.Dirs, s gate.Settings) error {
	_, err := e.app().Refresh(ctx, e.app().Workspace(d, s))
	return err
}

// unwrapPath drops the operation and path that the caller says itself.
func unwrapPath(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
