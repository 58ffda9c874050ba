// Package hooks reads what a host tells its hooks and writes the one answer the
// host accepts.
//
// The input is a JSON object on standard input; hosts add fields to it from
// version to version, and a long prompt may be cut, so Read takes what it finds:
//
//	{"hook_event_name":"UserPromptSubmit","session_id":"…","cwd":"/…","prompt":"…"}
//
// A Host is the program that runs the hook. Each has a file, and another host takes no more
// than that. The answer is one object without any other key, because Codex rejects an object
// that has one:
//
//	{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"…"}}
//
// No answer is an empty output. Nothing here keeps state.
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
	maxInput  = 1 << 20  // bytes of the input that are read: a prompt's first megabyte says what it is about
	roomFirst = 64 << 10 // bytes that a pipe gives at once
)

// Input is what a host tells a hook. Fields that the event does not have, or that
// have another type than the documented one, are empty. All text is valid UTF-8.
type Input struct {
	Host  *Host
	Event string // hook_event_name as sent: UserPromptSubmit, PostToolUse, …

	SessionID      string
	PromptID       string // the same for all events of one prompt; some hosts call it turn_id
	TranscriptPath string
	Cwd            string
	AgentID        string // set inside a subagent

	Prompt string // UserPromptSubmit, UserPromptExpansion, BeforeAgent

	ToolName   string // PreToolUse, PostToolUse
	ToolUseID  string
	ToolInput  []byte // PreToolUse: tool_input as sent, nil where it is cut
	ToolTask   string // PreToolUse: tool_input.prompt of the Agent (Task) tool
	ToolSkill  string // tool_input.skill of the Skill tool
	ToolServed string // tool_input.name of a server's tool
	ToolAgent  string // tool_input.subagent_type of the Agent (Task) tool
	ToolFile   string // tool_input.file_path of the Read tool
	ToolFailed bool   // tool_response.success is false

	CommandName string // UserPromptExpansion: the command typed, without its slash
	Source      string // SessionStart: startup, resume, clear, compact, fork; ConfigChange: which settings

	Cut      bool // the object did not end within maxInput bytes: the last field may be a head
	NoPrompt bool // the event is a prompt, and there is no text where its prompt should be
}

// OtherFormat names what may be the cause of an input with NoPrompt.
const OtherFormat = `the host sent no text in "prompt": its hooks may have another format now`

// NotAPrompt is said about an event that the hook does not answer.
const NotAPrompt = "is not a prompt"

// IsPrompt reports whether the event is a user's prompt; one whose name was lost
// with a damaged input is.
func (in Input) IsPrompt() bool {
	return in.Event == "" || slices.ContainsFunc(Hosts, func(h *Host) bool { return in.Event == h.PromptEvent })
}

// IsTask reports whether the event is a task that an agent is about to be given. It is
// known whole: what is cut cannot be handed on.
func (in Input) IsTask() bool {
	return in.Event == beforeTool && in.Host != nil && slices.Contains(in.Host.Tools.Agents, in.ToolName) &&
		in.ToolInput != nil
}

// Read reads one input from r: until its JSON object is complete, since a host may leave
// the pipe open, until r ends, or until it is clear that no object comes. Fields may be
// missing, unknown, of a wrong type or cut off. The error says that r failed or holds no
// JSON object; what was understood until then is returned with it.
//
// as is the host that the command tells, nil where the input does.
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
	} else if as.prompt != nil && in.Prompt == "" {
		in.Prompt = as.prompt(in)
	}
	if in.PromptID == "" {
		in.PromptID = turn
	}
	in.NoPrompt = in.IsPrompt() && !asked && in.Prompt == "" && err == nil && !in.Cut
	return in, err
}

// readObject returns what r has until an object is complete or it is clear that none comes, r ends or fails, or
// there are maxInput bytes.
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

// isWhole reports whether text begins with a whole object, or with what is none. fresh is its end, which
// was not there when it was asked about before.
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

// What Host.name calls members that are shaped otherwise: a list of folders, of which the first
// is the working directory, and an object that holds the prompt.
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
	longestKey  = 16 << 10 // bytes of a key or signed token; a longer word is cut anywhere
	shortestKey = 8        // bytes of a beginning that tell anything of a key
)

// whole returns a prompt that was cut without the word at its end, which may be the
// start of a key that cannot be recognised any more.
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
		return errors.New("empty, want a JSON object")
	}
	return fmt.Errorf("starts with %q, want a JSON object", head[:min(len(head), 20)])
}
