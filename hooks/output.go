package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Write writes the answer to in: one JSON object that adds context to the prompt,
// in one call of w.Write, or nothing when context is "" or when the event takes
// no context. context should have at most 2,000 characters; hosts cut at 10,000.
func Write(w io.Writer, in Input, context string) error {
	if !in.IsPrompt() || context == "" {
		return nil
	}
	event := in.Event
	if event == "" {
		event = "UserPromptSubmit" // what the hook is registered on
	}
	var out struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	out.Specific.Event = event
	out.Specific.Context = context
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("write hook answer: %w", err)
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("write hook answer: %w", err)
	}
	return nil
}
