package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system"
)

const securityPrompt = "security review of this pull request"

func TestHookWithADamagedIndex(t *testing.T) {
	const steps = 8
	m := newSandbox(t)
	m.index()
	attempt := filepath.Join(m.home, ".cache", "skillgate", "attempt")
	for _, name := range []string{"gen-1/manifest.json", "gen-1/base.docs", "gen-1/base.lists", "CURRENT"} {
		file := filepath.Join(m.indexDir(), name)
		whole := readFile(t, file)
		for step := range steps {
			at := len(whole) * step / steps
			turned := bytes.Clone(whole)
			turned[at] ^= 1 << (step % 8)
			for what, content := range map[string][]byte{"cut": whole[:at], "turned": turned} {
				os.Remove(m.journal())
				os.Remove(attempt)
				replaceFile(t, file, content)
				m.hook(payload(securityPrompt))
				line := string(readFile(t, m.journal()))
				assert.Contains(t, line, `"prompt":"`+securityPrompt+`"`, "%s %s at %d", name, what, at)
				if strings.Contains(line, `"verdict":"error"`) {
					assert.FileExists(t, attempt, "%s %s at %d", name, what, at)
				}
			}
		}
		replaceFile(t, file, whole)
	}
}

func TestHookDrainsFiftyMegabytes(t *testing.T) {
	m := newSandbox(t)
	m.index()
	head := `{"hook_event_name":"UserPromptSubmit","prompt":"` + securityPrompt + ` `
	const size = 50 << 20
	r, w := io.Pipe()
	written := make(chan error, 1)
	go func() {
		chunk := bytes.Repeat([]byte("wordy "), 10_000)
		_, err := io.WriteString(w, head)
		for n := 0; n < size && err == nil; n += len(chunk) {
			_, err = w.Write(chunk)
		}
		if err == nil {
			_, err = io.WriteString(w, `"}`)
		}
		written <- err
		w.Close()
	}()
	got, took := m.timed(r)
	assert.NoError(t, <-written)
	assert.Contains(t, got.stdout, "pr-security-review")
	if took > 5*time.Second {
		t.Errorf("hook of 50 MB took %v, want less than the host's limit", took)
	}
}

func TestHookWithStrangePrompts(t *testing.T) {
	m := newSandbox(t)
	m.index()
	tests := []struct {
		name, payload string
		answers       bool
	}{
		{"a megabyte", payload(securityPrompt + strings.Repeat(" and more words", 70_000)), true},
		{"a megabyte without a space", payload(strings.Repeat("x", 1<<20)), false},
		{"a megabyte of Hangul", payload(securityPrompt + " " + strings.Repeat("가", 1<<18)), true},
		{"a megabyte of open brackets", `{"prompt":"` + securityPrompt + `","x":` + strings.Repeat("[", 1<<20), true},
		{"raw NUL bytes", "{\"prompt\":\"security\x00 review of this\x00 pull request\"}", true},
		{"NUL bytes all over", "\x00\x00{\"prompt\":\"x\"}\x00", false},
		{"invalid UTF-8", "{\"prompt\":\"security review \xff\xfe of this pull \xc3 request\"}", true},
		{"UTF-16", "\xff\xfe{\x00\"\x00p\x00", false},
		{"emoji only", payload("🎉🎉🎉👩‍👩‍👧‍👦"), false},
		{"Japanese", payload("このプルリクエストを確認してください"), true},
		{"Chinese", payload("请检查这个合并请求的安全性"), true},
		{"a file name with markup as folder", `{"prompt":"` + securityPrompt + `","cwd":"/nonexistent/</system-reminder>\u0000x"}`, true},
		{"a session id that is a path", `{"prompt":"` + securityPrompt + `","session_id":"../../../../etc/passwd"}`, true},
		{"line ends and tabs", payload("\r\n\t" + securityPrompt + "\u2028\u0085\r\n"), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := *m
			m.t = t
			before := len(m.logged())
			r := m.hook(tt.payload)
			assert.Equal(t, r.stdout != "", tt.answers)
			got := len(m.logged())
			assert.Equal(t, before+1, got)
		})
	}
}

func TestIndexWithHugeSkills(t *testing.T) {
	m := newSandbox(t)
	for name, size := range map[string]int{"meteorites": 20 << 20, "comets": 900_000} {
		file := filepath.Join(m.home, ".claude", "skills", name, "SKILL.md")
		line := "iron and nickel from the sky\n"
		text := "---\nname: " + name + "\ndescription: Catalogues " + name + ".\n---\n" + strings.Repeat(line, size/len(line))
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	assert.Contains(t, m.index(), "12 skills")
	r := m.hook(payload("catalogue my comets and meteorites"))
	require.Contains(t, r.stdout, "- comets: ")
	assert.NotContains(t, r.stdout, "- meteorites")
}

func TestHooksWhileTheIndexIsRebuilt(t *testing.T) {
	m := newSandbox(t)
	m.index()
	ctx, cancel := context.WithCancel(t.Context())
	var builds, hooks sync.WaitGroup
	for range 2 {
		builds.Go(func() {
			for ctx.Err() == nil {
				r := m.run("index", "--full")
				assert.Equal(t, 0, r.code, r.stderr)
			}
		})
	}
	const parallel, each = 16, 3
	for n := range parallel {
		hooks.Go(func() {
			for i := range each {
				r := m.hook(payload(fmt.Sprintf("%s number %d of %d", securityPrompt, i, n)))
				assert.Contains(t, r.stdout, "pr-security-review")
			}
		})
	}
	hooks.Wait()
	cancel()
	builds.Wait()
	records := m.logged()
	assert.Len(t, records, parallel*each)
	for _, r := range records {
		if r.Decision.Verdict != "inject" {
			t.Errorf("hook during builds decided %s %s, notes %q", r.Decision.Verdict, r.Decision.Reason, r.Decision.Notes)
		}
	}
	for _, e := range m.leftovers() {
		t.Errorf("builders left %s", e)
	}
}

func (m *sandbox) leftovers() []string {
	m.t.Helper()
	found, err := filepath.Glob(filepath.Join(m.indexDir(), "tmp-*"))
	require.NoError(m.t, err)
	return found
}

func TestKilledBuilder(t *testing.T) {
	m := newSandbox(t)
	m.index()
	for i := range 400 {
		file := filepath.Join(m.home, ".claude", "skills", fmt.Sprintf("many-%d", i), "SKILL.md")
		text := fmt.Sprintf("---\nname: many-%d\ndescription: Carves totem number %d.\n---\n%s", i, i, strings.Repeat(fmt.Sprintf("wood knife%d bark ", i), 200))
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	cmd := m.command(nil, "index")
	require.NoError(t, cmd.Start())
	deadline := time.Now().Add(20 * time.Second)
	for len(m.leftovers()) == 0 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil || len(m.leftovers()) == 0 {
		t.Skip("the build was done before it could be killed")
	}
	assert.Contains(t, m.hook(payload(securityPrompt)).stdout, "pr-security-review")
	assert.Contains(t, m.index(), "410 skills")
	assert.Empty(t, m.leftovers())
	assert.Contains(t, m.hook(payload("carve a totem")).stdout, "many-")
}

func (m *sandbox) limited(kilobytes int, stdin string, args ...string) ended {
	m.t.Helper()
	shell, err := exec.LookPath("bash")
	if err != nil {
		m.t.Skip("no bash to set a limit with")
	}
	cmd := m.command(strings.NewReader(stdin), args...)
	script := fmt.Sprintf(`ulimit -f %d && exec -a skillgate "$0" "$@"`, kilobytes)
	cmd.Args = append([]string{shell, "-c", script, cmd.Path}, args...)
	cmd.Path = shell
	return m.finish(cmd)
}

func TestNoSpace(t *testing.T) {
	m := newSandbox(t)
	m.index()
	r := m.checked(m.limited(0, payload(securityPrompt), "hook"))
	assert.Contains(t, r.stdout, "pr-security-review")
	assert.Empty(t, m.logged())
	if r := m.limited(4, "", "index", "--full"); r.code != 3 || !strings.Contains(r.stderr, "hint: ") {
		t.Errorf("index without space: status %d, %q, want 3 and a hint", r.code, r.stderr)
	}
	assert.Empty(t, m.leftovers())
	assert.Contains(t, m.hook(payload(securityPrompt)).stdout, "pr-security-review")
	assert.Len(t, m.logged(), 1)
}

func TestHookWithALockedJournal(t *testing.T) {
	m := newSandbox(t)
	m.index()
	m.hook(payload("first " + securityPrompt))
	f, err := os.OpenFile(m.journal(), os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	ok, err := system.TryLock(system.FileOf(f), true)
	require.True(t, ok, err)
	assert.Contains(t, m.hook(payload(securityPrompt)).stdout, "pr-security-review")
	f.Close()
	assert.Equal(t, 1, len(m.logged()))
}

func TestHookWithAClosedOutput(t *testing.T) {
	m := newSandbox(t)
	m.index()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	r.Close()
	defer w.Close()
	cmd := m.command(strings.NewReader(payload(securityPrompt)), "hook")
	cmd.Stdout = w
	assert.NoError(t, cmd.Run())
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		t.Errorf("hook with a closed output died of %v", status.Signal())
	}
	assert.Len(t, m.logged(), 1)
}

func TestHomeThatMoved(t *testing.T) {
	m := newSandbox(t)
	m.write(filepath.Join(m.home, ".agents", "skills", "kelp-survey", "SKILL.md"),
		"---\nname: kelp-survey\ndescription: Surveys kelp forests.\n---\nCount the kelp.\n")
	const prompt = "survey the kelp forests"
	m.index()
	require.Contains(t, m.hook(payload(prompt)).stdout, m.home)
	before := m.home
	m.home = filepath.Join(t.TempDir(), "로밍 프로필")
	require.NoError(t, os.Rename(before, m.home))
	for i, v := range m.env {
		if strings.HasPrefix(v, "HOME=") {
			m.env[i] = "HOME=" + m.home
		}
	}
	assert.NotContains(t, m.hook(payload(prompt)).stdout, before)
	m.index()
	if got := m.hook(payload(prompt)); !strings.Contains(got.stdout, m.home) || strings.Contains(got.stdout, before) {
		t.Errorf("after the move and a build the hook says %q, want a path in %s", got.stdout, m.home)
	}
	assert.NotContains(t, m.run("doctor").stdout, before)
}
