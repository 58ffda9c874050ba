package main

import (
	"errors"
	"io"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
)

// env is what a subcommand may reach: everything outside the process is handed in,
// so that tests drive the whole program.
type env struct {
	args    []string // after the program's name
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	getenv  func(string) string
	environ []string
	now     func() time.Time
	cwd     string
}

// app is e for the commands that are packages of their own.
func (e *env) app() *app.App {
	return &app.App{
		Args: e.args, Stdin: e.stdin, Stdout: e.stdout, Stderr: e.stderr,
		Getenv: e.getenv, Environ: e.environ, Now: e.now, Cwd: e.cwd,
	}
}

func (e *env) absolute(path string) string { return e.app().Absolute(path) }

// journalError is logged.Error for an error that may have a hint already.
func journalError(err error, dir string) error {
	var exit *exitError
	if errors.As(err, &exit) {
		return err
	}
	return logged.Error(err, dir)
}
