package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

func readFile(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}

// someSkills copies a few skills of testdata/skills-e2e to folder, so that an index takes little time.
func someSkills(folder string) error {
	var errs []error
	for _, name := range []string{"ab-test-report", "blog-post-ko", "csv-cleaner", "invoice-extractor", "meeting-minutes",
		"pdf-table-ko", "pr-security-review", "release-notes", "sql-query-tuner", "unit-test-writer"} {
		errs = append(errs, os.CopyFS(filepath.Join(folder, name), os.DirFS(filepath.Join("..", "..", "testdata", "skills-e2e", name))))
	}
	return errors.Join(errs...)
}

type sandbox struct {
	t    *testing.T
	home string
	env  []string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	home := t.TempDir()
	m := &sandbox{t: t, home: home, env: []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GORACE=" + raceOptions,
		"SKILLGATE_NEED_MIN=0", "SKILLGATE_SCORE_MIN=0", "SKILLGATE_DEADLINE_MS=4000",
	}}
	require.NoError(t, someSkills(filepath.Join(home, ".claude", "skills")))
	return m
}

func (m *sandbox) command(stdin io.Reader, args ...string) *exec.Cmd {
	m.t.Helper()
	self, err := os.Executable()
	require.NoError(m.t, err)
	return &exec.Cmd{Path: self, Args: append([]string{"skillgate"}, args...), Env: m.env, Dir: m.home, Stdin: stdin}
}

type ended struct {
	code           int
	stdout, stderr string
}

func (m *sandbox) finish(cmd *exec.Cmd) ended {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func (m *sandbox) run(args ...string) ended {
	m.t.Helper()
	return m.finish(m.command(nil, args...))
}

func (m *sandbox) index(args ...string) string {
	m.t.Helper()
	r := m.run(append([]string{"index"}, args...)...)
	require.Equal(m.t, 0, r.code, r.stderr)
	return r.stdout
}

func (m *sandbox) hook(payload string) ended {
	m.t.Helper()
	return m.checked(m.finish(m.command(strings.NewReader(payload), "hook")))
}

func (m *sandbox) checked(r ended) ended {
	m.t.Helper()
	require.Equal(m.t, 0, r.code)
	assert.Empty(m.t, r.stderr)
	assert.NoError(m.t, isAnswer([]byte(r.stdout)))
	return r
}

func payload(prompt string) string {
	text, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": prompt})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (m *sandbox) journal() string {
	return filepath.Join(m.home, ".local", "state", "skillgate", journal.File)
}

func (m *sandbox) logged() []journal.Record {
	m.t.Helper()
	r := m.run("log", "--json", "--last", "0")
	require.Equal(m.t, 0, r.code, r.stderr)
	var out []journal.Record
	for line := range strings.Lines(r.stdout) {
		var r journal.Record
		require.NoError(m.t, json.Unmarshal([]byte(line), &r))
		out = append(out, r)
	}
	return out
}

func (m *sandbox) indexDir() string {
	m.t.Helper()
	dirs, err := filepath.Glob(filepath.Join(m.home, ".cache", "skillgate", "index", "[^.]*"))
	require.NoError(m.t, err)
	require.Len(m.t, dirs, 1)
	return dirs[0]
}

func TestForeignFolderIsToldOnce(t *testing.T) {
	for _, folder := range []string{"state", "sessions", "cache", "index"} {
		m := newSandbox(t)
		m.index()
		m.hook(strings.Replace(payload(securityPrompt), "{", `{"session_id":"earlier",`, 1))
		place := filepath.Join(m.home, map[string]string{
			"state": ".local/state/skillgate", "sessions": ".local/state/skillgate/sessions",
			"cache": ".cache/skillgate", "index": ".cache/skillgate/index",
		}[folder])
		err := errors.Join(os.Remove(filepath.Join(place, ".skillgate")), os.WriteFile(filepath.Join(place, "it's mine"), nil, 0o600))
		require.NoError(t, err)
		told := func(transcript string) string {
			file := filepath.Join(m.home, "transcript.jsonl")
			if transcript != "" {
				require.NoError(t, os.WriteFile(file, []byte(transcript), 0o600))
			}
			got := m.hook(strings.Replace(payload(securityPrompt+transcript), "{", `{"session_id":"s","transcript_path":"`+file+`",`, 1)).stdout
			if transcript == "" && !strings.Contains(got, "pr-security-review") {
				t.Errorf("%s: the prompt is answered %q, want a hint", folder, got)
			}
			var answer struct {
				Message string `json:"systemMessage"`
			}
			if got != "" && json.Unmarshal([]byte(got), &answer) != nil {
				t.Errorf("%s: the answer is %q", folder, got)
			}
			return answer.Message
		}
		first := told("")
		require.NotEmpty(t, first, folder)
		assert.Empty(t, told(`{"type":"user"}`+"\n"+`{"type":"assistant"}`+"\n"), folder)
		_, command, _ := strings.Cut(first, "`")
		command, _, _ = strings.Cut(command, "`")
		mend := exec.Command("sh", "-c", command)
		mend.Env = m.env
		out, err := mend.CombinedOutput()
		assert.NoError(t, err, "%s: %q: %v, %s", folder, command, err, out)
		if r := m.run("log"); r.code != 0 || strings.Contains(r.stderr, "mine") {
			t.Errorf("%s: after %q log says %q", folder, command, r.stderr)
		}
	}
}

func TestSpentSessionIsToldOnce(t *testing.T) {
	m := newSandbox(t)
	m.env = append(m.env, "SKILLGATE_SESSION_CHARS=1", "SKILLGATE_NEED_MIN=.6")
	m.index()
	var told []string
	for _, prompt := range []string{securityPrompt, "is the query fine now", "what about the notes of last week"} {
		got := m.hook(strings.Replace(payload(prompt), "{", `{"session_id":"s",`, 1)).stdout
		var answer struct {
			Message string          `json:"systemMessage"`
			Model   json.RawMessage `json:"hookSpecificOutput"`
		}
		if got != "" && json.Unmarshal([]byte(got), &answer) != nil || answer.Message != "" && answer.Model == nil {
			t.Errorf("%q is answered %q, want JSON with a hint", prompt, got)
		}
		told = append(told, answer.Message)
	}
	records := m.logged()
	for i, r := range records {
		if reason := r.Decision.Reason; i > 0 != (reason == gate.Budget) {
			t.Errorf("%q is %s %q, need %.2f, after %d characters", r.Decision.Prompt, r.Decision.Verdict, reason, r.Decision.Need, r.Decision.Spent)
		}
	}
	if len(records) != 3 || told[0] == "" || told[1] != "" || told[2] != "" {
		t.Errorf("of %d prompts the person is told %q, want it with the last hint alone", len(records), told)
	}
	m.env = append(m.env, "CLAUDE_PLUGIN_OPTION_LISTING=true") // the plugin shortens the model's list
	got := m.hook(strings.Replace(payload("can you do anything with this csv"), "{", `{"session_id":"s",`, 1)).stdout
	assert.Contains(t, got, "csv-cleaner")
}
