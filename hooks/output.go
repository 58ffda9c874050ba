package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/skillgate/skillgate/gate/jsonline"
)

// Answer returns the hook's output for in, which adds context to a prompt or to the end of a task. It returns nil if
// context is "" or in is neither. context should have at most 2,000 characters; hosts cut it at 10,000.
func Answer(in Input, context string) ([]byte, error) {
	if !in.IsPrompt() && !in.IsTask() || context == "" {
		return nil, nil
	}
	host := in.Host
	if host == nil {
		host = hostOf(in.Event, nil)
	}
	event := in.Event
	if event == "" {
		event = host.PromptEvent // the input names no event; the hook is registered for this one
	}
	var answer any
	if in.IsTask() {
		task, err := in.taskWith(context)
		if err != nil {
			return nil, fmt.Errorf("hook answer: %w", err)
		}
		answer = task
	} else if host.reply != nil {
		answer = host.reply(event, context)
	}
	switch text, plain := answer.(string); {
	case answer == nil:
		return nil, nil
	case plain:
		return []byte(text + "\n"), nil
	}
	line, err := jsonline.Append(make([]byte, 0, len(context)+roomAround), answer)
	if err != nil {
		return nil, fmt.Errorf("hook answer: %w", err)
	}
	return append(line, '\n'), nil
}

// Notice adds text, which only the user sees, to answer, the result of Answer for the same input. It returns answer
// unchanged unless in is a prompt of Claude Code.
func Notice(in Input, answer []byte, text string) []byte {
	if in.Event != Claude.PromptEvent || in.Host != &Claude {
		return answer
	}
	line, _ := jsonline.Append(nil, struct { // encoding a string cannot fail
		Message string `json:"systemMessage"`
	}{text})
	if len(answer) == 0 {
		return append(line, '\n')
	}
	return append(append(line[:len(line)-1], ','), answer[1:]...)
}

// roomAround is the initial capacity, in bytes, for the parts of an answer other than its context.
const roomAround = 256

// taskWith returns the answer that adds context to an agent's task, to be encoded as JSON. The rest of the tool's input
// is unchanged.
func (in Input) taskWith(context string) (any, error) {
	var out struct {
		Specific struct {
			Event string                     `json:"hookEventName"`
			Input map[string]json.RawMessage `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	out.Specific.Event = in.Event
	if err := json.Unmarshal(in.ToolInput, &out.Specific.Input); err != nil {
		return nil, err
	}
	var task bytes.Buffer
	enc := json.NewEncoder(&task)
	enc.SetEscapeHTML(false)
	err := enc.Encode(in.ToolTask + "\n\n" + context)
	out.Specific.Input["prompt"] = task.Bytes()
	return out, err
}

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
