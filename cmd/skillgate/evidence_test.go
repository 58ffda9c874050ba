package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal/store"
)

var evidence = [][]string{
	{"stats"}, {"log"}, {"report"}, {"stats", "oncall-runbook"}, {"experiment"}, {"advise"},
}

func TestEvidenceAtEveryPrivacyLevel(t *testing.T) {
	// This word of the prompts is in no skill. At level terms it is kept.
	const word = "wolperting" // its stem
	const sentence = "the " + word + "er is awake"
	for level, want := range map[string]struct {
		word, sentence bool
		advises        bool
		costs          string
	}{
		"full":  {true, true, true, ""},
		"terms": {true, false, false, "as terms"},
		"hash":  {false, false, false, "and 8 "},
		"none":  {false, false, false, "and 8 "},
	} {
		t.Run(level, func(t *testing.T) {
			p := newPast(t)
			p.vars["SKILLGATE_LOG_PROMPTS"] = level
			p.must("experiment", "start", "--seed", "1")
			for i := range 8 {
				session := fmt.Sprint("s", i%4)
				p.load(session, p.ask(session, sentence+" "+strings.Repeat("x", i+1)), "oncall-runbook") // no prompt finds this skill
			}
			for _, command := range evidence {
				out := p.must(command...)
				name := strings.Join(command, " ")
				if name == "experiment" || name == "stats" || name == "stats oncall-runbook" {
					assert.NotContains(t, out, word, name)
					if name == "experiment" {
						continue
					}
				}
				if name == "log" || name == "report" {
					assert.Equal(t, want.word, strings.Contains(out, word), name)
					assert.Equal(t, want.sentence, strings.Contains(out, sentence), name)
				} else if !want.word && strings.Contains(out, word) {
					t.Errorf("%s tells the word at level %s: %s", name, level, out)
				}
				assert.NotContains(t, out, "effect  \n", "%s at level %s has an empty line: %s", name, level, out)
				if !strings.Contains(out, want.costs) || want.costs == "" && strings.Contains(out, "because of log.prompts") {
					t.Errorf("%s at level %s = %s, want %q in it", name, level, out, want.costs)
				}
			}
			if out, want := p.must("replay"), map[string]string{"full": "", "terms": "8 (only their terms",
				"hash": "8 (not kept", "none": "8 (not kept"}[level]; !strings.Contains(out, want) {
				t.Errorf("replay at level %s = %s, want %q in it", level, out, want)
			}
			var r struct{ Proposals []advise.Proposal }
			require.NoError(t, json.Unmarshal([]byte(p.must("advise", "--json")), &r))
			found := false
			for _, x := range r.Proposals {
				found = found || x.Kind == advise.Trigger || x.Kind == advise.Words
				if !want.word && strings.Contains(x.Text+x.Evidence, word) {
					t.Errorf("a proposal tells the word: %+v", x)
				}
			}
			assert.Equal(t, want.advises, found)
			var s store.Stats
			if err := json.Unmarshal([]byte(p.must("stats", "--json")), &s); err != nil || s.Decisions != 8 || s.Missed != 8 {
				t.Errorf("stats counts %d decisions and %d misses, %v: want 8 and 8 at every level", s.Decisions, s.Missed, err)
			}
		})
	}
}

func TestUnreadableLinesAreTold(t *testing.T) {
	p := newPast(t)
	id := p.ask("s", "review this pull request for security problems")
	p.load("s", id, "pr-security-review")
	journal := filepath.Join(p.home, ".local", "state", "skillgate", "journal.jsonl")
	p.must("log") // folds all earlier lines into the database
	require.NoError(t, os.WriteFile(journal, []byte("{\"v\":1,\"id\":\"torn\nnoise\n"), 0o600))
	const want = "unreadable lines in the log: 2; they are not counted"
	for _, command := range append(slices.Clone(evidence), []string{"replay"}, []string{"stats", "--json"}) {
		out, _ := p.run(command...)
		n := strings.Count(p.stderr.String(), want)
		assert.Equal(t, 1, n, "%v tells the unreadable lines %d times: %s", command, n, p.stderr.String())
		if command[0] == "report" && !strings.Contains(out, want) {
			t.Error("the report does not tell the unreadable lines")
		}
	}
	assert.Contains(t, p.must("stats", "--json"), `"unreadable": 2`)
}

func TestDeadlinesAreCounted(t *testing.T) {
	p := newPast(t)
	p.ask("s", "review this pull request for security problems")
	p.now = p.now.Add(-time.Hour) // its deadline has passed when it starts
	p.ask("s", "extract the table of this PDF")
	var s store.Stats
	err := json.Unmarshal([]byte(p.must("stats", "--json")), &s)
	require.NoError(t, err)
	assert.Contains(t, s.ByReason, store.Count{Name: "deadline", Count: 1})
	out := p.must("log", "--json", "--reason", "deadline")
	require.Equal(t, 1, strings.Count(out, "\n"))
	assert.Contains(t, out, "extract the table")
	r, _ := p.replay()
	assert.Equal(t, map[string]int{"deadline": 1}, r.Skipped)
}

func TestExperimentGoesOnAfterAnUpgrade(t *testing.T) {
	ask := func(p *past, session string) {
		for i := range 6 {
			id := p.ask(session+fmt.Sprint(i), fmt.Sprintf("review this pull request for security problems number %d", i))
			p.load(session+fmt.Sprint(i), id, "pr-security-review")
		}
	}
	type status struct {
		Plan         struct{ ID string }
		Hinted, Held int
		Versions     []string
	}
	read := func(p *past) (s status) {
		require.NoError(t, json.Unmarshal([]byte(p.must("experiment", "--json")), &s))
		return s
	}
	before := newPast(t)
	before.must("experiment", "start", "--share", "50", "--seed", "1")
	ask(before, "a")
	was, log := read(before), before.must("log", "export")
	state := func(p *past, file string) string { return filepath.Join(p.home, ".local", "state", "skillgate", file) }
	plan := readFile(t, state(before, experiment.File))

	// Plans of older versions have no limit of prompts.
	older := regexp.MustCompile(`,?\s*"prompts": ?\d+`).ReplaceAllString(string(plan), "")
	require.NotEqual(t, string(plan), older)
	after := newPast(t)
	err := errors.Join(os.MkdirAll(state(after, ""), 0o700),
		os.WriteFile(state(after, experiment.File), []byte(older), 0o600),
		os.WriteFile(state(after, "journal.jsonl"), []byte(strings.ReplaceAll(log, `"skillgate":"`, `"skillgate":"v0.1-`)), 0o600))
	require.NoError(t, err)
	ask(after, "b")
	is := read(after)
	if is.Plan.ID != was.Plan.ID || was.Hinted+was.Held != 6 || is.Hinted+is.Held != 12 || is.Hinted < was.Hinted ||
		is.Held <= was.Held || len(is.Versions) != 2 {
		t.Errorf("before the upgrade %+v, after it %+v: want 6 prompts, then 12 of both versions", was, is)
	}
}
