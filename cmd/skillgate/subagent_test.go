package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal"
)

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
	m := newSandbox(t)
	m.index()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := *m
			m.t = t
			before := len(m.logged())
			if tt.setting != "" {
				m.env = append(slices.Clone(m.env), tt.setting)
			}
			cmd := m.command(strings.NewReader(tt.payload), "hook")
			r := m.finish(cmd)
			require.Equal(t, 0, r.code)
			assert.Empty(t, r.stderr)
			if !tt.want {
				assert.Empty(t, r.stdout)
				return
			}
			var answer struct {
				Specific struct {
					Event string            `json:"hookEventName"`
					Input map[string]string `json:"updatedInput"`
				} `json:"hookSpecificOutput"`
			}
			require.NoError(t, json.Unmarshal([]byte(r.stdout), &answer))
			require.Equal(t, "PreToolUse", answer.Specific.Event)
			if got := answer.Specific.Input["prompt"]; !strings.HasPrefix(got, task+"\n\nSkills that match") || !strings.Contains(got, "\n- release-notes: ") {
				t.Errorf("the task is %q, want it as it was with release-notes named after it", got)
			}
			if got := m.logged(); len(got) != before+1 || got[before].Source != journal.SourceAgent || got[before].Decision.Prompt != task {
				t.Errorf("logged %+v, want one more decision about the task", got)
			}
		})
	}
}

func TestExperimentLeavesSubagentsAlone(t *testing.T) {
	const task = "Write release notes for our users from the merged pull requests"
	m := newSandbox(t)
	m.index()
	plan, err := experiment.New(time.Now(), experiment.MaxShare, experiment.BySession, 1, 0.2, 0, 30)
	if err == nil {
		err = experiment.Start(filepath.Dir(m.journal()), plan)
	}
	require.NoError(t, err)
	session := ""
	for i, held := 0, false; !held; i++ {
		session = fmt.Sprint("s", i)
		d := gate.Decision{Verdict: gate.Inject}
		plan.Assign(&d, session, "p", time.Now())
		held = d.Trial.Held
	}
	if r := m.hook(fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":%q,"prompt_id":"p","prompt":%q}`, session, task)); r.stdout != "" {
		t.Fatalf("the hook printed %q, want its hint kept back", r.stdout)
	}
	payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%q,"prompt_id":"p","tool_name":"Agent","tool_input":{"prompt":%q}}`, session, task)
	r := m.finish(m.command(strings.NewReader(payload), "hook"))
	assert.Contains(t, r.stdout, "release-notes: ")
	if got := m.logged(); len(got) != 2 || got[0].Decision.Trial == nil || got[1].Decision.Trial != nil {
		t.Errorf("logged %+v, want the prompt in the experiment and the task not", got)
	}
}
