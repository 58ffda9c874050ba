package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	installed "github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/golden"
	"github.com/skillgate/skillgate/hooks/listing"
)

// TestEndToEndSizes compares the requests of a client that has skillgate in its settings with those of a client
// that has the plugin and a shortened list of skills. A client without modules has only the first. -update also
// tests larger libraries and rewrites testdata/figures/plugin.txt; pass all clients of testdata/clients.
func TestEndToEndSizes(t *testing.T) {
	counts := []int{60}
	if *golden.Update {
		counts = []int{60, 300, 1228, 5000}
	}
	out := table.NewWriter()
	out.SetStyle(table.StyleLight)
	out.AppendHeader(table.Row{"client", "skills", "request", "bytes", "list", "tax", "with the plugin", "list", "tax"})
	eachClient(t, func(t *testing.T, m *machine) {
		v, err := installed.Parse(m.claude.version)
		modules := err == nil && !v.Before(installed.Modules)
		for _, n := range counts {
			m.makeSkills(n)
			m.must("index")
			m.must("install", "--hook", "--yes")
			var before, after [3]apiRequest
			var tax, short int
			t.Run(fmt.Sprintf("%d in the settings", n), func(t *testing.T) { before, tax = m.measure(t), m.tax(t) })
			if modules {
				m.must("install", "--listing", "--yes")
				t.Run(fmt.Sprintf("%d as a plugin", n), func(t *testing.T) { after, short = m.measure(t), m.tax(t) })
			}
			m.must("uninstall", "--yes")
			for i, name := range []string{"main", "subagent", "after a compaction"} {
				row := table.Row{m.claude.version, n, name, len(before[i].body), clip.UTF16(wholeListing(before[i])), tax, "", "", ""}
				agrees(t, row, 4)
				if modules {
					row[6], row[7], row[8] = len(after[i].body), clip.UTF16(wholeListing(after[i])), short
					agrees(t, row, 7)
					saved := len(before[i].body) - len(after[i].body)
					if cut := len(before[i].listing()) - len(after[i].listing()); cut < n*20 || saved < cut/2 {
						t.Errorf("%d skills, %s: the plugin takes %d bytes off the list and %d off the request, want more",
							n, name, cut, saved)
					}
				}
				out.AppendRow(row)
			}
		}
	})
	if *golden.Update && !t.Failed() {
		var text strings.Builder
		fmt.Fprintf(&text, "CLAUDE_BIN=OLD:NEW go test ./cmd/skillgate -run EndToEndSizes -update\n"+
			"Requests of Claude Code with skillgate in its settings and with the plugin that shortens the list of skills, which\n"+
			"older versions do not have; none has been used yet. The 60 are testdata/skills-e2e, the others are made up. A list\n"+
			"counts in UTF-16 units, beside what skillgate tax says. 2.1.197 does not send it again after a compaction.\n\n")
		app.WriteTable(&text, out)
		golden.Write(t, filepath.Join("..", "..", "testdata", "figures", "plugin.txt"), []byte(text.String()))
	}
}

func (m *machine) tax(t *testing.T) int {
	t.Helper()
	out, _ := m.skillgate("tax", "--json")
	var r listing.Tax
	require.NoError(t, json.Unmarshal(out, &r))
	return r.Total
}

func agrees(t *testing.T, row table.Row, at int) {
	t.Helper()
	if sent, tax := row[at].(int), row[at+1].(int); sent > 0 && 100*max(sent-tax, tax-sent) > sent {
		t.Errorf("%v: the list has %d characters, tax says %d", row[:3], sent, tax)
	}
}

func wholeListing(r apiRequest) string {
	_, after, _ := strings.Cut(r.answer().text, "skills are available for use with the Skill tool:\n\n")
	list, rest, _ := strings.Cut(after, "\n\n")
	if end, _, _ := strings.Cut(rest, "\n"); strings.Contains(end, leftOut) {
		list += "\n\n" + end
	}
	list, _, _ = strings.Cut(list, "\n</system-reminder>")
	return strings.TrimRight(list, "\n")
}

func (m *machine) measure(t *testing.T) [3]apiRequest {
	t.Helper()
	m.api.forget()
	const prompt, task, later = "Delegate the harbour report", "Collect the tides of the harbour", "Count the boats of the harbour"
	m.api.calls(prompt, "Agent", map[string]any{"description": "Tides", "prompt": task, "subagent_type": "general-purpose", "run_in_background": false})
	s := m.stream(t)
	s.send(prompt)
	s.until("result")
	s.send("/compact")
	s.until("result")
	s.send(later)
	s.until("result")
	return [3]apiRequest{m.api.first(t, prompt), m.api.first(t, task), m.api.first(t, later)}
}

func (s *standIn) first(t *testing.T, words string) apiRequest {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if text, _ := r.told(); len(r.Tools) > 0 && strings.Contains(text, words) {
			return r
		}
	}
	t.Fatalf("the client sent no request about %q", words)
	return apiRequest{}
}

func (m *machine) makeSkills(n int) {
	have, err := filepath.Glob(filepath.Join(m.home, ".claude", "skills", "*"))
	require.NoError(m.t, err)
	verbs := []string{"draft", "check", "sort", "explain", "compare", "plan", "measure", "translate"}
	things := []string{"harbour-fees", "tide-tables", "crew-rosters", "cargo-lists", "sail-repairs", "weather-logs", "pilot-notes"}
	for i := len(have); i < n; i++ {
		verb, thing := verbs[i%len(verbs)], things[i%len(things)]
		name := fmt.Sprintf("%s-%s-%d", verb, thing, i)
		m.write(filepath.Join(".claude", "skills", name, "SKILL.md"), fmt.Sprintf(
			"---\nname: %s\ndescription: Helps to %s %s of pier %d. Use when a harbour master asks for them in writing.\n---\n\n# Pier %d\n",
			name, verb, strings.ReplaceAll(thing, "-", " "), i, i))
	}
}
