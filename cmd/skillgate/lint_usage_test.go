package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/lint"
)

func (m *sandbox) given(skill string) (n int, stderr string) {
	m.t.Helper()
	r := m.run("lint", "--json", "--fail-on", "off")
	var res lint.Result
	require.NoError(m.t, json.Unmarshal([]byte(r.stdout), &res), r.stderr)
	require.LessOrEqual(m.t, r.code, 1, r.stderr)
	for _, s := range res.Skills {
		if s.Name == skill {
			n = s.Score.Given.Asked
		}
	}
	return n, r.stderr
}

func TestLintAsksTheJournal(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	m := newSandbox(t)
	m.index()
	const skill = "pr-security-review"
	if n, stderr := m.given(skill); n > 0 || stderr != "" {
		t.Errorf("lint without a journal asked %d prompts and said %q, want nothing", n, stderr)
	}

	// Requests for one thing, each in a session of its own; after the fourth the model loads the first skill.
	for i := range 5 {
		id := fmt.Sprint("p", i)
		p, err := json.Marshal(map[string]string{
			"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprint("s", i), "prompt_id": id,
			"prompt": fmt.Sprintf("review pull request %c for security problems", 'a'+i),
		})
		must(t, err)
		m.hook(string(p))
		if i == 3 {
			loaded := `{"hook_event_name":"PostToolUse","session_id":"s3","prompt_id":"` + id +
				`","tool_name":"Skill","tool_input":{"skill":"pr-security-review"},"tool_response":{"success":true}}`
			r := m.finish(m.command(strings.NewReader(loaded), "observe"))
			require.Equal(t, 0, r.code, r.stderr)
		}
	}

	m.logged() // folds them in
	check := func(state string, want int, wantNote string) {
		t.Helper()
		if n, stderr := m.given(skill); n != want || !strings.Contains(stderr, wantNote) || wantNote == "" && stderr != "" {
			t.Errorf("%s: lint asked %d prompts of the log and said %q, want %d and %q", state, n, stderr, want, wantNote)
		}
	}
	check("folded", 1, "")
	check("from the cache", 1, "")

	// The same as lines that nobody has folded yet.
	state := filepath.Dir(m.journal())
	database := filepath.Join(state, store.File)
	whole := readFile(t, database)
	lines := m.exported()
	forget := func() {
		t.Helper()
		for _, suffix := range []string{"", "-wal", "-shm"} {
			must(t, os.RemoveAll(database+suffix))
		}
	}
	forget()
	must(t, os.WriteFile(m.journal(), lines, 0o600))
	check("lines alone", 1, "")

	forget()
	check("the journal is gone", 0, "")
	for name, text := range map[string][]byte{"cut": whole[:len(whole)/3], "scribbled over": append(slices.Repeat([]byte("x"), 5000), whole[5000:]...)} {
		forget()
		must(t, os.WriteFile(database, text, 0o600))
		check(name, 0, "lint goes on without the log")
	}
}

func (m *sandbox) exported() []byte {
	m.t.Helper()
	db, err := store.Open(m.t.Context(), filepath.Dir(m.journal()))
	require.NoError(m.t, err)
	defer db.Close()
	var b strings.Builder
	_, err = db.Export(m.t.Context(), &b)
	require.NoError(m.t, err)
	return []byte(b.String())
}
