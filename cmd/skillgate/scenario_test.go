package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func TestEndToEndScenarios(t *testing.T) { eachClient(t, scenarios) }

func scenarios(t *testing.T, m *machine) {
	events := m.record(t)
	m.must("install", "--hook", "--yes")
	m.must("index")
	t.Run("terminal", m.inTerminal)
	t.Run("compaction", m.compaction)
	t.Run("slow observer", m.slowObserver)
	t.Run("stream of JSON", m.inStream)
	t.Run("notification of a background task", m.notification)
	t.Run("plan mode", m.planMode)
	t.Run("resumed session", m.resumed)
	t.Run("skill of a plugin", m.pluginSkill)
	t.Run("MCP server", m.served)
	t.Run("fields and events", func(t *testing.T) { m.fields(t, events) })
}

func (m *machine) inTerminal(t *testing.T) {
	m.api.forget()
	c := m.terminal(t)
	// busy sends a prompt that the model does not answer yet.
	busy := func(t *testing.T, prompt string) (release func()) {
		t.Helper()
		c.idle()
		release = m.api.holds(prompt)
		t.Cleanup(release)
		c.submit(prompt)
		m.api.await(t, prompt)
		return release
	}
	described := func(t *testing.T, prompt, skill string) {
		t.Helper()
		if got := m.api.await(t, prompt).answer().fresh; !strings.Contains(got, "\n- "+skill+": ") {
			t.Errorf("for %q the model was given %q, want %s described\n%s", prompt, got, skill, c.text())
		}
	}
	t.Run("queued prompt", func(t *testing.T) {
		release := busy(t, "Count the words of chapter one")
		const prompt = "Make this slow SQL query faster and propose an index"
		c.submit(prompt)
		c.sees(prompt)
		release()
		described(t, prompt, "sql-query-tuner")
	})
	t.Run("queued prompt, called back and sent again", func(t *testing.T) {
		release := busy(t, "Count the words of chapter two")
		const prompt = "Audit the dependencies for incompatible open source licenses"
		c.submit(prompt)
		c.ponder()
		c.press(up)
		c.ponder()
		c.press(enter)
		release()
		described(t, prompt, "license-audit")
	})
	t.Run("queued prompt, called back and deleted", func(t *testing.T) {
		release := busy(t, "Count the words of chapter three")
		const prompt = "Write a runbook for the engineers on call"
		c.submit(prompt)
		c.ponder()
		c.press(up)
		c.press(clearLine)
		release()
		c.submit("Please " + prompt + " at night")
		described(t, "Please "+prompt, "oncall-runbook")
	})
	t.Run("prompt queued while a queued one is answered, and deleted", func(t *testing.T) {
		const queued, chained = "Find out why this log says connection reset", "Turn this transcript into meeting minutes"
		release := busy(t, "Count the words of chapter four")
		releaseQueued := m.api.holds(queued)
		defer releaseQueued()
		c.submit(queued)
		c.sees(queued)
		release()
		m.api.await(t, queued)
		c.submit(chained)
		c.ponder()
		c.press(up)
		c.press(clearLine)
		releaseQueued()
		c.idle()
		c.submit("Please " + chained + " today")
		described(t, "Please "+chained, "meeting-minutes")
	})
	t.Run("interrupted before the model spoke, and sent again", func(t *testing.T) {
		const prompt = "Draft a press release about our new office"
		release := busy(t, prompt)
		c.press(escape)
		c.idle()
		release()
		c.ponder()
		m.api.forget()
		c.press(clearLine) // the client may have restored the prompt
		c.submit(prompt)
		described(t, prompt, "press-release-writer")
	})
	t.Run("pasted text", func(t *testing.T) {
		const prompt = "Find out why this test is flaky"
		c.press(pasted + strings.Repeat("a test failed and then it passed\n", 20) + pasteEnd)
		c.sees("Pasted text")
		c.submit(prompt)
		described(t, prompt, "flaky-test-hunter")
		told, _ := m.api.await(t, prompt).told()
		if out, _ := m.skillgate("log", "--last", "1"); strings.Contains(told, "<pasted_content") && !strings.Contains(string(out), prompt) {
			t.Errorf("skillgate log shows %s, want %q in it", out, prompt)
		}
	})
	t.Run("mentioned file", func(t *testing.T) {
		const prompt = "turn this into slides"
		m.write("work/sql-query-index.md", "# Harbour\n")
		c.submit("@sql-query-index.md " + prompt)
		described(t, prompt, "slide-deck-builder")
		if a := m.api.await(t, prompt).answer(); a.names("sql-query-tuner") {
			t.Errorf("for %q the model was given %q, want nothing that the file's name alone speaks of", prompt, a.fresh)
		}
	})
	t.Run("shell line and built-in commands", func(t *testing.T) {
		c.idle()
		c.ponder() // the client may still be reading the mentioned file
		before := len(m.decisions(t))
		c.press("!")
		c.submit("echo harbour")
		c.sees("\u23bf")
		c.submit("/context")
		c.sees(" tokens")
		if now := m.decisions(t); len(now) != before {
			t.Errorf("the hook was asked about %q, want nothing after a shell line and a built-in command", now[len(now)-1].Decision.Prompt)
		}
	})
}

func (m *machine) compaction(t *testing.T) {
	m.api.forget()
	c := m.terminal(t)
	for _, prompt := range []string{"Draft an NDA for a new supplier", "Draft an NDA for an old supplier"} {
		c.submit(prompt)
		m.api.await(t, prompt)
		c.sees("\u25cf ok")
	}
	c.submit("/compact")
	c.sees("Compacted", "compacted")
	const prompt = "Draft an NDA for a third supplier"
	c.submit(prompt)
	assert.Contains(t, m.api.await(t, prompt).answer().fresh, "\n- nda-drafter: ")
}

func (m *machine) slow(t *testing.T) (off func()) {
	t.Helper()
	program, err := os.ReadFile(m.binary)
	require.NoError(t, err)
	quick := m.binary + ".quick/skillgate"
	m.replace(t, quick, program)
	m.replace(t, m.binary, []byte("#!/bin/sh\n[ \"$1\" = observe ] && sleep 2\nexec "+quick+" \"$@\"\n"))
	return func() { m.replace(t, m.binary, program) }
}

func (m *machine) slowObserver(t *testing.T) {
	defer m.slow(t)()
	m.api.forget()
	c := m.terminal(t)
	const prompt, again = "Draft an NDA for a new supplier", "Draft an NDA for an old supplier"
	twice := func(before string) {
		for _, p := range []string{prompt, again} {
			m.api.forget()
			c.submit(p)
			if got := m.api.await(t, p).answer().fresh; strings.Contains(got, "\n- nda-drafter: ") != (p == prompt) {
				t.Errorf("before %s the model was given %q for %q, want nda-drafter described once", before, got, p)
			}
			c.idle()
		}
		c.submit(before)
	}
	twice("/compact")
	c.sees("Compacted", "compacted")
	twice("/clear")
	c.gone(again) // earlier key strokes may be lost
	m.api.forget()
	c.submit(prompt)
	assert.Contains(t, m.api.await(t, prompt).answer().fresh, "\n- nda-drafter: ")
}

func (m *machine) inStream(t *testing.T) {
	m.api.forget()
	s := m.stream(t)
	const first, second = "Clean this CSV file of duplicate rows", "안녕하세요!"
	s.send(first)
	s.until("result")
	a := m.api.last()
	assert.True(t, a.names("csv-cleaner"), "for %q the model was given %q, want csv-cleaner named", first, a.fresh)
	dot, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	s.send([]any{
		map[string]any{"type": "image", "source": map[string]any{"type": "base64", "media_type": "image/png", "data": dot}},
		map[string]any{"type": "text", "text": second},
	})
	s.until("result")
	assert.Empty(t, m.api.last().fresh, second)
}

func (m *machine) notification(t *testing.T) {
	m.api.forget()
	const prompt = "Start the long build in the background"
	m.api.calls(prompt, "Bash", map[string]any{"command": "sleep 0.2; echo built", "description": "Build", "run_in_background": true})
	s := m.stream(t, "--allowedTools", "Bash")
	s.send(prompt)
	s.until("result")
	m.api.await(t, "<task-notification>")
	for _, d := range m.decisions(t) {
		if strings.Contains(d.Decision.Prompt, "task-notification") && d.Decision.Verdict != gate.Skip {
			t.Errorf("the notification was judged as %s (%s), want a skip", d.Decision.Verdict, d.Decision.Reason)
		}
	}
}

func (m *machine) planMode(t *testing.T) {
	const prompt = "Migrate the orders table to a new schema without downtime"
	if a := m.ask(t, prompt, "--permission-mode", "plan"); !a.names("db-migration-writer") {
		t.Errorf("in plan mode the model was given %q, want db-migration-writer named", a.fresh)
	}
}

func (m *machine) resumed(t *testing.T) {
	const id = "5f0c7f6e-9d0e-4c39-8a52-5b8e4f1f0a11"
	m.ask(t, "Write subtitles for this video in Korean", "--session-id", id)
	const prompt = "Write release notes for our users from the merged pull requests"
	assert.Contains(t, m.ask(t, prompt, "--resume", id).fresh, "\n- release-notes: ")
	assert.NotContains(t, m.ask(t, prompt+" again", "--resume", id).fresh, "\n- release-notes: ")
}

func (m *machine) uses(t *testing.T, prompt, tool, skill string) {
	t.Helper()
	var last []store.Entry
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		last = m.decisions(t)
		for _, e := range last {
			booked := func(o journal.Outcome) bool { return o.Tool == tool && o.Skill == skill }
			if e.Decision.Prompt == prompt && slices.ContainsFunc(e.Outcomes, booked) {
				return
			}
		}
	}
	t.Errorf("the log has %+v, want %s by %s booked on %q", last[max(0, len(last)-3):], skill, tool, prompt)
}

func (m *machine) installHarbour(t *testing.T) {
	t.Helper()
	m.write("shop/.claude-plugin/marketplace.json", `{"name":"shop","owner":{"name":"x"},"plugins":[{"name":"harbour","source":"./harbour"}]}`)
	m.write("shop/harbour/.claude-plugin/plugin.json", `{"name":"harbour","version":"1.0.0"}`)
	for _, args := range [][]string{{"marketplace", "add", m.home + "/shop"}, {"install", "harbour@shop"}} {
		out, err := m.command(m.claude.path, append([]string{"plugin"}, args...)...).CombinedOutput()
		require.NoError(t, err, "claude plugin %v: %v\n%s", args, err, out)
	}
}

func (m *machine) pluginSkill(t *testing.T) {
	m.write("shop/harbour/skills/buoy-count/SKILL.md", "---\nname: buoy-count\ndescription: Counts buoys from harbour photographs.\n---\nCount.\n")
	m.installHarbour(t)
	m.must("index")
	const typed, count = "/harbour:buoy-count of the pier", "Count the buoys in these harbour photographs"
	m.api.forget()
	m.api.calls(count, "Skill", map[string]any{"skill": "harbour:buoy-count"})
	s := m.stream(t, "--allowedTools", "Skill")
	for _, prompt := range []string{typed, count} {
		s.send(prompt)
		s.until("result")
	}
	m.uses(t, typed, journal.ToolTyped, "harbour:buoy-count")
	m.uses(t, count, journal.ToolSkill, "harbour:buoy-count")
	for _, e := range m.decisions(t) {
		if e.Decision.Prompt == count && e.Followed != "" { // the skill was already loaded
			t.Errorf("%q is %q, want neither: %+v", count, e.Followed, e.Decision.Candidates)
		}
	}
}

func (m *machine) served(t *testing.T) {
	m.api.forget()
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"skillgate": map[string]any{"command": m.binary, "args": []string{"mcp"}}}})
	require.NoError(t, err)
	m.write("mcp.json", string(config))
	const lookup, load = "mcp__skillgate__skill_lookup", "mcp__skillgate__skill_load"
	m.write(".claude/skills/tide-report/SKILL.md", "---\nname: tide-report\ndescription: Reports tides.\narguments: port day\n---\n"+
		"From ${CLAUDE_SKILL_DIR}: $port, $0, $ARGUMENTS[1], \\$1, all: $ARGUMENTS.\n")
	m.api.calls("Look it up", lookup, map[string]any{"prompt": "Check this lease for unfair clauses"})
	m.api.calls("Load it by MCP", load, map[string]any{"name": "tide-report", "arguments": `Busan "next week"`})
	m.api.calls("Load it by the host", "Skill", map[string]any{"skill": "tide-report", "args": `Busan "next week"`})
	s := m.stream(t, "--mcp-config", m.home+"/mcp.json", "--strict-mcp-config", "--allowedTools", lookup+","+load+",Skill")
	s.send("Look it up")
	s.until("result")
	a := m.api.last()
	if !strings.Contains(a.text, "\n- lease-check-ko: ") {
		t.Errorf("skill_lookup answered %q, want a line of lease-check-ko in it", a.text[max(0, len(a.text)-2000):])
	}
	r, _ := m.api.seen("Look it up", time.Second)
	if !slices.ContainsFunc(r.Tools, func(tool apiTool) bool { return tool.Name == lookup && !tool.Defer }) {
		t.Errorf("the client offers the model the tools %+v, want %s, not deferred", r.Tools, lookup)
	}
	// MCP and the host give the model the same text of a skill.
	var texts []string
	for _, prompt := range []string{"Load it by MCP", "Load it by the host"} {
		s.send(prompt)
		s.until("result")
		a, text := m.api.last(), ""
		if at := strings.LastIndex(a.text, "Base directory for this skill: "); at >= 0 {
			text = a.text[at:]
		}
		texts = append(texts, text)
		m.uses(t, prompt, map[bool]string{true: journal.ToolMCP, false: journal.ToolSkill}[len(texts) == 1], "tide-report")
	}
	_, filled, _ := strings.Cut(texts[1], "\n\n")
	filled, _, _ = strings.Cut(filled, "\n")
	if filled == "" || !strings.Contains(texts[0], filled) {
		t.Errorf("skill_load gives the model %q, the host %q; want the same text", texts[0], texts[1])
	}
}
