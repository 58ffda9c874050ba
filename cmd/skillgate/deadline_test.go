package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

const hookLimit = time.Minute

func (m *sandbox) timed(stdin io.Reader) (ended, time.Duration) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), hookLimit)
	defer cancel()
	cmd := m.command(stdin, "hook")
	context.AfterFunc(ctx, func() {
		if cmd.Process != nil {
			_ = cmd.Process.Kill()
		}
	})
	r := m.checked(m.finish(cmd))
	return r, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func (m *sandbox) inRepository(files map[string]string, cwd string) string {
	m.t.Helper()
	repository := filepath.Join(m.home, "cloned")
	for name, text := range files {
		m.write(filepath.Join(repository, name), text)
	}
	cwd = filepath.Join(repository, cwd)
	require.NoError(m.t, errors.Join(os.MkdirAll(filepath.Join(repository, ".git"), 0o700), os.MkdirAll(cwd, 0o700)))
	return fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s1","cwd":%q,"prompt":%q}`, cwd, securityPrompt)
}

func (m *sandbox) write(file, text string) {
	m.t.Helper()
	require.NoError(m.t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestRepositoryDoesNotDelayAPrompt(t *testing.T) {
	deny := `{"permissions":{"deny":[` + numbered(150_000, `"Skill(some-skill-%d)",`) + `"Skill(x)"]}}`
	nested := map[string]string{}
	for _, dir := range []string{"", "a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/e"} {
		nested[dir+"/.claude/settings.json"], nested[dir+"/.claude/settings.local.json"] = deny, deny
	}
	tests := []struct {
		name  string
		files map[string]string
		cwd   string
	}{
		{"rules of lint", map[string]string{".claude/skillgate.yaml": "lint: {rules: {" + numbered(60_000, "R%d: off, ") + "}}\n"}, ""},
		{"anchors", map[string]string{".claude/skillgate.yaml": "lint:\n" + numbered(40_000, "  a%[1]d: &a%[1]d x\n")}, ""},
		{"one key again and again", map[string]string{".claude/skillgate.yaml": numbered(116_000, "top_k: 5 #%d\n")}, ""},
		{"deny rules", map[string]string{".claude/settings.json": deny, ".claude/settings.local.json": deny}, ""},
		{"deny rules in nested folders", nested, "a/b/c/d/e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newSandbox(t)
			m.index()
			payload := m.inRepository(tt.files, tt.cwd)
			r, took := m.timed(strings.NewReader(payload))
			t.Logf("took %v", took)
			assert.Contains(t, r.stdout, "pr-security-review")
			if took > time.Second*5 {
				t.Errorf("hook took %v, want less than the host's limit", took)
			}
		})
	}
}

func TestInputOfOtherHosts(t *testing.T) {
	m := newSandbox(t)
	m.index()
	object := payload(securityPrompt)
	const pause, ended = "pause", "the hook has ended"
	tests := []struct {
		name     string
		deadline string
		pieces   []string
		answers  bool
		reason   gate.Reason
	}{
		{"the pipe stays open", "4000", []string{object}, true, ""},
		{"input comes late", "800", []string{pause, pause, pause, object}, true, ""},
		{"in pieces", "4000", []string{object[:40], pause, object[40:]}, true, ""},
		{"white space after the hook has ended", "4000", []string{object, ended, pause, " \r\n"}, true, ""},
		{"another object later", "4000", []string{object, pause, object}, true, ""},
		{"the object does not end in time", "20", []string{object[:40], pause, object[40:]}, false, gate.LateInput},
		{"no object, and the pipe stays open", "4000", []string{"hello", pause, "hello"}, false, gate.Empty},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := *m
			m.t = t
			m.env = append(slices.Clone(m.env), "SKILLGATE_DEADLINE_MS="+tt.deadline)
			before := len(m.logged())
			r, w, err := os.Pipe()
			require.NoError(t, err)
			defer w.Close()
			cmd := m.command(r, "hook")
			var stdout bytes.Buffer
			cmd.Stdout = &stdout
			require.NoError(t, errors.Join(cmd.Start(), r.Close()))
			for _, piece := range tt.pieces {
				switch piece {
				case pause:
					time.Sleep(300 * time.Millisecond)
				case ended:
					err = cmd.Wait()
				default:
					_, err := io.WriteString(w, piece)
					assert.NoError(t, err, piece)
				}
			}
			if cmd.ProcessState == nil {
				err = cmd.Wait() // while the pipe is open
			}
			if answers := stdout.Len() > 0; err != nil || answers != tt.answers {
				t.Errorf("hook: %v, answered %q, want an answer: %v", err, stdout.String(), tt.answers)
			}
			records := m.logged()
			require.Equal(t, before+1, len(records))
			assert.Equal(t, tt.reason, records[before].Decision.Reason)
		})
	}
}

func TestOtherHooksWithAPipeThatStaysOpen(t *testing.T) {
	m := newSandbox(t)
	for _, args := range [][]string{{"observe"}, {"observe", "begin"}, {"lint", "hook"}} {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		cmd := m.command(r, args...)
		require.NoError(t, errors.Join(cmd.Start(), r.Close()))
		_, writeErr := io.WriteString(w, `{"hook_event_name":"Other","session_id":"s"}`)
		waitErr := cmd.Wait() // a command that waits for the pipe is ended by the test's timeout
		_, later := io.WriteString(w, " \n")
		assert.NoError(t, errors.Join(writeErr, waitErr, later, w.Close()), args)
	}
}

func TestBeginIsNotedAsOneThatTheHostWaitsFor(t *testing.T) {
	m := newSandbox(t)
	const compacted = `{"hook_event_name":"SessionStart","session_id":"s1","source":"compact"}`
	m.checked(m.finish(m.command(strings.NewReader(compacted), "observe", "begin")))
	s, err := journal.LoadSession(filepath.Dir(m.journal()), "s1")
	require.NoError(t, err)
	assert.False(t, s.Waited.IsZero())
}

func TestWatchdogLogsWhatIsKnown(t *testing.T) {
	m := newSandbox(t)
	m.env = append(m.env, "SKILLGATE_DEADLINE_MS=1", "SKILLGATE_LOG_PROMPTS=full")
	m.index()
	m.write(filepath.Join(m.home, ".claude", "plugins", "installed_plugins.json"),
		`{"plugins":{`+numbered(300_000, `"%d@":{},`)+`"p@m":{}}}`)
	got, took := m.timed(strings.NewReader(m.inRepository(nil, "")))
	t.Logf("took %v", took)
	records := m.logged()
	if len(records) != 1 || records[0].Decision.Reason != gate.Deadline || got.stdout != "" {
		t.Fatalf("hook answered %q and logged %+v, want no answer and reason %q", got.stdout, records, gate.Deadline)
	}
	if r := records[0]; r.Decision.Prompt != securityPrompt || r.Session != "s1" || r.Prompts != journal.Full {
		t.Errorf("hook logged %+v, want the prompt and its session", r)
	}
}
