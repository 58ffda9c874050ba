package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

// journalEnv is an environment with a home of its own; now is fixed.
type journalEnv struct {
	*env
	out, err bytes.Buffer
	state    string
}

func newJournalEnv(t *testing.T) *journalEnv {
	t.Helper()
	home := t.TempDir()
	vars := map[string]string{"HOME": home}
	j := &journalEnv{state: filepath.Join(home, ".local", "state", "skillgate")}
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	j.env = &env{
		stdin: strings.NewReader(""), stdout: &j.out, stderr: &j.err,
		getenv: func(k string) string { return vars[k] }, now: func() time.Time { return now }, cwd: home,
	}
	return j
}

// run executes one command and returns its standard output.
func (j *journalEnv) run(cmd *cobra.Command, args ...string) (string, error) {
	j.out.Reset()
	j.err.Reset()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(&j.out)
	cmd.SetErr(&j.err)
	err := cmd.Execute()
	return j.out.String(), err
}

// decide logs a decision made some time ago.
func (j *journalEnv) decide(t *testing.T, ago time.Duration, d gate.Decision, level, promptID string) journal.Record {
	t.Helper()
	r, err := journal.New(journal.KindDecision, j.now().Add(-ago))
	if err != nil {
		t.Fatal(err)
	}
	r.Session, r.PromptID, r.Cwd = "s1", promptID, j.cwd
	r.SetDecision(d, level, []string{"term"})
	if err := journal.Append(j.state, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func injected(prompt string, names ...string) gate.Decision {
	d := gate.Decision{Prompt: prompt, Lang: "ko", Verdict: gate.Inject, Need: 0.93, Ms: gate.Timing{Total: 6.3}, Candidates: []gate.Candidate{}}
	for i, n := range names {
		d.Candidates = append(d.Candidates, gate.Candidate{Rank: i + 1, Name: n, Pool: "skill", Score: 14.2 - float64(i), Injected: true})
	}
	return d
}

func silent(prompt string) gate.Decision {
	return gate.Decision{Prompt: prompt, Lang: "en", Verdict: gate.Silent, Reason: gate.BelowNeedMin, Need: 0.1, Ms: gate.Timing{Total: 4}, Candidates: []gate.Candidate{{Rank: 1, Name: "pdf", Score: 2.5}}}
}

func decode(t *testing.T, line string) journal.Record {
	t.Helper()
	var r journal.Record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("line %q: %v", line, err)
	}
	return r
}
