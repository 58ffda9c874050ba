// Package apptest gives each test of a command its own home folder and an App in it.
package apptest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/rerank"
)

// Home is a home folder with a project and an App whose output is captured. Now is fixed, and the App sees no
// variable of the real environment.
type Home struct {
	*app.App
	Dir      string
	Project  string // a repository in Dir
	Settings string // path of Claude Code's user settings; the file does not exist
	State    string // state folder, which holds the journal
	Binary   string
	Out, Err bytes.Buffer
}

// New returns a home whose App runs in Dir.
func New(t testing.TB) *Home {
	t.Helper()
	dir := t.TempDir()
	h := &Home{
		Dir: dir, Project: filepath.Join(dir, "project"), Settings: filepath.Join(dir, ".claude", "settings.json"),
		State: filepath.Join(dir, ".local", "state", "skillgate"), Binary: filepath.Join(dir, "bin", "skillgate"),
	}
	h.Write(t, h.Binary, "#!/bin/sh\n", 0o700)
	for _, folder := range []string{filepath.Join(h.Project, ".git"), filepath.Dir(h.Settings)} {
		require.NoError(t, os.MkdirAll(folder, 0o700))
	}
	vars := map[string]string{"HOME": dir, "PATH": "/usr/bin:/bin"}
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	h.App = &app.App{
		Stdin: strings.NewReader(""), Stdout: &h.Out, Stderr: &h.Err, Cwd: dir,
		Getenv: func(key string) string { return vars[key] }, Now: func() time.Time { return now },
	}
	for key, value := range vars {
		h.Environ = append(h.Environ, key+"="+value)
	}
	return h
}

// NewInProject returns a home whose App runs in Project.
func NewInProject(t testing.TB) *Home {
	t.Helper()
	h := New(t)
	h.Cwd = h.Project
	return h
}

// Write writes text to a file and creates the parent folders that are missing.
func (h *Home) Write(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
}

// Read returns the content of a file.
func (h *Home) Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// File writes text to a file with that name in a new temporary folder and returns its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// Run runs cmd with args and returns its standard output.
func (h *Home) Run(cmd *cobra.Command, args ...string) (string, error) {
	h.Out.Reset()
	h.Err.Reset()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(&h.Out)
	cmd.SetErr(&h.Err)
	err := cmd.Execute()
	return h.Out.String(), err
}

// Status runs cmd with args and returns its exit status, and its error and hint as one message.
func (h *Home) Status(cmd *cobra.Command, args ...string) (code int, message string) {
	_, err := h.Run(cmd, args...)
	var exit *app.Error
	switch {
	case err == nil:
		return 0, ""
	case errors.As(app.OpenError(err), &exit):
		return exit.Code, exit.Error() + "\n" + exit.Hint
	}
	return app.StatusFailed, err.Error()
}

// Decide logs decision d in session "s1", at the time h.Now() minus ago.
func (h *Home) Decide(t testing.TB, ago time.Duration, d gate.Decision, level, promptID string) journal.Record {
	t.Helper()
	r := journal.New(journal.KindDecision, h.Now().Add(-ago))
	r.Session, r.PromptID, r.Cwd = "s1", promptID, h.Cwd
	r.SetDecision(d, level, []string{"term"})
	require.NoError(t, journal.Append(h.State, r))
	return r
}

// Watch logs the start of session "s1", so that its turns count as watched.
func (h *Home) Watch(t testing.TB) {
	t.Helper()
	r := journal.New(journal.KindSession, h.Now().AddDate(0, -1, 0))
	r.Session, r.Source = "s1", "startup"
	require.NoError(t, journal.Append(h.State, r))
}

// Use logs that the model loaded a skill after a prompt of session "s1".
func (h *Home) Use(t testing.TB, promptID, skill string) {
	t.Helper()
	h.UseBy(t, journal.ToolSkill, promptID, skill)
}

// UseBy is like Use for the given tool, such as journal.ToolAgent.
func (h *Home) UseBy(t testing.TB, tool, promptID, skill string) {
	t.Helper()
	r := journal.New(journal.KindOutcome, h.Now())
	r.Session, r.PromptID, r.Cwd = "s1", promptID, h.Cwd
	r.Outcome = &journal.Outcome{Tool: tool, Skill: skill, Success: true, Source: "PostToolUse"}
	require.NoError(t, journal.Append(h.State, r))
}

// Injected returns a decision that suggests the named skills.
func Injected(prompt string, names ...string) gate.Decision {
	d := gate.Decision{
		Prompt: prompt, Lang: "ko", Verdict: gate.Inject, Need: 0.93,
		Ms: gate.Timing{Total: 6.3}, Candidates: []gate.Candidate{},
	}
	for i, n := range names {
		c := gate.Candidate{Rank: i + 1, Name: n, Pool: "skill", Score: 14.2 - float64(i), Injected: true}
		d.Candidates = append(d.Candidates, c)
	}
	return d
}

// Silent returns a decision that suggests nothing.
func Silent(prompt string) gate.Decision {
	return gate.Decision{
		Prompt: prompt, Lang: "en", Verdict: gate.Silent, Reason: gate.BelowNeedMin, Need: 0.1, Ms: gate.Timing{Total: 4},
		Candidates: []gate.Candidate{{Rank: 1, Name: "pdf", Score: 2.5}},
	}
}

// FakeHelper stands in for skillgate-rerank and records the requests that it gets.
type FakeHelper struct {
	mu     sync.Mutex
	status rerank.Status
	asked  []rerank.Request
}

// StartHelper starts a FakeHelper on the socket that commands in p connect to.
func StartHelper(t testing.TB, p *Home, s gate.Settings, status rerank.Status) *FakeHelper {
	t.Helper()
	d, err := p.Places()
	require.NoError(t, err)
	c := p.Helper(d, s).Config()
	require.NoError(t, c.Place.Make(os.Getuid()))
	l, err := net.Listen("unix", c.Place.Socket())
	require.NoError(t, err)
	t.Cleanup(func() { l.Close(); os.RemoveAll(c.Place.Dir) })
	h := &FakeHelper{status: status}
	h.status.Want = c.Want()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			h.answer(conn)
		}
	}()
	return h
}

func (h *FakeHelper) answer(conn net.Conn) {
	defer conn.Close()
	var req rerank.Request
	if rerank.Read(rerank.NewReader(conn), &req) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	reply := rerank.Reply{V: rerank.Version, Kind: rerank.State, Status: &h.status}
	if req.Op == rerank.OpRank {
		h.asked = append(h.asked, req)
		reply = rerank.Reply{V: rerank.Version, Kind: rerank.Scores, Scale: 1}
		for i := range req.Docs {
			reply.Scores = append(reply.Scores, float64(i))
		}
	}
	_ = rerank.Write(conn, reply) // the client may have closed the connection
}

// Take returns the requests since the last call.
func (h *FakeHelper) Take() []rerank.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

// OnTerminal calls work with a.Stdout set to a terminal of the given width and returns the lines on its screen.
func OnTerminal(t testing.TB, a *app.App, columns int, work func() error) []string {
	t.Helper()
	screen, tty, err := pty.Open()
	require.NoError(t, err)
	defer screen.Close()
	require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: 50, Cols: uint16(columns)}))
	shown := make(chan []byte)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error when the terminal is closed
		shown <- text
	}()
	before := a.Stdout
	a.Stdout = tty
	err = work()
	a.Stdout = before
	tty.Close()
	require.NoError(t, err)
	return strings.Split(strings.TrimRight(strings.ReplaceAll(string(<-shown), "\r\n", "\n"), "\n"), "\n")
}

// AreFew fails the test if the program has more commands or flag names than the limits. A new command must replace an
// old one, because all programs together may have only 80 commands.
func AreFew(t testing.TB, root *cobra.Command, commands, flags int) {
	t.Helper()
	var paths []string
	names := map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
		for _, sub := range cmd.Commands() {
			paths = append(paths, sub.CommandPath())
			walk(sub)
		}
	}
	walk(root)
	t.Logf("%s has %d commands and %d flag names", root.Name(), len(paths), len(names))
	if len(paths) > commands || len(names) > flags {
		t.Errorf("want at most %d commands and %d flag names; it has:\n%s", commands, flags, strings.Join(paths, "\n"))
	}
}

// Chromium returns the path of a Chromium browser, from CHROMIUM_BIN or PATH. It skips the test if there is none
// or in short mode.
func Chromium(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped in short mode, because starting a browser takes seconds")
	}
	if path := os.Getenv("CHROMIUM_BIN"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium: install it or set CHROMIUM_BIN")
	return ""
}

// Look opens a page in the browser, without network, and returns the document after its scripts have run.
// Anything written to the console fails the test.
func Look(t testing.TB, browser, file string, flags ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + t.TempDir(), "--enable-logging=stderr",
		"--allow-file-access-from-files", "--virtual-time-budget=2000", "--dump-dom"}, flags...)
	cmd := exec.CommandContext(ctx, browser, append(args, "file://"+file)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("browser console: %s", line)
		}
	}
	return stdout.String()
}
