package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// place is a machine of its own: a home folder, a project in it, a binary.
type place struct {
	home, project, binary string
	settings              string // the user's settings file
	env                   *env
	stdout, stderr        bytes.Buffer
}

func newPlace(t *testing.T) *place {
	t.Helper()
	home := t.TempDir()
	p := &place{home: home, project: filepath.Join(home, "project"), binary: filepath.Join(home, "bin", "skillgate"), settings: filepath.Join(home, ".claude", "settings.json")}
	for _, dir := range []string{filepath.Join(p.project, ".git"), filepath.Dir(p.binary), filepath.Dir(p.settings)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.write(t, p.binary, "#!/bin/sh\n", 0o700)
	vars := map[string]string{"HOME": home, "PATH": "/usr/bin:/bin"}
	p.env = &env{
		stdin: strings.NewReader(""), stdout: &p.stdout, stderr: &p.stderr, cwd: p.project,
		getenv: func(key string) string { return vars[key] },
		now:    func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) },
	}
	for key, value := range vars {
		p.env.environ = append(p.env.environ, key+"="+value)
	}
	return p
}

func (p *place) write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func (p *place) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs one command and returns its exit status and error text.
func (p *place) run(command func(*env) *cobra.Command, args ...string) (code int, message string) {
	p.stdout.Reset()
	p.stderr.Reset()
	cmd := command(p.env)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	var exit *exitError
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &exit):
		return exit.code, exit.Error() + "\n" + exit.hint
	}
	return 3, err.Error()
}
