package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// commandEnv is an environment with a home of its own, and what is printed in it.
func commandEnv(t *testing.T, args ...string) (e *env, stdout, stderr *bytes.Buffer) {
	t.Helper()
	home := t.TempDir()
	getenv := func(key string) string {
		if key == "HOME" {
			return home
		}
		return ""
	}
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	return &env{args: args, stdin: strings.NewReader(""), stdout: stdout, stderr: stderr, getenv: getenv, now: time.Now, cwd: home}, stdout, stderr
}

func TestWrongUsageNamesTheNextStep(t *testing.T) {
	tests := []struct {
		name, args, hint string
	}{
		{"a mistyped command", "qurey x", "did you mean `skillgate query`?"},
		{"a mistyped command below another", "enrich shwo", "did you mean `skillgate enrich show`?"},
		{"no such command", "frobnicate", "`skillgate --help` lists the commands"},
		{"no such command below another", "tune frobnicate", "`skillgate tune --help` lists the commands"},
		{"no argument", "query", "`skillgate query --help` has examples"},
		{"an argument too many", "stats now", "`skillgate stats --help` has examples"},
		{"no such flag", "tax --frobnicate", "`skillgate tax --help` has examples"},
		{"a flag of another type", "log --last x", "`skillgate log --help` has examples"},
		{"a flag left out", "rerank bench", "`skillgate rerank bench --help` has examples"},
		{"a number below zero", "query --k -1 x", "without --k "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, stdout, stderr := commandEnv(t, strings.Fields(tt.args)...)
			if code := runCommand(e); code != 3 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "skillgate: hint: "+tt.hint) {
				t.Errorf("skillgate %s = %d, prints %q and %q, want 3 and the hint %q", tt.args, code, stdout, stderr, tt.hint)
			}
		})
	}
}

// An error of the work itself is not one of usage.
func TestFailureIsNoWrongUsage(t *testing.T) {
	e, _, stderr := commandEnv(t, "bench", "diff", "absent.json", "absent.json")
	if code := runCommand(e); code != 3 || strings.Contains(stderr.String(), "--help") {
		t.Errorf("bench diff of files that do not exist = %d, prints %q, want 3 and nothing about --help", code, stderr)
	}
}

// Whoever asks a command for help is shown how it is used, by it or by the command above
// it. doctor takes nothing that would want one.
func TestEveryCommandHasAnExample(t *testing.T) {
	e, _, _ := commandEnv(t)
	root := newRootCommand(e)
	seen := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		if cmd.HasSubCommands() && cmd.Args == nil {
			t.Errorf("%s takes any argument, so that a mistyped command is none", cmd.CommandPath())
		}
		seen++
		if cmd.Run != nil || cmd.RunE == nil {
			t.Errorf("%s has no RunE: its wrong usage would have no hint", cmd.CommandPath())
		}
		example := cmd.Example
		if example == "" && cmd.HasParent() && cmd.Parent().HasParent() {
			example = cmd.Parent().Example
		}
		if cmd.Name() == "doctor" || cmd.HasSubCommands() && example == "" {
			return // the commands below it have them
		}
		for _, line := range strings.Split(example, "\n") {
			if !strings.Contains(line, "skillgate") && !strings.Contains(line, "./install.sh") {
				t.Errorf("example of %s: %q, want a command to run", cmd.CommandPath(), line)
			}
		}
	}
	walk(root)
	if seen < 30 {
		t.Errorf("%d commands, want more than 30", seen)
	}
}

// full is a disk without space.
type full struct{ after int }

func (f *full) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

// A result that could not be written is no success.
func TestOutputThatIsCutShort(t *testing.T) {
	for _, args := range []string{"version", "version --json", "tax", "rerank status", "--help"} {
		t.Run(args, func(t *testing.T) {
			e, whole, _ := commandEnv(t, strings.Fields(args)...)
			if code := runCommand(e); code != 0 || whole.Len() == 0 {
				t.Fatalf("skillgate %s = %d, prints %q, want 0 and something", args, code, whole)
			}
			e, _, stderr := commandEnv(t, strings.Fields(args)...)
			e.stdout = &full{whole.Len() - 1}
			if code := runCommand(e); code != 3 || !strings.Contains(stderr.String(), "no space left on device") {
				t.Errorf("skillgate %s on a full disk = %d, prints %q, want 3 and the reason", args, code, stderr)
			}
		})
	}
}
