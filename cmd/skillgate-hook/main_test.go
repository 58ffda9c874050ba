package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system"
)

// installed builds this command, as install.sh does, as bin/skillgate in a new folder without a complete program.
func installed(t *testing.T) (called string) {
	t.Helper()
	prefix, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	called = filepath.Join(prefix, "bin", "skillgate")
	flags := "-s -w"
	if guarded {
		flags += " -E skillgate_start"
	}
	require.NoError(t, os.Mkdir(filepath.Dir(called), 0o700))
	// Unlike go build, go run caches the program.
	build := exec.Command("go", "run", "-exec", "cp", "-tags", "netgo osusergo", "-ldflags", flags, ".", called)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return called
}

type ended struct {
	code           int
	stdout, stderr string
}

func run(t *testing.T, env []string, name string, args ...string) ended {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Stdin = strings.NewReader("{}")
	cmd.Env = append([]string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin"}, env...)
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func TestOtherCommandsRunTheCompleteProgram(t *testing.T) {
	called := installed(t)
	complete := system.CompleteProgram(called)
	require.NoError(t, os.MkdirAll(filepath.Dir(complete), 0o700))
	link := filepath.Join(t.TempDir(), "sg")
	require.NoError(t, os.Symlink(called, link))
	const echo = "#!/bin/sh\n" + `printf '%s|' "$FOO" "$@"; exit 7` + "\n"
	tests := []struct {
		name     string
		complete string // script in place of the complete program, or ""
		mode     os.FileMode
		program  string
		args     []string
		want     ended
	}{
		{"a command", echo, 0o700, called, []string{"query", "two words", ""}, ended{7, "bar|query|two words||", ""}},
		{"no command", echo, 0o700, called, nil, ended{7, "bar|", ""}},
		{"through a link", echo, 0o700, link, []string{"version"}, ended{7, "bar|version|", ""}},
		{"hook is answered here", echo, 0o700, called, []string{"hook"}, ended{}},
		{"observe", echo, 0o700, called, []string{"observe"}, ended{7, "bar|observe|", ""}},
		{"a session's begin is noted here", echo, 0o700, called, []string{"observe", "begin"}, ended{}},

		{"no complete program", "", 0, called, []string{"version"}, ended{3, "", "no such file"}},
		{"no complete program, hook", "", 0, called, []string{"hook"}, ended{}},
		{"no complete program, observe", "", 0, called, []string{"observe"}, ended{}},
		{"not executable", echo, 0o600, called, []string{"version"}, ended{3, "", "permission denied"}},
		{"not executable, observe", echo, 0o600, called, []string{"observe"}, ended{}},
		{"not a program", "\x00\x01", 0o700, called, []string{"version"}, ended{3, "", "exec format error"}},
		{"not a program, observe", "\x00\x01", 0o700, called, []string{"observe"}, ended{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			os.Remove(complete)
			if tt.complete != "" {
				require.NoError(t, os.WriteFile(complete, []byte(tt.complete), tt.mode))
			}
			got := run(t, []string{"FOO=bar"}, tt.program, tt.args...)
			if got.code != tt.want.code || got.stdout != tt.want.stdout || !strings.Contains(got.stderr, tt.want.stderr) ||
				(got.stderr == "") != (tt.want.stderr == "") {
				t.Errorf("%q = %+v, want %+v", tt.args, got, tt.want)
			}
			if got.code == 3 && !strings.Contains(got.stderr, "hint: ") {
				t.Errorf("%q says %q, want a hint", tt.args, got.stderr)
			}
		})
	}
}

// The complete program of a release reads its tables from the small one, and fails with a hint if that does not match.
func TestTablesAreLent(t *testing.T) {
	called := installed(t)
	find := exec.Command("go", "run", "./synonyms/lent/places", called)
	find.Dir = filepath.Join("..", "..")
	at, err := find.CombinedOutput()
	require.NoError(t, err, string(at))
	build := func(file string, args ...string) {
		args = slices.Concat([]string{"build", "-o", file}, args, []string{"./testdata/complete"})
		out, err := exec.Command("go", args...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	carries, complete := filepath.Join(t.TempDir(), "complete"), system.CompleteProgram(called)
	build(carries)
	const places = "github.com/skillgate/skillgate/synonyms/lent.places="
	build(complete, "-tags", "lent", "-ldflags", "-X "+places+strings.TrimSpace(string(at)))
	want := run(t, nil, carries)
	require.Equal(t, 0, want.code)
	require.Contains(t, want.stdout, "meeting")
	if fi, err := os.Stat(complete); err != nil || fi.Size() > 6<<20 {
		t.Errorf("the program with lent tables: %v, %d bytes", err, fi.Size())
	}
	assert.Equal(t, want, run(t, nil, called, "query"))
	text, err := os.ReadFile(called)
	require.NoError(t, err)
	for name, other := range map[string][]byte{"of another version": append([]byte{0}, text...), "missing": nil} {
		os.Remove(called)
		if other != nil {
			require.NoError(t, os.WriteFile(called, other, 0o700))
		}
		if got := run(t, nil, complete, "query"); got.code != 3 || !strings.Contains(got.stderr, "hint: ") {
			t.Errorf("query, small program %s: %+v, want 3 and a hint", name, got)
		}
		for _, command := range []string{"hook", "observe"} {
			got := run(t, nil, complete, command)
			assert.Equal(t, ended{}, got, "%s, small program %s: %+v, want 0 and nothing", command, name, got)
		}
	}
}

// An input that is never closed does not keep the host waiting while a session begins.
func TestSessionBeginsWithAnInputThatNeverEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // many times the usual time on a busy machine
	defer cancel()
	cmd := exec.CommandContext(ctx, installed(t), "observe", "begin")
	cmd.Env = []string{"HOME=" + t.TempDir()}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	cmd.Stdin = r
	_, err = w.WriteString(`{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`)
	require.NoError(t, err)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("observe begin: %v, prints %q; want status 0 and nothing", err, out)
	}
}

// guarded reports whether cmd/internal/start has an entry point for this system.
const guarded = runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")

func plain(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the runtime ends the process by itself here")
	}
	file := filepath.Join(t.TempDir(), "skillgate")
	out, err := exec.Command("go", "run", "-exec", "cp", ".", file).CombinedOutput()
	require.NoError(t, err, string(out))
	return file
}

// Go's runtime exits with status 2 if it cannot reserve its memory, and the host would erase the prompt. If the kernel
// or the loader cannot start the program at all, the status is theirs.
func TestStatusUnderALimitOfMemory(t *testing.T) {
	called := plain(t)
	for _, limit := range []string{
		"-v 1000", "-v 10000", "-v 30000", "-v 64000", "-v 100000", "-v 400000", "-v 720000", "-v 1000000", "-v 1300000", "-v 1510000",
		"-v 2600000", "-d 1000", "-d 10000", "-d 30000", "-d 60000", "-d 100000", "-d 300000",
	} {
		for command, want := range map[string]int{"hook": 0, "observe": 0, "hooks": 3, "version": 3, "": 3} {
			got := run(t, nil, "/bin/sh", "-c", "ulimit "+limit+" && exec \"$0\" "+command, called)
			if got.code != want && got.code != -1 && got.code != 127 && got.code != 139 {
				t.Errorf("%s under %s: status %d, want %d\n%.300s", command, limit, got.code, want, got.stderr)
			}
			if got.code == 3 && !strings.Contains(got.stderr, "hint: ") {
				t.Errorf("%s under %s says %q, want a hint", command, limit, got.stderr)
			}
		}
	}
}

func TestStatusAfterASignal(t *testing.T) {
	called := plain(t)
	for _, command := range []string{"hook", "observe"} {
		for _, signal := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGSEGV} {
			for wait := range 12 {
				cmd := exec.Command(called, command)
				cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin"}
				stdin, err := cmd.StdinPipe()
				require.NoError(t, err)
				require.NoError(t, cmd.Start())
				time.Sleep(time.Duration(wait) * 400 * time.Microsecond)
				if err := cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
					t.Fatal(err)
				}
				stdin.Close()
				_ = cmd.Wait() // the result is in ProcessState
				if code := cmd.ProcessState.ExitCode(); code != 0 && code != -1 {
					t.Errorf("%s after %v: status %d, want 0 or none", command, signal, code)
				}
			}
		}
	}
}

// Hosts report a pipe that is closed early as a failure.
func TestInputIsReadUnderALimitOfMemory(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", `ulimit -v 400000 && exec "$0" hook`, plain(t))
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = stdin.Write(bytes.Repeat([]byte("x"), 1<<20))
	assert.NoError(t, err)
	stdin.Close()
	assert.NoError(t, cmd.Wait())
}

func TestAbsurdNumberOfProcessors(t *testing.T) {
	if !guarded {
		t.Skip("nothing runs before Go here")
	}
	called := installed(t)
	complete := system.CompleteProgram(called)
	script := []byte("#!/bin/sh\n" + `printf '%s|' "$GOMAXPROCS" "$GOMAXPROCSX" "$@"` + "\n")
	require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(complete), 0o700), os.WriteFile(complete, script, 0o700)))
	for value, want := range map[string]string{"1": "1", "128": "128", "1000": "", "99999999": "", "9999999999999999999999": "", "x": "x"} {
		got := run(t, []string{"GOMAXPROC=1", "GOMAXPROCS=" + value, "GOMAXPROCSX=99999999"}, called, "a", "b")
		if want += "|99999999|a|b|"; got.stdout != want {
			t.Errorf("with GOMAXPROCS=%s the complete program has %q, want %q (%s)", value, got.stdout, want, got.stderr)
		}
	}
}

func TestProcessorsOfTheHook(t *testing.T) {
	if !guarded {
		t.Skip("nothing runs before Go here")
	}
	file := filepath.Join(t.TempDir(), "processors")
	build := exec.Command("go", "build", "-ldflags", "-E skillgate_start", "-o", file, "./testdata/processors")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	// The runtime starts with a lower limit of open files, and hook restores the limit that it found.
	limited := func(env []string, args ...string) ended {
		return run(t, env, "/bin/sh", append([]string{"-c", `ulimit -Sn 50 && ulimit -Hn 99 && exec "$0" "$@"`, file}, args...)...)
	}
	all := strings.Split(limited(nil, "log").stdout, " ")[0]
	for _, tt := range []struct {
		name, variable, want string
		args                 []string
	}{
		{"hook", "", `1 "" ["hook"] 50 99 50 99 <nil>`, []string{"hook"}},
		{"hook with arguments", "", `1 "" ["hook" "--rest" ""] 50 99 50 99 <nil>`, []string{"hook", "--rest", ""}},
		{"hook, the caller says how many", "GOMAXPROCS=3", `3 "3" ["hook"] 50 99 50 99 <nil>`, []string{"hook"}},
		{"another command", "", all + ` "" ["hooks"] 98 99 50 99 <nil>`, []string{"hooks"}},
		{"hook under a limit of memory", "GOMEMLIMIT=1GiB", `1 "" ["hook"] 98 99 50 99 <nil>`, []string{"hook"}},
		{"another command, the caller says how many", "GOMAXPROCS=3", `3 "3" ["hooks"] 98 99 50 99 <nil>`, []string{"hooks"}},
	} {
		if got := limited([]string{cmp.Or(tt.variable, "X=")}, tt.args...); strings.TrimSpace(got.stdout) != tt.want || got.code != 0 {
			t.Errorf("%s: status %d, %s, want %s (%s)", tt.name, got.code, got.stdout, tt.want, got.stderr)
		}
	}
}

// Unless timers may be late, the runtime's monitor wakes up every 20 µs.
func TestTimersOfTheHookMayBeLate(t *testing.T) {
	if !guarded {
		t.Skip("nothing runs before Go here")
	}
	called := installed(t)
	cmd := exec.Command(called, "hook")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() {
		stdin.Close()
		assert.NoError(t, cmd.Wait())
	}()
	slack := func(process string) string {
		text, err := os.ReadFile("/proc/" + process + "/timerslack_ns")
		if err != nil {
			t.Skip(err) // reading it may be forbidden
		}
		return string(text)
	}
	usual := slack("self")
	deadline := time.Now().Add(time.Minute) // many times the usual time on a busy machine
	for slack(strconv.Itoa(cmd.Process.Pid)) != "10000000\n" {
		require.False(t, time.Now().After(deadline), "its timers have no slack of ten milliseconds")
		time.Sleep(time.Millisecond)
	}

	complete := system.CompleteProgram(called)
	script := []byte("#!/bin/sh\ncat /proc/self/timerslack_ns\n")
	require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(complete), 0o700), os.WriteFile(complete, script, 0o700)))
	assert.Equal(t, usual, run(t, nil, called, "hooks").stdout)
}

// allowed lists the packages outside the standard library that a prompt may initialise.
var allowed = []string{
	"github.com/blevesearch/bleve/v2/analysis", "github.com/blevesearch/bleve_index_api",
	"github.com/skillgate/skillgate/cmd/internal/start", "github.com/skillgate/skillgate/cmd/internal/start/stack",
	"github.com/skillgate/skillgate/gate/index",
	"github.com/skillgate/skillgate/gate/journal", "github.com/skillgate/skillgate/gate/neutral",
	"github.com/skillgate/skillgate/synonyms",
	"golang.org/x/sys/unix", "golang.org/x/text/unicode/norm", "gopkg.in/yaml%2ev3",
}

// heavy lists the packages of the standard library that a prompt must not initialise.
var heavy = []string{
	"crypto/tls", "crypto/x509", "database/sql", "encoding/gob", "encoding/xml", "flag", "go/ast", "html/template",
	"log/slog", "mime", "net/http", "net/url", "testing", "text/template",
}

// Every prompt pays for linked packages and their initialisation.
func TestHookInitialisesFewPackages(t *testing.T) {
	called := installed(t)
	cmd := exec.Command(called, "hook")
	cmd.Stdin = strings.NewReader("{}")
	cmd.Env = []string{"HOME=" + t.TempDir(), "GODEBUG=inittrace=1"}
	trace, err := cmd.CombinedOutput()
	require.NoError(t, err, string(trace))
	const most = 53
	n := 0
	for line := range strings.Lines(string(trace)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "init" {
			continue
		}
		n++
		pkg := fields[1]
		first, _, _ := strings.Cut(pkg, "/")
		standard := !strings.Contains(first, ".")
		if standard && slices.Contains(heavy, pkg) || !standard && !slices.Contains(allowed, pkg) {
			t.Errorf("hook initialises %s", pkg)
		}
	}
	require.NotEqual(t, 0, n)
	assert.LessOrEqual(t, n, most)
}
