package transcript

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/triage"
)

// line has the relevant fields of a line of a transcript. The host's format is undocumented and changes, so every field
// may be missing.
type line struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	UUID        string `json:"uuid"`
	Parent      string `json:"parentUuid"`
	SessionID   string `json:"sessionId"`
	PromptID    string `json:"promptId"`
	Timestamp   string `json:"timestamp"`
	Cwd         string `json:"cwd"`
	Version     string `json:"version"`
	Meta        bool   `json:"isMeta"`
	Summary     bool   `json:"isCompactSummary"`
	Transcript  bool   `json:"isVisibleInTranscriptOnly"`
	Sidechain   bool   `json:"isSidechain"`
	Source      string `json:"promptSource"`
	SourceTool  string `json:"sourceToolUseID"`
	SourceAgent string `json:"sourceToolAssistantUUID"`
	Origin      struct {
		Kind string `json:"kind"`
	} `json:"origin"`
	Attachment struct {
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`
		Prompt  json.RawMessage `json:"prompt"`

		Folder string   `json:"skillDir"`    // folder of skills in a subfolder of the project
		Shown  string   `json:"displayPath"` // Folder relative to cwd
		Skills []string `json:"skillNames"`  // names of the skills in Folder
		Names  []string `json:"names"`       // names of the skills in a skill_listing
		Whole  bool     `json:"isInitial"`   // the listing has all skills, not only new ones
	} `json:"attachment"`
	ToolUseResult json.RawMessage `json:"toolUseResult"`
	Message       struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

type block struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	ID        string `json:"id"`
	ToolUseID string `json:"tool_use_id"`
	IsError   bool   `json:"is_error"`
	Name      string `json:"name"`
	Input     struct {
		Skill    string `json:"skill"`
		Served   string `json:"name"`    // skill that skillgate's MCP tool loads
		Command  string `json:"command"` // the Skill tool's argument in older versions
		Agent    string `json:"subagent_type"`
		FilePath string `json:"file_path"`
	} `json:"input"`
}

// line reads one line. Most lines are tool output. To skip them without decoding, matters searches for quoted words; a
// quoted word is always a whole string, because JSON strings cannot contain an unescaped quotation mark.
func (s *scanner) line(text []byte) error {
	s.t.lines++
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil
	}
	if text[0] != '{' || text[len(text)-1] != '}' {
		s.damaged(text)
		return nil
	}
	if !s.matters(text) {
		return nil
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		// If a field has an unexpected type, only that field is lost.
		if _, ok := err.(*json.UnmarshalTypeError); !ok {
			s.damaged(text)
			return nil
		}
	}
	s.take(&l)
	return nil
}

func (s *scanner) matters(text []byte) bool {
	switch {
	case bytes.Contains(text, []byte(`"tool_use"`)):
		return bytes.Contains(text, []byte(`"Skill"`)) || bytes.Contains(text, []byte(`__skill_load"`)) ||
			bytes.Contains(text, []byte(`SKILL.md"`)) || bytes.Contains(text, []byte(`"subagent_type"`))
	case bytes.Contains(text, []byte(`"tool_result"`)):
		return len(s.calls) > 0 && s.result(text)
	case bytes.Contains(text, []byte(`"assistant"`)) && !bytes.Contains(text, []byte(`"user"`)):
		return false
	}
	return bytes.Contains(text, []byte(`"user"`)) || bytes.Contains(text, []byte(`"compact_boundary"`))
}

// result reports whether text has the result of a call in s.calls.
func (s *scanner) result(text []byte) bool {
	const key = `"tool_use_id":"`
	for rest := text; ; {
		at := bytes.Index(rest, []byte(key))
		if at < 0 {
			// If key does not occur, it may be written with spaces, so the line is decoded.
			return !bytes.Contains(text, []byte(key))
		}
		rest = rest[at+len(key):]
		if end := bytes.IndexByte(rest, '"'); end >= 0 {
			if _, ok := s.calls[string(rest[:end])]; ok {
				return true
			}
		}
	}
}

// damaged counts a line that is not a JSON object, and reads the complete records in it. Writers that died or wrote
// at the same time leave a part of one record before another.
func (s *scanner) damaged(text []byte) {
	s.t.damaged++
	for len(text) > 0 {
		var l line
		dec := json.NewDecoder(bytes.NewReader(text))
		if text[0] == '{' && dec.Decode(&l) == nil {
			s.take(&l)
			text = text[dec.InputOffset():]
			continue
		}
		next := -1
		for _, start := range []string{`{"parentUuid":`, `{"type":`, `{"uuid":`, `{"sessionId":`} {
			if at := bytes.Index(text[1:], []byte(start)); at >= 0 && (next < 0 || at+1 < next) {
				next = at + 1
			}
		}
		if next < 0 {
			return
		}
		text = text[next:]
	}
}

func (s *scanner) take(l *line) {
	switch {
	case l.Sidechain:
	case l.Type == "system" && l.Subtype == "compact_boundary":
		if t := s.turns[l.SessionID]; t != nil {
			t.last = ""
		}
	case l.Type == "assistant":
		s.uses(l)
	case l.Type == "user" && (l.Message.Role == "user" || l.Message.Role == ""):
		s.user(l)
	}
}

func (s *scanner) uses(l *line) {
	var blocks []block
	_ = json.Unmarshal(l.Message.Content, &blocks) // blocks that cannot be parsed are ignored
	tools := hooks.Claude.Tools
	for _, b := range blocks {
		if b.Type != "tool_use" {
			continue
		}
		use := journal.Outcome{Success: true, Source: "transcript"}
		switch {
		case b.Name == "":
		case b.Name == tools.Skill:
			use.Tool, use.Skill = journal.ToolSkill, strings.TrimPrefix(b.Input.Skill, "/")
			if use.Skill == "" {
				use.Skill = strings.TrimPrefix(b.Input.Command, "/")
			}
		case tools.Loads(b.Name):
			use.Tool, use.Skill = journal.ToolMCP, b.Input.Served
		case slices.Contains(tools.Agents, b.Name):
			use.Tool, use.Skill = journal.ToolAgent, b.Input.Agent
		case b.Name == tools.Read:
			if s.skillFile == nil || !s.skillFile(b.Input.FilePath) {
				continue
			}
			use.Tool, use.Path = journal.ToolRead, filepath.Clean(b.Input.FilePath)
			use.Skill = filepath.Base(filepath.Dir(use.Path))
		}
		if use.Skill != "" {
			s.attach(l, b.ID, use)
		}
	}
}

// entered reports whether a line of type "user" without tool results comes from a person or program, not from the host.
func (l *line) entered() bool {
	return len(l.ToolUseResult) == 0 && !l.Meta && !l.Summary && !l.Transcript && l.SourceTool == "" && l.SourceAgent == ""
}

func (s *scanner) user(l *line) {
	text, results := content(l.Message.Content)
	for _, r := range results {
		if c, ok := s.calls[r.ToolUseID]; ok && r.IsError {
			c.prompt.Uses[c.use].Success = false
		}
	}
	if len(results) > 0 || !l.entered() {
		return
	}
	if l.Source == "system" || l.Origin.Kind != "" && l.Origin.Kind != "human" && l.Origin.Kind != "user" {
		s.t.machine++
		return
	}
	p := &replay.Prompt{
		Source: "transcript", ID: l.UUID, Time: parseTime(l.Timestamp), Session: l.SessionID, PromptID: l.PromptID,
		Cwd: l.Cwd, Client: l.Version,
		Level: journal.Full,
	}
	if name, args, ok := typed(text); ok {
		// The text of a host command starts with <command-name>, and that of a skill with <command-message>.
		if catalog.HostCommand(name) && strings.HasPrefix(strings.TrimSpace(text), "<command-name>") {
			s.t.machine++
			return
		}
		text = strings.TrimSpace("/" + name + " " + args)
		if !own(name) {
			p.Uses = []journal.Outcome{{Tool: journal.ToolTyped, Skill: name, Success: true, Source: "transcript"}}
		}
	}
	p.Text = secret.Redact(text)
	read := triage.Classify(p.Text)
	if read.Kind == triage.Machine || strings.TrimSpace(text) == "" {
		s.t.machine++
		return
	}
	p.Lang = read.Lang
	t := s.turns[l.SessionID]
	if t == nil {
		t = new(turn)
		s.turns[l.SessionID] = t
	}
	if t.prompt != nil {
		t.prompt.Over = true
	}
	hash := journal.PromptHash(read.Text)
	p.Repeat = read.Kind == triage.Search && t.last == hash
	t.prompt, t.last = p, hash
	if l.PromptID != "" {
		s.prompts[l.PromptID] = p
	}
	s.t.prompts = append(s.t.prompts, p)
}

func content(raw json.RawMessage) (string, []block) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var blocks []block
	_ = json.Unmarshal(raw, &blocks) // blocks that cannot be parsed are ignored
	var parts []string
	var results []block
	for _, b := range blocks {
		switch b.Type {
		case "text":
			parts = append(parts, b.Text)
		case "tool_result":
			results = append(results, b)
		}
	}
	return strings.Join(parts, "\n"), results
}

// typed parses the tags in which the host wraps a typed command.
func typed(text string) (name, args string, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "<command-") {
		return "", "", false
	}
	inner := func(tag string) string {
		_, after, _ := strings.Cut(text, "<"+tag+">")
		in, _, found := strings.Cut(after, "</"+tag+">")
		if !found {
			return ""
		}
		return strings.TrimSpace(in)
	}
	name = strings.TrimPrefix(inner("command-name"), "/")
	return name, inner("command-args"), name != ""
}
