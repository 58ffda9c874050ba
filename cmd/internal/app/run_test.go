package app

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/skillgate/skillgate/cmd/internal/start"
	"github.com/spf13/cobra"
)

func newApp(t *testing.T, args ...string) (a *App, stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	return &App{
		Args: args, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, Cwd: t.TempDir(),
	}, stdout, stderr
}

func program(work func() error) *cobra.Command {
	root := &cobra.Command{Use: "tool", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return nil }}
	root.AddCommand(&cobra.Command{Use: "work", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return work() }})
	count := &cobra.Command{Use: "count THING", Args: cobra.RangeArgs(1, 2), RunE: func(*cobra.Command, []string) error { return nil }}
	count.Flags().Int("n", 0, "")
	count.Flags().Float64("share", 0, "")
	count.Flags().Duration("wait", 0, "")
	count.MarkFlagsMutuallyExclusive("n", "share", "wait")
	root.AddCommand(count)
	join := &cobra.Command{Use: "join BEFORE.json AFTER.json", Args: cobra.ExactArgs(2), RunE: count.RunE}
	join.Flags().String("by", "", "")
	_ = join.MarkFlagRequired("by")
	root.AddCommand(join)
	return root
}

func TestAPanicBesideTheWorkAborts(t *testing.T) {
	if os.Getenv("PANIC_BESIDE") != "" {
		a, _, _ := newApp(t, "work")
		a.Run(program(func() error {
			go panic("boom")
			select {}
		}))
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAPanicBesideTheWorkAborts$")
	cmd.Env = append(os.Environ(), "PANIC_BESIDE=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != -1 || !strings.Contains(string(out), "boom") {
		t.Errorf("the program ended with %v, want SIGABRT: %.200s", err, out)
	}
}

func TestRunEndsWithTheStatusOfTheError(t *testing.T) {
	tests := []struct {
		name   string
		args   string
		work   func() error
		code   int
		stderr string
	}{
		{"success", "work", func() error { return nil }, 0, ""},
		{"findings, already printed", "work", func() error { return ErrFindings }, 1, ""},
		{"failure with a hint", "work", func() error { return Fail("try again", "no %s", "luck") }, 3, "tool: work: no luck\ntool: hint: try again\n"},
		{"failure without a hint", "work", func() error { return errors.New("no luck") }, 3, "tool: work: no luck\n"},
		{"wrong usage that the work finds", "work", func() error { return Usage("--n is %d", 0) }, 3,
			"tool: work: --n is 0\ntool: hint: `tool work --help` shows the usage\n"},
		{"panic", "work", func() error { panic("boom") }, 3, "tool: internal error: boom\n"},
		{"mistyped command", "wrok", nil, 3, "tool: unknown command \"wrok\"\ntool: hint: did you mean `tool work`?\n"},
		{"a short word that is not a command", "fook", nil, 3, "tool: hint: `tool --help` lists the commands\n"},
		{"help about no command", "help nope", nil, 3, "tool: help: unknown command \"nope\"\ntool: hint: `tool --help` lists the commands\n"},
		{"help about a command", "help work", nil, 0, ""},
		{"completion of no shell", "completion foo", nil, 3, "tool: hint: `tool completion --help` lists the commands\n"},
		{"completion without a shell", "completion", nil, 0, ""},
		{"a word after one dash", "count -wait 3s y", nil, 3,
			"tool: count: unknown flag -wait\ntool: hint: did you mean --wait?\n"},
		{"not a whole number", "count --n 1.5 x", nil, 3, "tool: count: --n: \"1.5\" is not a whole number\n"},
		{"not a share", "count --share ten x", nil, 3, "tool: count: --share: \"ten\" is not a number\n"},
		{"argument too many", "work now", nil, 3,
			"tool: work: wrong number of arguments (1); usage: tool work [flags]\ntool: hint: `tool work --help` shows the usage\n"},
		{"no argument", "count", nil, 3, "tool: count: wrong number of arguments (0); usage: tool count THING [flags]\n"},
		{"flags that exclude each other", "count x --n 1 --wait 3s", nil, 3, "tool: count: these flags cannot be used together: --n, --wait\n"},
		{"a required flag", "join a b", nil, 3, "tool: join: required flags are missing: --by\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _, stderr := newApp(t, strings.Fields(tt.args)...)
			if code := a.Run(program(tt.work)); code != tt.code || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("tool %s = %d, prints %q, want %d and %q", tt.args, code, stderr, tt.code, tt.stderr)
			}
			if tt.stderr == "" && stderr.Len() > 0 {
				t.Errorf("tool %s prints %q, want nothing", tt.args, stderr)
			}
		})
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	tests := []struct {
		name string
		err  error
		code int
	}{
		{"fails a command that succeeded", nil, 3},
		{"fails a command with findings", ErrFindings, 3},
		{"does not change a failure", Fail("", "worse"), 3},
		{"does not fail a command that is done all the same", ErrDone, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _, _ := newApp(t, "work")
			a.Stdout = full{}
			code := a.Run(program(func() error {
				_ = a.PrintJSON("x")
				return tt.err
			}))
			assert.Equal(t, tt.code, code)
		})
	}
}

func TestConfirmWantsATerminal(t *testing.T) {
	a, _, stderr := newApp(t)
	a.Stdin = strings.NewReader("y\n")
	var exit *Error
	err := a.Confirm("remove all", "nothing was removed", "add --yes")
	if !errors.As(err, &exit) || exit.Hint != "add --yes" || stderr.Len() > 0 {
		t.Errorf("Confirm without a terminal = %v, prints %q, want to be told --yes", err, stderr)
	}
}

func TestWrongUsageIsSaidInTheUsersLanguage(t *testing.T) {
	a, _, stderr := newApp(t, "work")
	a.Getenv = func(name string) string { return map[string]string{"LANG": "ko_KR.UTF-8"}[name] }
	code := a.Run(program(func() error { return OneOf("host", "x", []string{"y"}) }))
	want := "tool: work: --host: \"x\"은(는) 쓸 수 없는 값입니다. 쓸 수 있는 값: y\n"
	require.Equal(t, 3, code)
	assert.Contains(t, stderr.String(), want)
}
