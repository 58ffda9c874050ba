package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/lint"
)

// asked runs lint on the installed skills with the rules that ask the journal and
// returns what it says about each skill, sorted.
func (m *sandbox) asked() (found []string, stderr string) {
	m.t.Helper()
	r := m.run("lint", "--json", "--rule", "SG308", "--rule", "SG403", "--fail-on", "info")
	var res lint.Result
	if err := json.Unmarshal([]byte(r.stdout), &res); err != nil || r.code > 1 {
		m.t.Fatalf("skillgate lint: status %d, %v\n%s", r.code, err, r.stderr)
	}
	for _, f := range res.Findings {
		found = append(found, fmt.Sprintf("%s %s: %s", f.Rule, strings.TrimPrefix(f.Skill, "personal/"), f.Text))
	}
	slices.Sort(found)
	return found, r.stderr
}

// What lint says of the journal is counted over decisions that the hook made and
// uses that observe saw.
func TestLintAsksTheJournal(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	m := newSandbox(t)
	m.index()
	if found, stderr := m.asked(); len(found) > 0 || stderr != "" {
		t.Errorf("lint without a journal found %q and said %q, want nothing", found, stderr)
	}

	// Twenty-two requests for one thing, each in a session of its own; after the fourth the model
	// loads the first skill.
	for i := range 22 {
		id := fmt.Sprint("p", i)
		p, err := json.Marshal(map[string]string{
			"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprint("s", i), "prompt_id": id,
			"prompt": fmt.Sprintf("review pull request %c for security problems and the contract for risks", 'a'+i),
		})
		if err != nil {
			t.Fatal(err)
		}
		m.hook(string(p))
		if i == 3 {
			loaded := `{"hook_event_name":"PostToolUse","session_id":"s3","prompt_id":"` + id +
				`","tool_name":"Skill","tool_input":{"skill":"pr-security-review"},"tool_response":{"success":true}}`
			if r := m.finish(m.command(strings.NewReader(loaded), "observe")); r.code != 0 {
				t.Fatalf("observe: status %d\n%s", r.code, r.stderr)
			}
		}
	}

	// The same counts, from the log's own lines.
	m.logged() // folds them in
	want := expectedOf(t, m)
	if !slices.Contains(want, "SG308 contract-risk-review: second 22 times in 30 days to pr-security-review") ||
		!slices.Contains(want, "SG403 contract-risk-review: named 22 times in 30 days, loaded never") {
		t.Fatalf("the log makes %q of the prompts, want the runner-up among them", want)
	}
	check := func(state string, wantNote string) {
		t.Helper()
		found, stderr := m.asked()
		if wantNote == "" && (!slices.Equal(found, want) || stderr != "") {
			t.Errorf("%s: lint found\n%s\nwant\n%s\nand said %q", state, strings.Join(found, "\n"), strings.Join(want, "\n"), stderr)
		}
		if wantNote != "" && (len(found) > 0 || !strings.Contains(stderr, wantNote)) {
			t.Errorf("%s: lint found %q and said %q, want nothing and a note of %q", state, found, stderr, wantNote)
		}
	}
	check("folded", "")
	check("from the cache", "")
	for _, f := range want {
		if strings.HasPrefix(f, "SG403 pr-security-review:") {
			t.Errorf("%s, although observe saw it loaded", f)
		}
	}

	// The same as lines that nobody has folded yet.
	state := filepath.Dir(m.journal())
	database := filepath.Join(state, store.File)
	whole, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	lines := m.exported()
	forget := func() {
		t.Helper()
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if err := os.RemoveAll(database + suffix); err != nil {
				t.Fatal(err)
			}
		}
	}
	forget()
	if err := os.WriteFile(m.journal(), lines, 0o600); err != nil {
		t.Fatal(err)
	}
	check("lines alone", "")

	forget()
	if found, stderr := m.asked(); len(found) > 0 || stderr != "" {
		t.Errorf("lint after the journal went found %q and said %q, want nothing", found, stderr)
	}
	for name, text := range map[string][]byte{"cut": whole[:len(whole)/3], "scribbled over": append(slices.Repeat([]byte("x"), 5000), whole[5000:]...)} {
		forget()
		if err := os.WriteFile(database, text, 0o600); err != nil {
			t.Fatal(err)
		}
		check(name, "rules that ask the journal find nothing")
	}
}

// exported is the journal as lines.
func (m *sandbox) exported() []byte {
	m.t.Helper()
	db, err := store.Open(m.t.Context(), filepath.Dir(m.journal()))
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	var b strings.Builder
	if _, err := db.Export(m.t.Context(), &b, time.Time{}, time.Time{}); err != nil {
		m.t.Fatal(err)
	}
	return []byte(b.String())
}

// expectedOf counts runners-up and skills named in vain over the log's decisions.
func expectedOf(t *testing.T, m *sandbox) []string {
	t.Helper()
	named, loaded, second := map[string]int{}, map[string]bool{}, map[string]int{}
	for line := range strings.Lines(string(m.exported())) {
		var r journal.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Outcome != nil && r.Outcome.Success {
			loaded[r.Outcome.Skill] = true
		}
		if r.Decision == nil || r.Decision.Verdict != gate.Inject {
			continue
		}
		for _, c := range r.Decision.Candidates {
			if c.Injected {
				named[c.Name]++
			}
			if c.Rank == 2 {
				second[c.Name+"\x00"+r.Decision.Candidates[0].Name]++
			}
		}
	}
	var out []string
	for name, n := range named {
		if n >= 20 && !loaded[name] {
			out = append(out, fmt.Sprintf("SG403 %s: named %d times in 30 days, loaded never", name, n))
		}
	}
	for pair, n := range second {
		if name, first, _ := strings.Cut(pair, "\x00"); n >= 5 {
			out = append(out, fmt.Sprintf("SG308 %s: second %d times in 30 days to %s", name, n, first))
		}
	}
	slices.Sort(out)
	return out
}
