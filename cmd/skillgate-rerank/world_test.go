//go:build onnx

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
)

// These tests run the real programs with the real libonnxruntime. ONNXRUNTIME_LIB is its path or that
// of npm's onnxruntime-node folder. Without it the tests are skipped.
const libraryVariable = "ONNXRUNTIME_LIB"

var binaries string // folder of the programs under test

func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	if os.Getenv(libraryVariable) == "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("/tmp", "sgb")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{
		{"build", "-o", filepath.Join(dir, "skillgate"), "../skillgate"},
		{"build", "-tags", "onnx", "-o", filepath.Join(dir, "skillgate-rerank"), "."},
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go %v: %v\n%s", args, err, out)
			return 1
		}
	}
	binaries = dir
	return m.Run()
}

type world struct {
	t   testing.TB
	dir string
	env map[string]string
	n   int // prompts so far
}

func newWorld(t testing.TB) *world {
	t.Helper()
	if os.Getenv(libraryVariable) == "" || binaries == "" {
		t.Skipf("%s is not set: no libonnxruntime to test with", libraryVariable)
	}
	dir, err := os.MkdirTemp("/tmp", "sgw") // the path of a socket must be short
	require.NoError(t, err)
	w := &world{t: t, dir: dir, env: map[string]string{
		"HOME": dir, "PATH": os.Getenv("PATH"), libraryVariable: os.Getenv(libraryVariable),
		"SKILLGATE_RERANK_ENABLED": "true", "SKILLGATE_RERANK_DEADLINE_MS": "1000", "SKILLGATE_NEED_MIN": "0", "SKILLGATE_SCORE_MIN": "0",
	}}
	t.Cleanup(func() {
		w.noStrays()
		os.RemoveAll(dir)
	})
	for name, text := range map[string]string{
		"contract-review": "Reviews legal contracts clause by clause for policy risk.",
		"release-notes":   "Writes release notes and a changelog from merged branches.",
		"api-docs":        "Writes the manual of a REST api from its openapi endpoint list.",
		"invoice-mailer":  "Sends an invoice by email and tracks the payment.",
		"db-migration":    "Plans a database schema migration and its way back.",
		"slide-deck":      "Builds a presentation with slides from an outline.",
		"log-triage":      "Reads error logs and traces and groups them by cause.",
		"meeting-notes":   "Turns a meeting recording into a summary and a schedule.",
	} {
		w.write(filepath.Join(".claude/skills", name, "SKILL.md"), fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n# Steps\n\n%s\n", name, text, text))
	}
	w.ok("index")
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	file := filepath.Join(w.dir, name)
	require.NoError(w.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(w.t, os.WriteFile(file, []byte(text), 0o600))
}

type finding struct{ Check, Status, Text string }

func (w *world) checkup() (out []finding) {
	w.t.Helper()
	text, _, _ := w.run("", "doctor", "--json")
	var all struct{ Findings []finding }
	require.NoError(w.t, json.Unmarshal([]byte(text), &all))
	for _, f := range all.Findings {
		if f.Check == "rerank" {
			out = append(out, f)
		}
	}
	return out
}

func (w *world) run(stdin string, args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "skillgate"), args...)
	cmd.Dir = w.dir
	for k, v := range w.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (w *world) ok(args ...string) string {
	w.t.Helper()
	out, errs, code := w.run("", args...)
	require.Equal(w.t, 0, code, "skillgate %v: exit %d\n%s%s", args, code, out, errs)
	return out
}

// hook gives a prompt to the hook and returns the decision that it logged.
func (w *world) hook(prompt string) gate.Decision {
	w.t.Helper()
	w.n++
	in, _ := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": prompt, "session_id": fmt.Sprint("s", w.n), "cwd": w.dir})
	_, errs, code := w.run(string(in), "hook")
	require.Equal(w.t, 0, code)
	require.Empty(w.t, errs)
	b, err := os.ReadFile(filepath.Join(w.dir, ".local/state/skillgate/journal.jsonl"))
	require.NoError(w.t, err)
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	var record struct{ Decision gate.Decision }
	require.NoError(w.t, json.Unmarshal(lines[len(lines)-1], &record))
	return record.Decision
}

const prompt = "please review the api contract and its endpoint manual"

func (w *world) install() {
	w.t.Helper()
	dir, err := filepath.Abs("../../testdata/rerank/tiny")
	require.NoError(w.t, err)
	w.ok("rerank", "install", dir)
}

func (w *world) client() *rerank.Client {
	cache, state := filepath.Join(w.dir, ".cache/skillgate"), filepath.Join(w.dir, ".local/state/skillgate")
	c := rerank.Config{
		Place:  rerank.Locate(func(string) string { return "" }, cache, os.Getuid()),
		Models: filepath.Join(state, "rerank/models"), Model: w.env["SKILLGATE_RERANK_MODEL"], Library: w.env["SKILLGATE_RERANK_LIBRARY"],
	}
	client := c.Client()
	client.Silence = 5 * time.Second // on a busy machine a helper may be slow
	return client
}

func (w *world) helpers() []int {
	var out []int
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil // no /proc on this system
	}
	for _, e := range entries {
		b, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if pid, err := strconv.Atoi(e.Name()); err == nil && bytes.Contains(b, []byte("skillgate-rerank\x00")) && bytes.Contains(b, []byte(w.dir)) {
			out = append(out, pid)
		}
	}
	return out
}

// noStrays stops the helper and fails the test if another one is left.
func (w *world) noStrays() {
	_ = w.client().Stop(5 * time.Second) // if one runs
	for range 100 {
		if len(w.helpers()) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.t.Errorf("stray helpers: %v", w.helpers())
	for _, pid := range w.helpers() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

func reranked(d gate.Decision) (names []string, by bool) {
	for _, c := range d.Candidates {
		names = append(names, c.Name)
		by = by || c.Rerank != 0
	}
	return names, by
}

func noteOf(d gate.Decision) string {
	for _, n := range d.Notes {
		if strings.HasPrefix(n, gate.RerankNote) {
			return n
		}
	}
	return ""
}

// rerankedHook gives the prompt to the hook until the candidates are reranked. On a busy machine the
// helper may be too slow at first.
func (w *world) rerankedHook() gate.Decision {
	w.t.Helper()
	var d gate.Decision
	for range 20 {
		d = w.hook(prompt)
		if _, by := reranked(d); by {
			return d
		}
	}
	w.t.Fatalf("not reranked: %q", noteOf(d))
	return d
}

// ready waits for the helper that a hook started.
func (w *world) ready() rerank.Status {
	w.t.Helper()
	for range 600 {
		if st, err := w.client().Status(time.Second); err == nil && st.Ready {
			return st
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatalf("no helper became ready: %+v", w.checkup())
	return rerank.Status{}
}

// freeze stops a process and returns when all its threads are stopped.
func (w *world) freeze(pid int) {
	w.t.Helper()
	require.NoError(w.t, syscall.Kill(pid, syscall.SIGSTOP))
	for range 500 {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid)) // the pattern is well formed
		running := slices.ContainsFunc(tasks, func(file string) bool {
			b, err := os.ReadFile(file)
			return err == nil && !bytes.Contains(b, []byte("\nState:\tT"))
		})
		if !running {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	w.t.Fatalf("process %d does not stop", pid)
}
