package hooks

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAnswer(t *testing.T) {
	tests := []struct {
		name    string
		event   string
		context string
		want    string // "" for none
	}{
		{"prompt of Claude Code", "UserPromptSubmit", "a\nb", `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a\nb"}}` + "\n"},
		{"prompt of Gemini", "BeforeAgent", "a", `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a"}}` + "\n"},
		{"event lost with the input", "", "a", `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a"}}` + "\n"},
		{"letters are not escaped", "UserPromptSubmit", "리뷰→review & ‹x› <y>",
			`{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"리뷰→review & ‹x› <y>"}}` + "\n"},
		{"nothing to say", "UserPromptSubmit", "", ""},
		{"event that takes no context", "PostToolUse", "a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Answer(Input{Event: tt.event}, tt.context)
			if err != nil || string(got) != tt.want {
				t.Errorf("Answer(%q, %q) = %q, %v, want %q", tt.event, tt.context, got, err, tt.want)
			}
			if len(got) > 0 && (!json.Valid(got) || strings.Count(string(got), "\n") != 1) {
				t.Errorf("Answer(%q, %q) = %q, want one line of JSON", tt.event, tt.context, got)
			}
		})
	}
}

func TestAnswerToTask(t *testing.T) {
	in, err := Read(strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Task","tool_input":{"subagent_type":`+
		`"Explore","prompt":"count <boats>","n":1e400}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Answer(in, "Skills")
	want := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"n":1e400,"prompt":"count <boats>\n\nSkills","subagent_type":"Explore"}}}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("Answer with a task's context = %q, %v, want %q", got, err, want)
	}
}

func TestNoticeIsForPeopleOfClaudeCode(t *testing.T) {
	for _, tt := range []struct{ payload, answer, want string }{
		{`{"hook_event_name":"UserPromptSubmit","prompt":"x"}`, "", `{"systemMessage":"a <b>"}` + "\n"},
		{`{"hook_event_name":"UserPromptSubmit","prompt":"x"}`, `{"a":1}` + "\n", `{"systemMessage":"a <b>","a":1}` + "\n"},
		{`{"hook_event_name":"BeforeAgent","prompt":"x"}`, `{"a":1}`, `{"a":1}`},
		{`{"hook_event_name":"PreToolUse","tool_name":"Task","tool_input":{"prompt":"x"}}`, "", ""},
	} {
		in, err := Read(strings.NewReader(tt.payload), nil)
		if got := string(Notice(in, []byte(tt.answer), "a <b>")); err != nil || got != tt.want {
			t.Errorf("Notice(%s, %q) = %q, %v, want %q", tt.payload, tt.answer, got, err, tt.want)
		}
	}
}
