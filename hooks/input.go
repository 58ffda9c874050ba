// Package hooks reads the input that a host gives its hooks and writes the answer that the host accepts.
//
// The input is a JSON object on standard input. Hosts add fields from version to version, and a long prompt may be cut
// off, so Read uses whatever it finds:
//
//	{"hook_event_name":"UserPromptSubmit","session_id":"…","cwd":"/…","prompt":"…"}
//
// A Host is a program that runs hooks. Each host has its own source file. The answer for Claude Code and for hosts with
// the same format has only these keys, because Codex rejects others:
//
//	{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"…"}}
//
// If there is no answer, the output is empty. The package keeps no state.
package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	maxInput  = 1 << 20  // maximum bytes of the input that are read; the first megabyte of a prompt is enough
	roomFirst = 64 << 10 // initial size of the buffer in bytes; one read of a pipe returns no more
)

// Input is the input of a hook. A field is empty if the event does not have it or if it has an undocumented type. All
// text is valid UTF-8.
type Input struct {
	Host  *Host
	Event string // hook_event_name as sent, such as UserPromptSubmit or PostToolUse

	SessionID      string
	PromptID       string // the same for all events of one prompt; some hosts call it turn_id
	TranscriptPath string
	Cwd            string
	AgentID        string // set inside a subagent

	Prompt string // for UserPromptSubmit, UserPromptExpansion and BeforeAgent

	ToolName   string // for PreToolUse and PostToolUse
	ToolUseID  string
	ToolInput  []byte // for PreToolUse: tool_input as sent, or nil if it was cut off
	ToolTask   string // for PreToolUse: tool_input.prompt of the Agent (Task) tool
	ToolSkill  string // tool_input.skill of the Skill tool
	ToolServed string // tool_input.name of an MCP tool; for skillgate's own tool, the skill to load
	ToolAgent  string // tool_input.subagent_type of the Agent (Task) tool
	ToolFile   string // tool_input.file_path of the Read tool
	ToolFailed bool   // tool_response.success is false

	CommandName string // for UserPromptExpansion: the typed command without its slash
	Source      string // for SessionStart: startup, resume, clear, compact or fork; for ConfigChange: the kind of settings

	Cut      bool // the input, or its first maxInput bytes, ended inside the object, so the last field may be cut off
	NoPrompt bool // the event is a prompt, but the input has no text for it
}

// OtherFormat is the message about an input with NoPrompt set.
const OtherFormat = `the host sent no text in "prompt"; the format of its hooks may have changed`

// NotAPrompt is the message about an event that the hook does not answer. It follows the name of the event.
const NotAPrompt = "is not a prompt"

// IsPrompt reports whether the event is a user's prompt. It returns true if the input names no event.
func (in Input) IsPrompt() bool {
	return in.Event == "" || slices.ContainsFunc(Hosts, func(h *Host) bool { return in.Event == h.PromptEvent })
}

// IsTask reports whether the event is a task that an agent is about to get. It returns false if the tool's input was
// cut off, because the rest could not be passed on.
func (in Input) IsTask() bool {
	return in.Event == beforeTool && in.Host != nil && slices.Contains(in.Host.Tools.Agents, in.ToolName) &&
		in.ToolInput != nil
}

// Read reads an input from r. Because a host may leave the pipe open, it stops when the JSON object is complete or the
// input cannot be an object. Fields may be missing, unknown, of a wrong type or cut off. If r fails or has no JSON
// object, Read returns an error and the fields read so far.
//
// as is the host named on the command line, or nil.
func Read(r io.Reader, as *Host) (Input, error) {
	text, err := readObject(r)
	var in Input
	if err != nil {
		err = fmt.Errorf("read hook input: %w", err)
	}
	s := scanner{text: text}
	turn, asked := "", false
	var marked *Host
	members := func(key string) {
		if h := markedBy(key); h != nil {
			marked = h
		}
		if as != nil && as.name != nil {
			key = as.name(key)
		}
		in.set(key, &s, &turn, &asked)
	}
	if !s.object(members) && err == nil {
		err = fmt.Errorf("read hook input: %w", notObject(text))
	}
	in.Cut = s.cut
	if in.Event != beforeTool {
		in.ToolInput, in.ToolTask = nil, ""
	}
	if in.Host = as; as == nil {
		in.Host = hostOf(in.Event, marked)
	}
	if in.PromptID == "" {
		in.PromptID = turn
	}
	in.NoPrompt = in.IsPrompt() && !asked && in.Prompt == "" && err == nil && !in.Cut
	return in, err
}

// readObject reads r until it has a complete object, something that is not an object, or maxInput bytes, or until r
// ends or fails.
func readObject(r io.Reader) ([]byte, error) {
	text := make([]byte, 0, roomFirst)
	for len(text) < maxInput {
		if len(text) == cap(text) {
			text = slices.Grow(text, len(text))
		}
		n, err := r.Read(text[len(text):min(cap(text), maxInput)])
		fresh := text[len(text) : len(text)+n]
		text = text[:len(text)+n]
		switch {
		case err == io.EOF:
			return text, nil
		case err != nil || isWhole(text, fresh):
			return text, err
		}
	}
	return text, nil
}

// isWhole reports whether text begins with a complete object or with something that is not an object. fresh is the part
// of text that was added since the last call.
func isWhole(text, fresh []byte) bool {
	s := scanner{text: text}
	s.blanks()
	rest := text[s.pos:]
	if len(rest) < len(bom) && bytes.HasPrefix(bom, rest) || s.peek() == '{' && bytes.IndexByte(fresh, '}') < 0 {
		return false
	}
	s.object(func(string) { s.skip() })
	return !s.cut
}

// Host.name returns these for members that are not strings: a list of folders, the first of which is the working
// directory, and an object that contains the prompt.
const (
	firstCwd   = "[cwd]"
	withPrompt = "{prompt}"
)

func (in *Input) set(key string, s *scanner, turn *string, asked *bool) {
	switch key {
	case "hook_event_name":
		in.Event = s.str()
	case "session_id":
		in.SessionID = s.str()
	case "prompt_id":
		in.PromptID = s.str()
	case "turn_id":
		*turn = s.str()
	case "transcript_path":
		in.TranscriptPath = s.str()
	case "cwd":
		in.Cwd = s.str()
	case firstCwd:
		in.Cwd = s.first()
	case withPrompt:
		s.nested(func(key string) {
			if key == "prompt" {
				in.set(key, s, turn, asked)
				return
			}
			s.skip()
		})
	case "agent_id":
		in.AgentID = s.str()
	case "prompt":
		*asked = *asked || s.atText()
		if in.Prompt = s.str(); s.cut {
			in.Prompt = whole(in.Prompt)
		}
	case "tool_name":
		in.ToolName = s.str()
	case "tool_use_id":
		in.ToolUseID = s.str()
	case "tool_input":
		in.ToolSkill, in.ToolServed, in.ToolAgent, in.ToolFile, in.ToolTask, in.ToolInput = "", "", "", "", "", nil
		s.blanks()
		start := s.pos
		s.nested(func(key string) {
			switch key {
			case "prompt":
				in.ToolTask = s.str()
			case "skill":
				in.ToolSkill = s.str()
			case "name":
				in.ToolServed = s.str()
			case "subagent_type":
				in.ToolAgent = s.str()
			case "file_path":
				in.ToolFile = s.str()
			default:
				s.skip()
			}
		})
		if !s.cut {
			in.ToolInput = s.text[start:s.pos]
		}
	case "tool_response":
		in.ToolFailed = false
		s.nested(func(key string) {
			if key == "success" {
				in.ToolFailed = s.isFalse()
				return
			}
			s.skip()
		})
	case "command_name":
		in.CommandName = s.str()
	case "source":
		in.Source = s.str()
	default:
		s.skip()
	}
}

const (
	longestKey  = 16 << 10 // maximum length of a secret key or signed token, in bytes
	shortestKey = 8        // in bytes; a shorter part of a secret key reveals nothing
)

// whole removes the last word of a prompt that was cut off. The word may be part of a secret key, which secret.Redact
// would not recognise. whole removes at most longestKey bytes.
func whole(prompt string) string {
	tail := prompt[max(0, len(prompt)-longestKey):]
	i := strings.LastIndexAny(tail, " \t\r\n") + 1
	if len(tail)-i < shortestKey {
		return prompt
	}
	return strings.ToValidUTF8(prompt[:len(prompt)-len(tail)+i], "")
}

func notObject(text []byte) error {
	head := bytes.TrimSpace(text)
	if len(head) == 0 {
		return errors.New("the input is empty; it must be a JSON object")
	}
	return fmt.Errorf("the input is not a JSON object; it starts with %q", head[:min(len(head), 20)])
}
