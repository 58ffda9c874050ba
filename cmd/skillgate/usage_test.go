package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func command(t *testing.T, args ...string) (a *app.App, stdout, stderr *bytes.Buffer) {
	t.Helper()
	h := apptest.New(t)
	h.Args = args
	return h.App, &h.Out, &h.Err
}

func TestWrongUsageNamesTheNextStep(t *testing.T) {
	tests := []struct {
		name, args, hint string
	}{
		{"a mistyped command", "qurey x", "did you mean `skillgate query`?"},
		{"a mistyped command below another", "synonyms explian", "did you mean `skillgate synonyms explain`?"},
		{"no such command", "frobnicate", "`skillgate --help` lists the commands"},
		{"no such command below another", "synonyms frobnicate", "`skillgate synonyms --help` lists the commands"},
		{"no argument", "query", "for example `skillgate query \"review this"},
		{"an argument too many", "stats now then", "for example `skillgate stats`; see also `skillgate stats --help`"},
		{"no such flag", "tax --frobnicate", "for example `skillgate tax`; see also `skillgate tax --help`"},
		{"no such flag of a command whose examples are explained", "replay --last 300", "for example `skillgate replay`; see"},
		{"a mistyped flag", "query --explian x", "did you mean --explain?"},
		{"a flag of another type", "log --last x", "for example `skillgate log"},
		{"a flag left out", "bench --library .", "for example `skillgate bench"},
		{"a number below zero", "query --k -1 x", "omit --k "},
		{"none of something", "query --k 0 x", "omit --k "},
		{"a window of nothing", "tax --window 0", "for example `skillgate tax`"},
		{"no such value", "log --verdict foo", "for example `skillgate log --last 50`"},
		{"neither a span nor a date", "stats --since soon", "for example `skillgate stats`"},
		{"a word after one dash", "query -explain x", "did you mean --explain?"},
		{"no such letter", "log -n 5", "for example `skillgate log --last 50`"},
		{"a flag of one letter of another command", "--k", "`skillgate --help` shows"},
		{"an example with what it does", "index now", "for example `skillgate index`; "},
		{"nothing to undo", "advise undo", "`skillgate advise` lists"},
		{"no experiment", "experiment stop", "`skillgate experiment start` starts one"},
		{"a host without a known listing", "tax --host codex", "`skillgate tax --host claude`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, stdout, stderr := command(t, strings.Fields(tt.args)...)
			if code := a.Run(newRoot(a)); code != 3 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "skillgate: hint: "+tt.hint) {
				t.Errorf("skillgate %s = %d, prints %q and %q, want 3 and the hint %q", tt.args, code, stdout, stderr, tt.hint)
			}
		})
	}
}

func TestFailureIsNoWrongUsage(t *testing.T) {
	a, _, stderr := command(t, "query", "--library", "absent.jsonl", "x")
	require.Equal(t, 3, a.Run(newRoot(a)))
	assert.NotContains(t, stderr.String(), "--help")
}

func TestEveryCommandHasAnExample(t *testing.T) {
	a, _, _ := command(t)
	root := newRoot(a)
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
			return // its subcommands have examples
		}
		for _, line := range strings.Split(example, "\n") {
			if !strings.Contains(line, "skillgate") && !strings.Contains(line, "./install.sh") {
				t.Errorf("example of %s: %q, want a command to run", cmd.CommandPath(), line)
			}
		}
	}
	walk(root)
	assert.GreaterOrEqual(t, seen, 30)
}

func TestCommandsAreFew(t *testing.T) {
	a, _, _ := command(t)
	apptest.AreFew(t, newRoot(a), 46, 73)
}
