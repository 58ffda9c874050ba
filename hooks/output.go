package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Write writes the answer to in: what the host takes for context that is added to the
// prompt, in one call of w.Write, or nothing when context is "" or when the event takes
// no context. context should have at most 2,000 characters; hosts cut at 10,000.
func Write(w io.Writer, in Input, context string) error {
	if !in.IsPrompt() || context == "" {
		return nil
	}
	host := in.Host
	if host == nil {
		host = hostOf(in.Event, nil)
	}
	event := in.Event
	if event == "" {
		event = host.PromptEvent // what the hook is registered on
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(host.reply(event, context)); err != nil {
		return fmt.Errorf("write hook answer: %w", err)
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("write hook answer: %w", err)
	}
	return nil
}

// nested is the reply of Claude Code and of the hosts that take after it.
func nested(event, context string) any {
	var out struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	out.Specific.Event = event
	out.Specific.Context = context
	return out
}
