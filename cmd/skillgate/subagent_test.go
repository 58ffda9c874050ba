package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate/journal"
)

// A subagent starts with its task alone: what fits it is named there.
func TestSubagentsTask(t *testing.T) {
	const task = "Write release notes for our users from the merged pull requests"
	head := `{"hook_event_name":"PreToolUse","session_id":"s","prompt_id":"p","tool_name":"Agent","tool_input":`
	tests := []struct {
		name, payload, setting string
		want                   bool
	}{
		{"task that a skill fits", head + `{"description":"notes","prompt":"` + task + `","subagent_type":"general-purpose"}}`, "", true},
		{"older name of the tool", strings.Replace(head, "Agent", "Task", 1) + `{"prompt":"` + task + `"}}`, "", true},
		{"task with a reply already", head + `{"prompt":"` + task + `\n\nSkills that match this prompt (1 of 2 installed"}}`, "", false},
		{"subagents switched off", head + `{"prompt":"` + task + `"}}`, "SKILLGATE_SUBAGENTS=false", false},
		{"another tool", strings.Replace(head, "Agent", "Bash", 1) + `{"prompt":"` + task + `"}}`, "", false},
		{"no task", head + `{"prompt":7}}`, "", false},
		{"cut off", head + `{"prompt":"` + task, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newSandbox(t)
			m.index()
			if tt.setting != "" {
				m.env = append(m.env, tt.setting)
			}
			cmd := m.command(strings.NewReader(tt.payload), "hook")
			r := m.finish(cmd)
			if r.code != 0 || r.stderr != "" {
				t.Errorf("hook: status %d, stderr %q, want 0 and nothing", r.code, r.stderr)
			}
			if !tt.want {
				if r.stdout != "" {
					t.Errorf("hook printed %q, want nothing", r.stdout)
				}
				return
			}
			var answer struct {
				Specific struct {
					Event string            `json:"hookEventName"`
					Input map[string]string `json:"updatedInput"`
				} `json:"hookSpecificOutput"`
			}
			if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil || answer.Specific.Event != "PreToolUse" {
				t.Fatalf("hook printed %q: %v", r.stdout, err)
			}
			if got := answer.Specific.Input["prompt"]; !strings.HasPrefix(got, task+"\n\nSkills that match") || !strings.Contains(got, "\n- release-notes: ") {
				t.Errorf("the task is %q, want it as it was with release-notes named after it", got)
			}
			if got := m.logged(); len(got) != 1 || got[0].Source != journal.SourceAgent || got[0].Decision.Prompt != task {
				t.Errorf("logged %+v, want one decision about the task", got)
			}
		})
	}
}
