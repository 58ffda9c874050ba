package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal/store"
)

type client struct{ version, path string }

// findClients returns the clients to test with, or skips the test: those of CLAUDE_BIN, a
// list of paths as in PATH, or else the one on PATH or in node_modules.
var findClients = sync.OnceValues(func() ([]client, error) {
	paths := filepath.SplitList(os.Getenv("CLAUDE_BIN"))
	if len(paths) == 0 {
		local := filepath.Join("..", "..", "node_modules", ".bin", "claude")
		if path, err := exec.LookPath("claude"); err == nil {
			paths = []string{path}
		} else if path, err := filepath.Abs(local); err == nil && exists(path) {
			paths = []string{path}
		}
	}
	var clients []client
	for _, path := range paths {
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			return nil, err
		}
		version, _, _ := strings.Cut(string(out), " ")
		clients = append(clients, client{version, path})
	}
	return clients, nil
})

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func eachClient(t *testing.T, test func(*testing.T, *machine)) {
	t.Helper()
	if testing.Short() {
		t.Skip("end-to-end tests take minutes")
	}
	clients, err := findClients()
	require.NoError(t, err)
	if len(clients) == 0 {
		t.Skip("no Claude Code: set CLAUDE_BIN, put claude on PATH or run `npm install @anthropic-ai/claude-code`")
	}
	for _, c := range clients {
		t.Run(c.version, func(t *testing.T) { test(t, newMachine(t, c)) })
	}
}

type machine struct {
	t                     *testing.T
	home, project, binary string
	claude                client
	api                   *standIn
	server                *httptest.Server
}

var builtProgram = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "skillgate-e2e")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "skillgate")
	build := exec.Command("go", "run", "-exec", "cp", ".", file) // unlike go build, it caches the program
	if out, err := build.CombinedOutput(); err != nil {
		return nil, errors.New("go build: " + string(out))
	}
	return os.ReadFile(file)
})

func newMachine(t *testing.T, c client) *machine {
	t.Helper()
	temp, err := os.MkdirTemp("", "e2e-machine")
	require.NoError(t, err)
	t.Cleanup(func() { // after background processes have finished writing
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			if err := os.RemoveAll(temp); err == nil || time.Now().After(end) {
				return
			}
		}
	})
	home, err := filepath.EvalSymlinks(temp)
	require.NoError(t, err)
	m := &machine{t: t, home: home, project: filepath.Join(home, "work"), binary: filepath.Join(home, "bin", "skillgate"), claude: c, api: &standIn{}}
	require.NoError(t, os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS(filepath.Join("..", "..", "testdata", "skills-e2e"))))
	program, err := builtProgram()
	require.NoError(t, err)
	m.write("bin/skillgate", string(program))
	require.NoError(t, os.Chmod(m.binary, 0o755))
	// Answers of a user to the questions before the first prompt.
	known, err := json.Marshal(map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark",
		"customApiKeyResponses": map[string]any{"approved": []string{apiKey}},
		"projects":              map[string]any{m.project: map[string]any{"hasTrustDialogAccepted": true}},
	})
	require.NoError(t, err)
	m.write(".claude.json", string(known))
	m.write("work/notes.md", "# Notes\n\nThe harbour is closed in winter.\n")
	m.server = httptest.NewServer(m.api)
	t.Cleanup(m.server.Close)
	return m
}

const apiKey = "stand-in-for-an-api-"

func (m *machine) write(name, text string) {
	m.t.Helper()
	file := filepath.Join(m.home, name)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(m.t, os.WriteFile(file, []byte(text), 0o600))
}

func (m *machine) state() string { return filepath.Join(m.home, ".local", "state", "skillgate") }
func (m *machine) cache() string { return filepath.Join(m.home, ".cache", "skillgate", "index") }

func (m *machine) environ() []string {
	return []string{
		"HOME=" + m.home, "PATH=" + filepath.Dir(m.claude.path) + ":/usr/bin:/bin", "TMPDIR=" + os.TempDir(),
		"TERM=xterm-256color", "LANG=C.UTF-8", "SKILLGATE_DEADLINE_MS=4000", // the machine may be busy
		"ANTHROPIC_BASE_URL=" + m.server.URL, "ANTHROPIC_API_KEY=" + apiKey,
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
}

func (m *machine) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	m.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = m.project, m.environ(), time.Second
	return cmd
}

func (m *machine) skillgate(args ...string) ([]byte, int) {
	out, err := m.command(m.binary, args...).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("skillgate %v: %v", args, err)
	}
	if exit != nil {
		return out, exit.ExitCode()
	}
	return out, 0
}

func (m *machine) must(args ...string) {
	m.t.Helper()
	out, err := m.command(m.binary, args...).CombinedOutput()
	require.NoError(m.t, err, "skillgate %v: %v\n%s", args, err, out)
}

func (m *machine) decisions(t *testing.T) []store.Entry {
	t.Helper()
	out, code := m.skillgate("log", "--json", "--last", "1000")
	var entries []store.Entry
	for line := range strings.Lines(string(out)) {
		var entry store.Entry
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		require.Equal(t, 0, code)
		entries = append(entries, entry)
	}
	return entries
}

func (m *machine) lastDecision(t *testing.T) store.Entry {
	t.Helper()
	entries := m.decisions(t)
	require.NotEmpty(t, entries, "skillgate log --json: empty")
	return entries[len(entries)-1]
}

func (m *machine) ask(t *testing.T, prompt string, args ...string) answer {
	t.Helper()
	m.api.forget()
	cmd := m.command(m.claude.path, append([]string{"-p", prompt}, args...)...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "claude -p %q: %v\n%s", prompt, err, out)
	a := m.api.last()
	require.NotEmpty(t, a.text, "claude -p %q sent no message with tools to the API", prompt)
	return a
}
