package main

import (
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

// TestEndToEndOutcomes looks at what the log says came of prompts, however they came in.
func TestEndToEndOutcomes(t *testing.T) {
	eachClient(t, func(t *testing.T, m *machine) {
		m.must("install", "--settings", "--yes")
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
			if e := m.came(t, own, outcome.NotFollowed); len(e.Missed) != 0 {
				t.Errorf("%q missed %q, want nothing: the client's own skills are not ours to name", own, e.Missed)
			}
		})
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
		t.Run("queued prompts", func(t *testing.T) {
			const first, queued, chained = "Review the accessibility of our web pages", "Audit the dependencies for incompatible open source licenses", "Write a runbook for the engineers on call"
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

// prompt gives the client one prompt in a process of its own.
func (m *machine) prompt(t *testing.T, prompt string, args ...string) {
	t.Helper()
	if out, err := m.command(m.claude.path, append([]string{"-p", prompt}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("claude -p %q: %v\n%s", prompt, err, out)
	}
}

// came waits until the log says what came of a prompt.
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
