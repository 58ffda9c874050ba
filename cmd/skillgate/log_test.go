package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
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

func (j *journalEnv) log(args ...string) (string, error) { return j.run(newLogCommand(j.env), args...) }

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

func (j *journalEnv) observe(payload string) string {
	j.out.Reset()
	j.err.Reset()
	runObserve(strings.NewReader(payload), j.env)
	return j.out.String() + j.err.String()
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

func TestLogShowsDecisions(t *testing.T) {
	j := newJournalEnv(t)
	j.decide(t, 3*time.Hour, silent("rename this\tvariable \x1b[31mplease"), journal.Full, "p0")
	j.decide(t, 2*time.Hour, injected("이 풀 리퀘스트 리뷰해줘", "pr-review", "security", "style"), journal.Full, "p1")
	j.decide(t, time.Hour, gate.Decision{Prompt: "hello", Lang: "en", Verdict: gate.Skip, Reason: gate.Greeting}, journal.Hash, "p2")
	if out := j.observe(`{"hook_event_name":"PostToolUse","session_id":"s1","prompt_id":"p1","tool_name":"Skill","tool_input":{"skill":"security"},"tool_response":{"success":true}}`); out != "" {
		t.Errorf("observe printed %q", out)
	}
	j.observe(`{"hook_event_name":"PostToolUse","session_id":"s1","prompt_id":"p0","tool_name":"Skill","tool_input":{"skill":"refactor"},"tool_response":{"success":true}}`)
	got, err := j.log()
	if err != nil {
		t.Fatal(err)
	}
	want := `time            verdict                lang  prompt                           skills                  need  score   ms  followed
03-04 12:00:00  silent/below_need_min  en    rename this variable [31mplease  (pdf)                   0.10    2.5  4.0  missed refactor
03-04 13:00:00  inject                 ko    이 풀 리퀘스트 리뷰해줘          pr-review, security +1  0.93   14.2  6.3  yes
03-04 14:00:00  skip/greeting          en    [hash] 2cf24dba5fb0                                                   0.0
`
	if squeeze(got) != squeeze(want) {
		t.Errorf("log =\n%s\nwant\n%s", got, want)
	}
	if strings.ContainsRune(got, '\x1b') {
		t.Errorf("log prints an escape sequence where there is no terminal: %q", got)
	}
}

// squeeze takes the padding out: what counts is the order of the cells.
func squeeze(s string) string {
	return strings.TrimSpace(regexp.MustCompile(`(?m) +$`).ReplaceAllString(regexp.MustCompile(` {2,}`).ReplaceAllString(s, "  "), ""))
}

func TestLogFiltersAndJSON(t *testing.T) {
	j := newJournalEnv(t)
	j.decide(t, 49*time.Hour, silent("old"), journal.Full, "p0")
	j.decide(t, time.Hour, injected("new", "pdf"), journal.Full, "p1")
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"all, oldest first", nil, []string{"old", "new"}},
		{"the newest one", []string{"--last", "1"}, []string{"new"}},
		{"all with --last 0", []string{"--last", "0"}, []string{"old", "new"}},
		{"hours", []string{"--since", "2h"}, []string{"new"}},
		{"days", []string{"--since", "3d"}, []string{"old", "new"}},
		{"until a date", []string{"--until", "2026-03-03"}, []string{"old"}},
		{"verdict", []string{"--verdict", "inject"}, []string{"new"}},
		{"reason", []string{"--reason", "below_need_min"}, []string{"old"}},
		{"skill", []string{"--skill", "pdf"}, []string{"new"}},
		{"language", []string{"--lang", "en"}, []string{"old"}},
		{"session", []string{"--session", "s1"}, []string{"old", "new"}},
		{"project, relative to the folder", []string{"--project", "."}, []string{"old", "new"}},
		{"no such session", []string{"--session", "zz"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := j.log(append([]string{"--json"}, tt.args...)...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.Lines(out) {
				var e store.Entry
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatalf("line %q: %v", line, err)
				}
				got = append(got, e.Decision.Prompt)
			}
			if strings.Join(got, " ") != strings.Join(tt.want, " ") {
				t.Errorf("log --json %q = %q, want %q", tt.args, got, tt.want)
			}
		})
	}
	if out, _ := j.log("--json", "--last", "1"); !strings.Contains(out, `"followed":"unknown"`) || !strings.Contains(out, `"outcomes":[]`) {
		t.Errorf("log --json = %s, want followed and outcomes", out)
	}
}

func TestLogOfOneDecision(t *testing.T) {
	j := newJournalEnv(t)
	r := j.decide(t, time.Hour, injected("리뷰해줘", "pr-review"), journal.Full, "p1")
	out, err := j.log(r.ID)
	if err != nil || !strings.Contains(out, r.ID) || !strings.Contains(out, "리뷰해줘") || !strings.Contains(out, "pr-review") {
		t.Errorf("log %s = %q, %v", r.ID, out, err)
	}
	var exit *exitError
	if _, err := j.log("0000"); !errors.As(err, &exit) || exit.code != 3 || exit.hint == "" {
		t.Errorf("log of an unknown id = %v, want status 3 and a hint", err)
	}
}

func TestLogWhenEmpty(t *testing.T) {
	j := newJournalEnv(t)
	for _, args := range [][]string{nil, {"--json"}, {"--json", "--last", "0"}} {
		if out, err := j.log(args...); out != "" || err != nil || !strings.Contains(j.err.String(), "journal is empty") || !strings.Contains(j.err.String(), "skillgate install") {
			t.Errorf("log %q of an empty journal = %q, %v, stderr %q", args, out, err, j.err.String())
		}
	}
	j.decide(t, time.Hour, silent("x"), journal.Full, "")
	if _, err := j.log("--verdict", "force"); err != nil || !strings.Contains(j.err.String(), "no decision matches; the journal holds 1") {
		t.Errorf("log without a match = %v, stderr %q", err, j.err.String())
	}
}

func TestLogWrongUsage(t *testing.T) {
	j := newJournalEnv(t)
	for _, args := range [][]string{{"--since", "yesterday"}, {"--since", "-2h"}, {"--verdict", "maybe"}, {"--lang", "fr"}, {"--followed", "so"}, {"--last", "-1"}, {"prune"}, {"prune", "--older", "x"}, {"redact", "--prompts", "terms"}} {
		var exit *exitError
		if _, err := j.log(args...); !errors.As(err, &exit) || exit.code != 3 {
			t.Errorf("log %q = %v, want status 3", args, err)
		}
	}
}

func TestLogErrorsNameTheNextStep(t *testing.T) {
	j := newJournalEnv(t)
	j.decide(t, time.Hour, silent("kept"), journal.Full, "")
	path := filepath.Join(j.state, store.File)
	if err := os.WriteFile(path, bytes.Repeat([]byte("garbage "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	var exit *exitError
	if _, err := j.log(); !errors.As(err, &exit) || exit.code != 3 || !strings.Contains(exit.hint, "move journal.db") {
		t.Errorf("log of a damaged database = %v, hint %+v", err, exit)
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if out, err := j.log("--json"); err != nil || !strings.Contains(out, "kept") {
		t.Errorf("after the hint's step log = %q, %v, want the line", out, err)
	}
}

func TestLogPruneExportRedact(t *testing.T) {
	j := newJournalEnv(t)
	j.decide(t, 100*24*time.Hour, silent("ancient"), journal.Full, "")
	j.decide(t, time.Hour, silent("recent"), journal.Full, "")

	var exit *exitError
	if _, err := j.log("prune", "--older", "90d"); !errors.As(err, &exit) || exit.hint != "add --yes" {
		t.Errorf("log prune without a terminal = %v, want to be told --yes", err)
	}
	if out, _ := j.log("export"); strings.Count(out, "\n") != 2 {
		t.Errorf("log export = %q, want both lines", out)
	}
	if out, err := j.log("prune", "--older", "90d", "--yes"); err != nil || !strings.HasPrefix(out, "removed 1 decisions") {
		t.Errorf("log prune = %q, %v", out, err)
	}
	if out, err := j.log("prune", "--older", "90d"); err != nil || !strings.HasPrefix(out, "nothing to remove") {
		t.Errorf("log prune again = %q, %v", out, err)
	}
	if _, err := j.log("export", "--output", "copy.jsonl"); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(j.cwd, "copy.jsonl")
	text, _ := os.ReadFile(copied)
	if fi, err := os.Stat(copied); err != nil || fi.Mode().Perm() != 0o600 || !strings.Contains(string(text), "recent") || strings.Contains(string(text), "ancient") {
		t.Errorf("log export --output wrote %q, %v", text, err)
	}
	if _, err := j.log("export", "--output", "copy.jsonl"); err == nil {
		t.Errorf("log export over an existing file = nil, want an error")
	}
	if _, err := j.log("redact", "--prompts", "none"); err == nil {
		t.Errorf("log redact --prompts none without --yes = nil, want an error")
	}
	if out, err := j.log("redact", "--prompts", "none", "--yes"); err != nil || out != "1 records changed\n" {
		t.Errorf("log redact = %q, %v", out, err)
	}
	if out, _ := j.log("export"); strings.Contains(out, "recent") {
		t.Errorf("after log redact --prompts none the export holds the prompt: %s", out)
	}
}

func TestLogFollowPrintsRows(t *testing.T) {
	j := newJournalEnv(t)
	table := newLogTable(j.env)
	d := injected("리뷰해줘", "pr-review")
	for range 2 {
		if err := table.printRow(&j.out, store.Entry{Record: journal.Record{Time: j.now(), Decision: &d}, Followed: store.Unknown}); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(j.out.String(), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "time") || !strings.HasSuffix(lines[1], "?") || lines[1] != lines[2] {
		t.Errorf("rows = %q, want the heads once and two rows", lines)
	}
}

func TestStatsCommand(t *testing.T) {
	j := newJournalEnv(t)
	if _, err := j.run(newStatsCommand(j.env)); err != nil || !strings.Contains(j.err.String(), "journal is empty") {
		t.Errorf("stats of an empty journal = %v, stderr %q", err, j.err.String())
	}
	for _, name := range []string{"pdf", "xlsx"} {
		dir := filepath.Join(j.cwd, ".claude", "skills", name)
		text := "---\nname: " + name + "\ndescription: Works with " + name + " files.\n---\n"
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	j.decide(t, 2*time.Hour, injected("a", "pdf"), journal.Full, "p1")
	j.decide(t, time.Hour, silent("b"), journal.Full, "p2")
	j.observe(`{"hook_event_name":"PostToolUse","session_id":"s1","prompt_id":"p1","tool_name":"Skill","tool_input":{"skill":"pdf"},"tool_response":{"success":true}}`)
	out, err := j.run(newStatsCommand(j.env))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2 decisions in 1 sessions, 2026-03-04 to 2026-03-04\n", "injected   1 (50.0%)\n", "followed   1 of 1 with a known outcome (100.0%), 0 unknown\n",
		"missed     0\n", "latency    p50 4.0 ms, p95 6.3 ms, p99 6.3 ms\n", "1 installed skills were neither named nor used: xlsx\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("stats =\n%s\nwant in it %q", out, want)
		}
	}
	out, err = j.run(newStatsCommand(j.env), "--json", "--since", "90m")
	var s store.Stats
	if err := errors.Join(err, json.Unmarshal([]byte(out), &s)); err != nil || s.Decisions != 1 || s.FollowRate != nil || !strings.Contains(out, `"follow_rate": null`) {
		t.Errorf("stats --json --since 90m = %s, %v, want one decision and an unknown rate", out, err)
	}
}

func TestParseWhen(t *testing.T) {
	seoul := time.FixedZone("KST", 9*3600)
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, seoul)
	tests := []struct {
		text string
		want time.Time
	}{
		{"", time.Time{}},
		{"90m", now.Add(-90 * time.Minute)},
		{"7d", now.AddDate(0, 0, -7)},
		{"2w", now.AddDate(0, 0, -14)},
		{"2026-03-01", time.Date(2026, 3, 1, 0, 0, 0, 0, seoul)},
		{"2026-03-01T08:30", time.Date(2026, 3, 1, 8, 30, 0, 0, seoul)},
		{"2026-03-01T08:30:00Z", time.Date(2026, 3, 1, 8, 30, 0, 0, time.UTC)},
	}
	for _, tt := range tests {
		if got, err := parseWhen("since", tt.text, now); err != nil || !got.Equal(tt.want) {
			t.Errorf("parseWhen(%q) = %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{"soon", "d", "-1d", "-1h", "1.5d", "99999999d", "2026-13-01"} {
		if got, err := parseWhen("since", text, now); err == nil {
			t.Errorf("parseWhen(%q) = %v, want an error", text, got)
		}
	}
}

func decode(t *testing.T, line string) journal.Record {
	t.Helper()
	var r journal.Record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("line %q: %v", line, err)
	}
	return r
}
