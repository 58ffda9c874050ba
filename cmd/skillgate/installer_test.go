package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// These tests run install.sh up to the build; .ci/run runs all of it.

func TestInstaller(t *testing.T) {
	oldGo := t.TempDir()
	script := "#!/bin/sh\ncase $1 in env) echo go1.19.8 ;; version) echo go version go1.19.8 linux/amd64 ;; esac\n"
	require.NoError(t, os.WriteFile(filepath.Join(oldGo, "go"), []byte(script), 0o700))
	tests := []struct {
		name   string
		env    []string
		args   []string
		status int
		want   []string // part of the output
	}{
		{"help", nil, []string{"--help"}, 0, []string{"usage: ./install.sh", "--prefix DIR", "--with-rerank"}},
		{"unknown argument", nil, []string{"--prefxi=x"}, 3, []string{"unknown argument --prefxi=x", "usage:"}},
		{"prefix without a folder", nil, []string{"--prefix"}, 3, []string{"--prefix needs a folder"}},
		{"no home", []string{"HOME="}, nil, 3, []string{"HOME is not set"}},
		{"no C compiler", []string{"CC=no-such-compiler"}, nil, 1, []string{"missing: a C compiler (no-such-compiler)", "get it: ", "Nothing was changed"}},
		{"Go that is too old", []string{"PATH=" + oldGo + ":" + os.Getenv("PATH")}, nil, 1,
			[]string{"missing: Go 1.", "(installed: go version go1.19.8 linux/amd64)", "get it: ", "Nothing was changed"}},
		{"dry run", nil, []string{"--dry-run"}, 0, []string{"would run: go build", "/.local/bin/skillgate install\n", "Nothing was changed."}},
		{"dry run with a hook", nil, []string{"--dry-run", "--hook"}, 0, []string{"/.local/bin/skillgate install --hook\n"}},
		{"dry run with the program for organisations", nil, []string{"--dry-run", "--with-org"}, 0,
			[]string{"/skillgate-org ./cmd/skillgate-org", "/.local/lib/skillgate/skillgate-org"}},
		{"dry run without the hook, elsewhere", nil, []string{"--dry-run", "--no-hook", "--prefix", "/opt/tools"}, 0, []string{"/opt/tools/bin/skillgate index"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			cmd := exec.Command("../../install.sh", tt.args...)
			cmd.Env = append(append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+t.TempDir(), "PREFIX=", "CLAUDE_CONFIG_DIR=",
				"GOPATH="+goEnv(t, "GOPATH"), "GOCACHE="+goEnv(t, "GOCACHE")), tt.env...)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if got := cmd.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("install.sh %q with %q ends with status %d, want %d; it printed\n%s", tt.args, tt.env, got, tt.status, out)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("install.sh %q with %q printed\n%swant %q in it", tt.args, tt.env, out, want)
				}
			}
			if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
				t.Errorf("install.sh %q with %q left %v in the home folder (%v), want nothing", tt.args, tt.env, left, err)
			}
			if tt.name == "dry run without the hook, elsewhere" && strings.Contains(string(out), " install ") {
				t.Errorf("install.sh %q would register the hook:\n%s", tt.args, out)
			}
		})
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

func TestInstallerReplacesOnlyItsOwn(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".local", "bin", "skillgate")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	for _, tt := range []struct {
		name string
		make func() error
		ours bool
	}{
		{"somebody's script", func() error { return os.WriteFile(file, []byte("#!/bin/sh\n"), 0o700) }, false},
		{"a folder", func() error { return os.Mkdir(file, 0o700) }, false},
		{"a link that leads nowhere", func() error { return os.Symlink("nowhere", file) }, false},
		{"an empty file", func() error { return os.WriteFile(file, nil, 0o700) }, true},
		{"a program of skillgate's", func() error { return os.WriteFile(file, []byte("\x00github.com/skillgate/skillgate\x00"), 0o700) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.NoError(t, errors.Join(os.RemoveAll(file), tt.make()))
			cmd := exec.Command("../../install.sh", "--dry-run", "--no-hook")
			cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+t.TempDir(), "PREFIX=", "CLAUDE_CONFIG_DIR=",
				"GOPATH="+goEnv(t, "GOPATH"), "GOCACHE="+goEnv(t, "GOCACHE"))
			out, err := cmd.CombinedOutput()
			if (err == nil) != tt.ours || !tt.ours && !strings.Contains(string(out), file) {
				t.Errorf("install.sh: %v, want it to go on: %v; it printed\n%s", err, tt.ours, out)
			}
		})
	}
}
