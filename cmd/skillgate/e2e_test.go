package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

// These tests start the real Claude Code against a stand-in API on loopback and
// look at what it sends. They are skipped where there is no client:
//
//	npm install @anthropic-ai/claude-code, or CLAUDE_BIN=/path/to/claude go test ./cmd/skillgate -run EndToEnd

// contextMark is what Claude Code puts before the text a hook adds to a prompt.
const contextMark = "UserPromptSubmit hook additional context: "

func TestEndToEnd(t *testing.T) {
	m := newMachine(t)
	m.must("install", "--yes")
	m.must("index")

	named := []struct{ name, prompt, skill string }{
		{"Korean prompt", "이 PDF 문서에 있는 표를 추출해서 엑셀 파일로 만들어 줘", "pdf-table-ko"},
		{"English prompt", "Review this pull request for security problems such as injection and leaked secrets", "pr-security-review"},
		{"Korean prompt for a skill described in English", "쿠버네티스 매니페스트 점검해줘", "k8s-manifest-check"},
		{"greeting that carries work", "안녕하세요! 경쟁사 가격과 최근 동향을 조사해서 비교표로 정리해 주세요", "competitor-research-ko"},
	}
	for _, tt := range named {
		t.Run(tt.name, func(t *testing.T) {
			got := m.ask(t, tt.prompt)
			if !strings.Contains(got.context, "\n- "+tt.skill+": ") {
				t.Errorf("ask(%q) was given the context %q, want %s in it", tt.prompt, got.context, tt.skill)
			}
			got.untouched(t, tt.prompt)
		})
	}

	silent := []struct{ name, prompt string }{
		{"Korean greeting", "안녕하세요!"},
		{"Korean acknowledgement", "ㅇㅋ 고마워"},
		{"English thanks", "thanks, looks good"},
		{"small edit", "rename the variable cnt to count in main.go"},
		{"shell line", "git status"},
	}
	for _, tt := range silent {
		t.Run(tt.name, func(t *testing.T) {
			got := m.ask(t, tt.prompt)
			if got.context != "" {
				t.Errorf("ask(%q) was given the context %q, want none", tt.prompt, got.context)
			}
			got.untouched(t, tt.prompt)
			if d := m.lastDecision(t).Decision; d.Prompt != tt.prompt || d.Verdict != gate.Skip && d.Verdict != gate.Silent {
				t.Errorf("ask(%q) was logged as %q: %s, want skip or silent", tt.prompt, d.Prompt, d.Verdict)
			}
		})
	}

	t.Run("skill that only a person may start is not named", func(t *testing.T) {
		const prompt = "deploy the service to production with the rollout checklist"
		if got := m.ask(t, prompt); strings.Contains(got.context, "deploy-production") {
			t.Errorf("ask(%q) was given the context %q, which names deploy-production", prompt, got.context)
		}
	})
	t.Run("named skill is loaded and logged as followed", m.followed)
	t.Run("doctor is content", m.doctor)
	t.Run("journal and database locked", m.locked)
	t.Run("broken index", m.brokenIndex)
	t.Run("deleted binary", m.deletedBinary)
	t.Run("uninstalled", m.uninstalled)
}

// followed lets the stand-in call the Skill tool with the first skill that the
// context names, and looks for it in the log.
func (m *machine) followed(t *testing.T) {
	const prompt = "Write release notes for our users from the merged pull requests"
	m.api.followContext(true)
	defer m.api.followContext(false)
	got := m.ask(t, prompt)
	if !strings.Contains(got.text, "Launching skill: release-notes") {
		t.Fatalf("ask(%q): the client did not load release-notes; context %q", prompt, got.context)
	}
	// observe runs in the background.
	var entry store.Entry
	for range 50 {
		entry = m.lastDecision(t)
		if entry.Followed == outcome.Followed {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if entry.Decision.Prompt != prompt || len(entry.Outcomes) != 1 || entry.Outcomes[0].Skill != "release-notes" || entry.Followed != outcome.Followed {
		t.Errorf("skillgate log --json: prompt %q, outcomes %+v, followed %q; want release-notes followed", entry.Decision.Prompt, entry.Outcomes, entry.Followed)
	}
}

func (m *machine) doctor(t *testing.T) {
	out, code := m.skillgate("doctor", "--json")
	var r struct {
		Findings []struct{ Status, Text string }
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("doctor --json printed %q: %v", out, err)
	}
	for _, f := range r.Findings {
		if f.Status != "ok" && !strings.Contains(f.Text, "temporary or build folder") {
			t.Errorf("doctor: %+v (exit status %d), want ok", f, code)
		}
	}
}

func (m *machine) locked(t *testing.T) {
	line, err := os.OpenFile(filepath.Join(m.state(), "journal.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	if err := syscall.Flock(int(line.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(m.state(), "journal.db")+"?_txlock=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	const prompt = "Make this slow SQL query faster and propose an index"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	if !strings.Contains(got.context, "sql-query-tuner") {
		t.Errorf("ask(%q) with a locked journal was given the context %q, want sql-query-tuner in it", prompt, got.context)
	}
}

func (m *machine) brokenIndex(t *testing.T) {
	// The session's start would mend the index in the background, now and then before
	// the prompt: the test is the one builder until the prompt is answered.
	locks, err := filepath.Glob(filepath.Join(m.cache(), "*", "build.lock"))
	if err != nil || len(locks) == 0 {
		t.Fatalf("build locks below %s: %d, %v", m.cache(), len(locks), err)
	}
	for _, file := range locks {
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			t.Fatal(err)
		}
	}
	broken := 0
	err = filepath.WalkDir(m.cache(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i := range text {
			if i%7 == 0 {
				text[i] ^= 0x55
			}
		}
		broken++
		return os.WriteFile(path, text[:len(text)*2/3], 0o600)
	})
	if err != nil || broken == 0 {
		t.Fatalf("damaged %d files of the index: %v", broken, err)
	}
	const prompt = "Audit the dependencies for incompatible open source licenses"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	if got.context != "" {
		t.Errorf("ask(%q) with a broken index was given the context %q, want none", prompt, got.context)
	}
	if d := m.lastDecision(t).Decision; d.Verdict != gate.Error || d.Reason == "" && len(d.Notes) == 0 {
		t.Errorf("ask(%q) with a broken index was logged as %s (%s, %q), want an error and why", prompt, d.Verdict, d.Reason, d.Notes)
	}
}

func (m *machine) deletedBinary(t *testing.T) {
	if err := os.Rename(m.binary, m.binary+".gone"); err != nil {
		t.Fatal(err)
	}
	defer os.Rename(m.binary+".gone", m.binary)
	const prompt = "Write a runbook for the engineers on call"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	if got.context != "" {
		t.Errorf("ask(%q) without the binary was given the context %q, want none", prompt, got.context)
	}
}

func (m *machine) uninstalled(t *testing.T) {
	m.must("index", "--full")
	m.must("uninstall", "--yes")
	const prompt = "Write a runbook for the engineers on call now"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	if got.context != "" {
		t.Errorf("ask(%q) after uninstall was given the context %q, want none", prompt, got.context)
	}
	if _, err := os.Stat(filepath.Join(m.home, ".claude", "settings.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("settings.json after uninstall: %v, want none, as before install", err)
	}
}

// machine is a user's machine with a client, a library and skillgate.
type machine struct {
	t                     *testing.T
	home, project, binary string
	claude                string
	api                   *standIn
	server                *httptest.Server
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	claude := findClient(t)
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, home: home, project: filepath.Join(home, "work"), binary: filepath.Join(home, "bin", "skillgate"), claude: claude, api: &standIn{}}
	if err := os.MkdirAll(m.project, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS(filepath.Join("..", "..", "testdata", "skills-e2e"))); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-tags", "netgo osusergo sqlite_omit_load_extension", "-o", m.binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	m.server = httptest.NewServer(m.api)
	t.Cleanup(m.server.Close)
	return m
}

// findClient returns the path of Claude Code, or skips the test.
func findClient(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("end-to-end tests take a minute")
	}
	if path := os.Getenv("CLAUDE_BIN"); path != "" {
		return path
	}
	if path, err := exec.LookPath("claude"); err == nil {
		return path
	}
	if path, err := filepath.Abs(filepath.Join("..", "..", "node_modules", ".bin", "claude")); err == nil {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skip("no Claude Code: set CLAUDE_BIN, put claude on PATH or run `npm install @anthropic-ai/claude-code`")
	return ""
}

func (m *machine) state() string { return filepath.Join(m.home, ".local", "state", "skillgate") }
func (m *machine) cache() string { return filepath.Join(m.home, ".cache", "skillgate", "index") }

// environ is a clean environment: nothing of the tester's reaches client or hook.
func (m *machine) environ() []string {
	return []string{
		"HOME=" + m.home, "PATH=" + filepath.Dir(m.claude) + ":/usr/bin:/bin", "TMPDIR=" + os.TempDir(),
		"ANTHROPIC_BASE_URL=" + m.server.URL, "ANTHROPIC_API_KEY=stand-in",
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
}

func (m *machine) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	m.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = m.project, m.environ(), time.Second
	return cmd
}

// skillgate runs a command of skillgate and returns its output and exit status.
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
	if out, err := m.command(m.binary, args...).CombinedOutput(); err != nil {
		m.t.Fatalf("skillgate %v: %v\n%s", args, err, out)
	}
}

func (m *machine) lastDecision(t *testing.T) store.Entry {
	t.Helper()
	out, code := m.skillgate("log", "--json", "--last", "1")
	var entry store.Entry
	if err := json.Unmarshal(out, &entry); err != nil || code != 0 {
		t.Fatalf("skillgate log --json --last 1 = %d, %q: %v", code, out, err)
	}
	return entry
}

// answer is what the client sent to the API for one prompt.
type answer struct {
	context string   // what the hook added
	user    []string // texts of the user's messages
	text    string   // everything
}

// untouched checks that the prompt arrived as typed.
func (a answer) untouched(t *testing.T, prompt string) {
	t.Helper()
	for _, text := range a.user {
		if text == prompt {
			return
		}
	}
	t.Errorf("the client sent the user texts %q, want %q among them", a.user, prompt)
}

// ask gives the client one prompt in a new session.
func (m *machine) ask(t *testing.T, prompt string) answer {
	t.Helper()
	m.api.forget()
	cmd := m.command(m.claude, "-p", prompt)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("claude -p %q: %v\n%s", prompt, err, out)
	}
	a := m.api.last()
	if a.text == "" {
		t.Fatalf("claude -p %q sent no message with tools to the API", prompt)
	}
	return a
}

// standIn is the Messages API as far as Claude Code needs it: it answers "ok", or
// loads the first skill that the hook's context names.
type standIn struct {
	mu       sync.Mutex
	follow   bool
	requests []apiRequest
}

// apiRequest is the part of a request that the tests read.
type apiRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string     `json:"role"`
		Content apiContent `json:"content"`
	} `json:"messages"`
	System apiContent              `json:"system"`
	Tools  []struct{ Name string } `json:"tools"`
}

// apiContent is a string or a list of blocks; it keeps their texts.
type apiContent []string

func (c *apiContent) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		*c = apiContent{s}
		return nil
	}
	var blocks []struct {
		Text    string     `json:"text"`
		Content apiContent `json:"content"`
	}
	if err := json.Unmarshal(text, &blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		*c = append(append(*c, b.Text), b.Content...)
	}
	return nil
}

func (s *standIn) followContext(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow = on
}

func (s *standIn) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// last returns what the newest request with tools holds; others are the client's
// own, for titles and the like.
func (s *standIn) last() answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var a answer
	for _, r := range s.requests {
		if len(r.Tools) > 0 {
			a = r.answer()
		}
	}
	return a
}

func (r apiRequest) answer() answer {
	var a answer
	for _, m := range r.Messages {
		for _, text := range m.Content {
			a.text += text + "\n"
			if m.Role == "user" {
				a.user = append(a.user, text)
			}
			if _, after, ok := strings.Cut(text, contextMark); ok {
				a.context, _, _ = strings.Cut(after, "\n</system-reminder>")
			}
		}
	}
	return a
}

// firstNamed returns the first skill that a context names.
func firstNamed(context string) string {
	_, after, _ := strings.Cut(context, "\n- ")
	name, _, _ := strings.Cut(after, ": ")
	return name
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/v1/messages") {
		http.NotFound(w, r)
		return
	}
	var req apiRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	follow := s.follow
	s.mu.Unlock()

	a := req.answer()
	block, delta, stop := `{"type":"text","text":""}`, `{"type":"text_delta","text":"ok"}`, "end_turn"
	if name := firstNamed(a.context); follow && name != "" && !strings.Contains(a.text, "Launching skill") {
		input, _ := json.Marshal(fmt.Sprintf(`{"skill":%q}`, name)) // a string always encodes
		block, delta, stop = `{"type":"tool_use","id":"toolu_01","name":"Skill","input":{}}`, `{"type":"input_json_delta","partial_json":`+string(input)+`}`, "tool_use"
	}
	var out bytes.Buffer
	event := func(name, data string) { fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", name, data) }
	event("message_start", fmt.Sprintf(`{"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":%q,"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`, req.Model))
	event("content_block_start", `{"type":"content_block_start","index":0,"content_block":`+block+`}`)
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":`+delta+`}`)
	event("content_block_stop", `{"type":"content_block_stop","index":0}`)
	event("message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":1}}`, stop))
	event("message_stop", `{"type":"message_stop"}`)
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write(out.Bytes()) // a client that went away fails its own test
}
