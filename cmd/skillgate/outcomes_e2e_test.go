package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

func TestEndToEndOutcomes(t *testing.T) {
	eachClient(t, func(t *testing.T, m *machine) {
		m.must("install", "--hook", "--yes")
		m.must("index")
		load := func(words, skill string) { m.api.calls(words, "Skill", map[string]string{"skill": skill}) }

		t.Run("one prompt", func(t *testing.T) {
			const used, unused = "Check this lease for unfair clauses", "Write a landing page for our harbour tours"
			m.api.forget()
			load(used, "lease-check-ko")
			m.prompt(t, used)
			m.came(t, used, outcome.Followed)
			m.prompt(t, unused)
			m.came(t, unused, outcome.NotFollowed)
		})
		t.Run("another skill than the named, and the client's own", func(t *testing.T) {
			const prompt, own = "Clean this CSV file of duplicate rows", "Make this slow SQL query faster and propose an index"
			m.api.forget()
			load(prompt, "diagram-maker")
			load(own, "update-config")
			m.prompt(t, prompt)
			if e := m.came(t, prompt, outcome.NotFollowed); len(e.Missed) != 1 || e.Missed[0] != "diagram-maker" {
				t.Errorf("%q missed %q, want diagram-maker", prompt, e.Missed)
			}
			m.prompt(t, own)
			assert.Empty(t, m.came(t, own, outcome.NotFollowed).Missed)
		})
		t.Run("skills of a subfolder", m.subfolder)
		t.Run("typed skill", func(t *testing.T) {
			m.api.forget()
			m.prompt(t, "/release-notes for version 1.2")
			if e := m.lastDecision(t); e.Followed != "" || len(e.Missed) != 0 || len(e.Outcomes) != 1 || e.Outcomes[0].Skill != "release-notes" {
				t.Errorf("of a typed skill the log says %q, outcomes %+v, missed %q; want the typed use alone", e.Followed, e.Outcomes, e.Missed)
			}
		})
		t.Run("resumed session", func(t *testing.T) {
			const id, before, after = "0f6f9d1c-2f0f-4c51-8a0e-3a5b8c1f7d22", "Plan a three day trip to Busan", "Translate these subtitles into Korean"
			m.api.forget()
			load(after, "subtitle-translate-ko")
			m.prompt(t, before, "--session-id", id)
			m.prompt(t, after, "--resume", id)
			m.came(t, before, outcome.NotFollowed)
			m.came(t, after, outcome.Followed)
		})
		t.Run("subagent", func(t *testing.T) {
			const prompt, task = "Delegate the release of the harbour app", "Write release notes for our users from the merged pull requests"
			m.api.forget()
			m.api.calls(prompt, "Agent", map[string]any{"description": "Notes", "prompt": task, "subagent_type": "general-purpose"})
			load(task, "release-notes")
			s := m.stream(t)
			s.send(prompt)
			s.until("result")
			m.came(t, task, outcome.Followed)
			for _, e := range m.decisions(t) {
				if e.Decision.Prompt == prompt && len(e.Missed) > 0 {
					t.Errorf("%q missed %q, want nothing: the subagent's task named it, and its agent comes with the client", prompt, e.Missed)
				}
			}
		})
		t.Run("declined agent", func(t *testing.T) {
			const prompt, task, next = "Delegate the notes of the harbour app", "Write release notes for our users from the closed issues",
				"Draft an NDA for the pilot"
			m.api.forget()
			m.api.calls(prompt, "Agent", map[string]any{"description": "Notes", "prompt": task, "subagent_type": "general-purpose"})
			c := m.terminal(t, "--permission-mode", "default", "--settings", `{"permissions":{"ask":["Agent","Task"]}}`)
			c.submit(prompt)
			c.sees("Esc to cancel")
			c.press(escape)
			c.sees("Interrupted")
			c.submit(next)
			m.api.await(t, next)
			m.came(t, next, outcome.NotFollowed)
			for _, e := range m.decisions(t) {
				assert.NotEqual(t, task, e.Decision.Prompt, e.Decision.Verdict)
			}
		})
		t.Run("queued prompts", func(t *testing.T) {
			const first, queued, chained = "Review the accessibility of our web pages",
				"Audit the dependencies for incompatible open source licenses", "Write a runbook for the engineers on call"
			m.api.forget()
			c := m.terminal(t)
			release, releaseQueued := m.api.holds(first), m.api.holds(queued)
			defer release()
			defer releaseQueued()
			load(chained, "oncall-runbook")
			c.submit(first)
			m.api.await(t, first)
			c.submit(queued)
			c.sees(queued)
			release()
			m.api.await(t, queued)
			c.submit(chained)
			c.sees(chained)
			releaseQueued()
			m.came(t, first, outcome.NotFollowed)
			m.came(t, queued, outcome.NotFollowed)
			m.came(t, chained, outcome.Followed)
		})
		t.Run("interrupted", func(t *testing.T) {
			const prompt, next = "Draft an NDA for a new supplier", "Thanks, that will do"
			m.api.forget()
			c := m.terminal(t)
			release := m.api.holds(prompt)
			defer release()
			c.submit(prompt)
			m.api.await(t, prompt)
			c.press(escape)
			c.idle()
			release()
			c.ponder()
			c.press(clearLine)
			c.submit(next)
			m.api.await(t, next)
			c.sees("\u25cf ok")
			m.came(t, prompt, outcome.Unknown)
		})
	})
}

func (m *machine) subfolder(t *testing.T) {
	const id = "7c1d0a52-61c4-4b3c-9d0e-2f6a4d5b8e10"
	const early, read, late = "Splice the mooring rope", "What do the notes of the boatyard say", "Splice the torn mooring rope as they say"
	const shared, resumed = "Write the release notes of the ropes that left the boatyard", "Splice another mooring rope"
	m.write("work/boatyard/notes.md", "# Ropes\n\nSplice, do not knot.\n")
	for name, does := range map[string]string{"rope-splicing": "Splices ropes of boats", "release-notes": "Release notes of ropes that left the boatyard"} {
		m.write("work/boatyard/.claude/skills/"+name+"/SKILL.md", "---\nname: "+name+"\ndescription: "+does+".\n---\nSplice.\n")
	}
	indexes := func() int {
		files, err := filepath.Glob(filepath.Join(m.cache(), "*", "CURRENT"))
		require.NoError(t, err)
		return len(files)
	}
	before := indexes()
	m.api.forget()
	m.api.calls(read, "Read", map[string]string{"file_path": filepath.Join(m.project, "boatyard", "notes.md")})
	m.api.calls(late, "Skill", map[string]string{"skill": "rope-splicing"})
	m.api.calls(shared, "Skill", map[string]string{"skill": "boatyard:release-notes"})
	s := m.stream(t, "--session-id", id)
	for _, prompt := range []string{early, read, "Thanks"} { // the client may record the read only after the turn
		s.send(prompt)
		s.until("result")
	}
	for end := time.Now().Add(time.Minute); indexes() == before; time.Sleep(50 * time.Millisecond) {
		require.False(t, time.Now().After(end), "the skills of the subfolder are not indexed after its notes were read")
	}
	for _, prompt := range []string{shared, late} { // 2.1.197 has not reported the name of shared's skill yet
		s.send(prompt)
		s.until("result")
	}
	s.in.Close()
	for prompt, skill := range map[string]string{early: "", read: "", late: "rope-splicing", shared: "boatyard:release-notes", resumed: ""} {
		if prompt == resumed {
			off := m.slow(t)
			again := m.stream(t, "--resume", id)
			again.send(resumed)
			again.until("result")
			again.in.Close()
			off()
		}
		var named []string
		e := m.ended(t, prompt)
		for _, c := range e.Decision.Candidates {
			if c.Injected && strings.Contains(c.ID, "boatyard") {
				named = append(named, c.Name)
			}
		}
		assert.Equal(t, skill, strings.Join(named, " "), prompt)
		if followed := e.Followed == outcome.Followed; followed != (skill != "") {
			t.Errorf("%q: outcomes %+v, followed %q; want a use of %q", prompt, e.Outcomes, e.Followed, skill)
		}
	}
}

func TestEndToEndEvidence(t *testing.T) {
	eachClient(t, func(t *testing.T, m *machine) {
		const seed = 7
		m.must("install", "--hook", "--yes")
		m.must("index")
		m.must("experiment", "start", "--by", "session", "--share", "50", "--seed", fmt.Sprint(seed))
		plan := experiment.Plan{Seed: seed, Share: 0.5, By: experiment.BySession, Until: time.Now().AddDate(1, 0, 0)}
		prompts := []string{"Check this lease for unfair clauses", "Clean this CSV file of duplicate rows",
			"Plan a three day trip to Busan", "Write a landing page for our harbour tours"}
		skills := []string{"lease-check-ko", "csv-cleaner", "travel-itinerary", "landing-page-copy"}
		m.api.forget()
		var arms [2]struct{ prompts, used int }
		for i, prompt := range prompts {
			held := i%2 == 1
			session := ""
			for n := 0; session == ""; n++ {
				id := fmt.Sprintf("0f6f9d1c-2f0f-4c51-8a0e-%012d", 100*i+n)
				d := gate.Decision{Verdict: gate.Inject}
				if plan.Assign(&d, id, "p", time.Now()); d.Trial.Held == held {
					session = id
				}
			}
			arm := &arms[one(held)]
			arm.prompts++
			if i < 2 { // with the hint and without it
				m.api.calls(prompt, "Skill", map[string]string{"skill": skills[i]})
			}
			m.prompt(t, prompt, "--session-id", session)
			want := outcome.State("")
			if !held {
				want = map[bool]outcome.State{true: outcome.Followed, false: outcome.NotFollowed}[i < 2]
			}
			e := m.ended(t, prompt)
			assert.Equal(t, want, e.Followed, prompt)
			if got := m.api.first(t, prompt); strings.Contains(got.text(), "Skills that") == held {
				t.Errorf("%q, kept back %v: the client sent %q", prompt, held, got.text())
			}
			if e.Decision.Trial == nil || e.Decision.Trial.Held != held || held && e.Decision.Reason != gate.HeldBack {
				t.Errorf("%q: trial %+v, reason %s, want it kept back: %v", prompt, e.Decision.Trial, e.Decision.Reason, held)
			}
			if len(e.Outcomes) > 0 {
				arm.used++
			}
		}
		var stats struct {
			Decisions int
			Follow    outcome.Tally
			Skills    []store.SkillStats
		}
		m.reads(t, &stats, "stats", "--json")
		var status struct {
			Hinted, Held, Unknown int
			Test                  experiment.Test
		}
		m.reads(t, &status, "experiment", "--json")
		var advice struct{ Prompts, Ended int }
		m.reads(t, &advice, "advise", "--json")
		var page struct{ Follow outcome.Tally }
		m.reads(t, &page, "stats", skills[0], "--json")
		if stats.Decisions != 4 || stats.Follow.Named != arms[0].prompts || stats.Follow.Known != 2 || stats.Follow.Followed != 1 {
			t.Errorf("stats: %d decisions, %+v; want 4, and 1 of 2 hints followed", stats.Decisions, stats.Follow)
		}
		if status.Hinted != 2 || status.Held != 2 || status.Unknown != 0 || status.Test.Cases != 4 ||
			status.Test.Hinted.Hits != arms[0].used || status.Test.Held.Hits != arms[1].used {
			t.Errorf("experiment: %+v, want two prompts in each arm, with %d and %d uses", status, arms[0].used, arms[1].used)
		}
		require.Equal(t, 4, advice.Prompts)
		assert.Equal(t, 4, advice.Ended)
		if page.Follow.Named != 1 || page.Follow.Followed != 1 {
			t.Errorf("stats %s: %+v, want it named once and followed", skills[0], page.Follow)
		}
		out, _ := m.skillgate("report")
		assert.Contains(t, string(out), "of the prompts; without one, after")
		m.must("experiment", "stop")
	})
}

func (m *machine) ended(t *testing.T, prompt string) store.Entry {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		for _, e := range m.decisions(t) {
			if e.Decision.Prompt == prompt && e.Over {
				return e
			}
		}
	}
	t.Fatalf("no end of the turn of %q is known", prompt)
	return store.Entry{}
}

func (m *machine) reads(t *testing.T, into any, args ...string) {
	t.Helper()
	out, code := m.skillgate(args...)
	if err := json.Unmarshal(out, into); err != nil || code != 0 {
		t.Fatalf("skillgate %v = %d, %s: %v", args, code, out, err)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r apiRequest) text() string {
	var b strings.Builder
	for _, x := range r.Messages {
		for _, block := range x.Content {
			b.WriteString(block.Text + "\n")
		}
	}
	return b.String()
}

func (m *machine) prompt(t *testing.T, prompt string, args ...string) {
	t.Helper()
	out, err := m.command(m.claude.path, append([]string{"-p", prompt}, args...)...).CombinedOutput()
	require.NoError(t, err, "claude -p %q: %v\n%s", prompt, err, out)
}

func (m *machine) came(t *testing.T, prompt string, want outcome.State) store.Entry {
	t.Helper()
	var found store.Entry
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		for _, e := range m.decisions(t) {
			if e.Decision.Prompt == prompt {
				found = e
			}
		}
		if found.Followed == want {
			return found
		}
	}
	t.Errorf("skillgate log says of %q: %q, outcomes %+v, want %q", prompt, found.Followed, found.Outcomes, want)
	return found
}
