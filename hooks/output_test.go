package hooks

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type writes struct{ calls []string }

func (w *writes) Write(p []byte) (int, error) {
	w.calls = append(w.calls, string(p))
	return len(p), nil
}

func TestWrite(t *testing.T) {
	tests := []struct {
		name    string
		event   string
		context string
		want    string // "" for no write at all
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
			var w writes
			if err := Write(&w, Input{Event: tt.event}, tt.context); err != nil {
				t.Fatalf("Write(%q, %q): %v", tt.event, tt.context, err)
			}
			if tt.want == "" && len(w.calls) == 0 {
				return
			}
			if len(w.calls) != 1 || w.calls[0] != tt.want {
				t.Errorf("Write(%q, %q) wrote %q, want one write of %q", tt.event, tt.context, w.calls, tt.want)
			}
			if !json.Valid([]byte(w.calls[0])) || strings.Count(w.calls[0], "\n") != 1 {
				t.Errorf("Write(%q, %q) wrote %q, want one line of JSON", tt.event, tt.context, w.calls[0])
			}
		})
	}
}

func TestWriteTask(t *testing.T) {
	in, err := Read(strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Task","tool_input":{"subagent_type":`+
		`"Explore","prompt":"count <boats>","n":1e400}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var w writes
	if err := Write(&w, in, "Skills"); err != nil {
		t.Fatal(err)
	}
	want := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"n":1e400,"prompt":"count <boats>\n\nSkills","subagent_type":"Explore"}}}` + "\n"
	if len(w.calls) != 1 || w.calls[0] != want {
		t.Errorf("Write of a task's context wrote %q, want %q", w.calls, want)
	}
}

type closed struct{}

var errClosed = errors.New("closed")

func (closed) Write([]byte) (int, error) { return 0, errClosed }

func TestWriteReportsAClosedPipe(t *testing.T) {
	if err := Write(closed{}, Input{Event: "UserPromptSubmit"}, "a"); !errors.Is(err, errClosed) {
		t.Errorf("Write(closed) = %v, want %v", err, errClosed)
	}
}
