package main

import (
	"database/sql"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
)

// These tests start the real Claude Code against a stand-in API on loopback and
// look at what it sends. Without a client they are skipped:
//
//	npm install @anthropic-ai/claude-code, or CLAUDE_BIN=/path/to/claude:/path/to/another go test ./cmd/skillgate -run EndToEnd
//
// CI installs one client for each folder of testdata/clients, which holds the records of that
// version; -update records them again.

func TestEndToEnd(t *testing.T) { eachClient(t, everyday) }

func everyday(t *testing.T, m *machine) {
	m.must("install", "--hook", "--yes")
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
		{"shell line", "git status --short"},
	}
	for _, tt := range silent {
		t.Run(tt.name, func(t *testing.T) {
			got := m.ask(t, tt.prompt)
			assert.Empty(t, got.context, tt.prompt)
			got.untouched(t, tt.prompt)
			if d := m.lastDecision(t).Decision; d.Prompt != tt.prompt || d.Verdict != gate.Skip && d.Verdict != gate.Silent {
				t.Errorf("ask(%q) was logged as %q: %s, want skip or silent", tt.prompt, d.Prompt, d.Verdict)
			}
		})
	}

	t.Run("skill that only a person may start is not named", func(t *testing.T) {
		const prompt = "deploy the service to production with the rollout checklist"
		assert.NotContains(t, m.ask(t, prompt).context, "deploy-production")
	})
	t.Run("doctor is content", m.doctor)
	t.Run("journal and database locked", m.locked)
	t.Run("foreign state folder", m.foreignState)
	t.Run("broken index", m.brokenIndex)
	t.Run("deleted binary", m.deletedBinary)
	t.Run("binary of another machine", m.foreignBinary)
	t.Run("project that turns hooks off", m.hooksOff)
	t.Run("uninstalled", m.uninstalled)
}

func (m *machine) doctor(t *testing.T) {
	out, code := m.skillgate("doctor", "--json")
	var r struct {
		Findings []struct{ Status, Text string }
	}
	require.NoError(t, json.Unmarshal(out, &r))
	for _, f := range r.Findings {
		busy := strings.Contains(f.Text, "answered: 5") && strings.HasSuffix(f.Text, "should be at most 100 ms") // a busy machine, not a slow hook
		if f.Status != "ok" && !busy && !strings.Contains(f.Text, "temporary or build folder") {
			t.Errorf("doctor: %+v (exit status %d), want ok", f, code)
		}
	}
}

func (m *machine) locked(t *testing.T) {
	line, err := os.OpenFile(filepath.Join(m.state(), "journal.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	require.NoError(t, err)
	defer line.Close()
	ok, err := system.TryLock(system.FileOf(line), true)
	require.True(t, ok, err)
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(m.state(), "journal.db")+"?_txlock=exclusive")
	require.NoError(t, err)
	defer db.Close()
	tx, err := db.Begin()
	require.NoError(t, err)
	defer tx.Rollback()
	const prompt = "Make this slow SQL query faster and propose an index"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	assert.Contains(t, got.context, "sql-query-tuner", prompt)
}

func (m *machine) foreignState(t *testing.T) {
	marker, mine := filepath.Join(m.state(), disk.Marker), filepath.Join(m.state(), "mine")
	require.NoError(t, os.Rename(marker, mine))
	defer os.Rename(mine, marker)
	m.api.forget()
	c := m.terminal(t)
	for _, prompt := range []string{"Make this slow SQL query faster and propose an index", "Draft an NDA for a new supplier"} {
		c.submit(prompt)
		assert.Contains(t, m.api.await(t, prompt).answer().fresh, "\n- ", prompt)
		c.sees("mv -n")
		c.idle()
	}
	if n := strings.Count(c.text(), "mv -n"); n != 1 {
		t.Errorf("the person is told %d times, want once\n%s", n, c.text())
	}
}

func (m *machine) brokenIndex(t *testing.T) {
	// The start of a session may repair the index in the background before the prompt, so the
	// test holds the lock of the builders until the prompt is answered.
	locks, err := filepath.Glob(filepath.Join(m.cache(), "*", "build.lock"))
	if err != nil || len(locks) == 0 {
		t.Fatalf("build locks below %s: %d, %v", m.cache(), len(locks), err)
	}
	for _, file := range locks {
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		require.NoError(t, err)
		defer f.Close()
		ok, err := system.TryLock(system.FileOf(f), true)
		require.True(t, ok, err)
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
	require.NoError(t, err)
	require.NotEqual(t, 0, broken)
	const prompt = "Audit the dependencies for incompatible open source licenses"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	assert.Empty(t, got.context, prompt)
	if d := m.lastDecision(t).Decision; d.Verdict != gate.Error || d.Reason == "" && len(d.Notes) == 0 {
		t.Errorf("ask(%q) with a broken index was logged as %s (%s, %q), want an error and why", prompt, d.Verdict, d.Reason, d.Notes)
	}
}

func (m *machine) deletedBinary(t *testing.T) {
	require.NoError(t, os.Rename(m.binary, m.binary+".gone"))
	defer os.Rename(m.binary+".gone", m.binary)
	const prompt = "Write a runbook for the engineers on call"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	assert.Empty(t, got.context, prompt)
}

func (m *machine) foreignBinary(t *testing.T) {
	whole := readFile(t, m.binary)
	const processor = 18 // e_machine of an ELF header
	foreign := slices.Clone(whole)
	binary.LittleEndian.PutUint16(foreign[processor:], uint16(elf.EM_S390))
	m.replace(t, m.binary, foreign)
	defer m.replace(t, m.binary, whole)
	const prompt = "Write a newsletter about the new office"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	assert.Empty(t, got.context, prompt)
	m.replace(t, m.binary+".good/skillgate", whole)
	out, err := m.command(m.binary+".good/skillgate", "doctor").Output()
	require.Error(t, err)
	assert.Contains(t, string(out), "exec format error")
}

func (m *machine) replace(t *testing.T, file string, program []byte) {
	t.Helper()
	require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file+".new", program, 0o755), os.Rename(file+".new", file)))
}

func (m *machine) hooksOff(t *testing.T) {
	m.write("work/.claude/settings.local.json", `{"disableAllHooks": true}`)
	defer os.Remove(filepath.Join(m.project, ".claude", "settings.local.json"))
	const prompt = "Write a newsletter about the old office"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	out, code := m.skillgate("doctor")
	if got.context != "" || code != 3 || !strings.Contains(string(out), "disableAllHooks") {
		t.Errorf("with hooks turned off the model was given %q, and doctor = %d, %s", got.context, code, out)
	}
}

func (m *machine) uninstalled(t *testing.T) {
	m.must("index", "--full")
	m.must("uninstall", "--yes")
	const prompt = "Write a runbook for the engineers on call now"
	got := m.ask(t, prompt)
	got.untouched(t, prompt)
	assert.Empty(t, got.context, prompt)
	_, err := os.Stat(filepath.Join(m.home, ".claude", "settings.json"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}
