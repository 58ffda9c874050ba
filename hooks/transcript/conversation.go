package transcript

import (
	"bytes"
	"encoding/json"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/hooks"
)

// maxTail is the number of bytes that Conversation reads from the end of a transcript after every turn. It is enough
// for a few hours of work.
const maxTail = 2 << 20

// Conversation returns the turns that are in the model's context, oldest first: those on the path from the newest line
// of a transcript back to the beginning or the last compaction of the session. Prompts that were queued and deleted,
// called back or rewound are not on that path; their turns have only an id. The turn with the id current always has its
// prompts, because the session may have been compacted during the turn.
//
// Late is set if the model has not yet answered the last prompt, text or tool result of the current turn. It is not set
// if the lines have no turn ids. The result of a call that returns structured output (--json-schema) needs no answer.
//
// If the transcript cannot be read, there are no turns. Found has all subfolders that the host has discovered.
func Conversation(file, current string) journal.Conversation {
	held := journal.Conversation{Current: current}
	text, err := tail(file)
	if err != nil {
		return held
	}
	var lines []*line
	byID, below := map[string]*line{}, subfolders{}
	last := ""
	for raw := range bytes.Lines(text) {
		if !bytes.Contains(raw, []byte(`"parentUuid"`)) {
			continue
		}
		l := new(line)
		if err := json.Unmarshal(raw, l); err != nil {
			if _, ok := err.(*json.UnmarshalTypeError); !ok {
				continue // cut off or still being written
			}
		}
		if l.UUID == "" || l.Sidechain {
			continue
		}
		held.Found = append(held.Found, below.found(l)...)
		lines = append(lines, l)
		byID[l.UUID] = l
		last = l.UUID
	}
	known := map[*line]bool{}
	for l := byID[last]; l != nil && !known[l]; l = byID[l.Parent] {
		known[l] = true
		held.Whole = l.Parent == ""
	}
	var turns []journal.Held
	newest := -1                               // index of the newest turn on the path
	late, named, running := true, false, false // named: lines have turn ids; running: l is in the current turn
	formed := false                            // the newest answer was a call whose result ends the turn
	var calls, failed [2][]string              // ids of agent calls in the previous turn and in the last one
	turn := ""
	for _, l := range lines {
		text, ok := l.asked()
		if ok && l.PromptID != turn {
			turn, calls, failed = l.PromptID, [2][]string{calls[1]}, [2][]string{failed[1]}
		}
		l.agents(&calls[1], &failed[1])
		current := l.PromptID == current && current != ""
		named = named || l.PromptID != ""
		if (ok || l.PromptID != "") && (known[l] || current) {
			running = current
		}
		switch {
		case ok && (known[l] || current):
			turns = append(turns, journal.Held{ID: l.PromptID, Prompts: []string{text}})
			newest, late, formed = len(turns)-1, true, false
		case ok:
			turns = append(turns, journal.Held{ID: l.PromptID})
		case l.Attachment.Type == "structured_output" && known[byID[l.Parent]]: // a sibling of the call's result
			formed, late = true, late && !running
		case !known[l] || newest < 0:
		case l.Type == "assistant":
			late, formed = !running, false // not formed: after structured output, a hook may make the model go on
		case len(l.ToolUseResult) > 0:
			late = late || running && !formed // the model has not answered the result yet
		case l.Attachment.Type == "queued_command":
			if prompt, _ := content(l.Attachment.Prompt); prompt != "" {
				turn := &turns[newest]
				turn.Prompts, late = append(turn.Prompts, prompt), true
			}
		case l.Attachment.Type == "hook_additional_context":
			turn := &turns[newest]
			turn.Texts, late = append(turn.Texts, given(l.Attachment.Content)...), true
		}
	}
	for _, call := range slices.Concat(calls[:]...) {
		if slices.Contains(slices.Concat(failed[:]...), call) {
			held.Declined = append(held.Declined, call)
		}
	}
	if newest >= 0 {
		held.Turns, held.Late = turns, late && named && current != ""
	}
	return held
}

// subfolders holds the folders of skills that the transcript has mentioned, by the host's name for the parent folder,
// such as "packages/web".
type subfolders map[string]string

// found returns the subfolders that a line mentions. The host's name for a skill includes the parent folder if another
// skill has the same name: "packages/web:deploy".
func (s subfolders) found(l *line) []journal.Found {
	names, at := l.Attachment.Names, parseTime(l.Timestamp)
	var out []journal.Found
	if l.Attachment.Type == "dynamic_skill" {
		s[strings.TrimSuffix(l.Attachment.Shown, path.Join("/", hooks.Claude.Folder, "skills"))] = l.Attachment.Folder
		out = append(out, journal.Found{Subfolder: gate.Subfolder{Path: l.Attachment.Folder}, At: at})
		names = l.Attachment.Skills
	}
	for _, name := range names {
		end := max(0, strings.LastIndexByte(name, ':'))
		if folder := s[name[:end]]; folder != "" && end > 0 {
			named := gate.Subfolder{Path: folder, Names: map[string]string{name[end+1:]: name}}
			out = append(out, journal.Found{Subfolder: named, At: at})
		}
	}
	return out
}

// asked returns the prompt of a person or program in a line. It returns a typed command in the form "/name args".
func (l *line) asked() (text string, ok bool) {
	if l.Type != "user" || !l.entered() {
		return "", false
	}
	text, results := content(l.Message.Content)
	if len(results) > 0 {
		return "", false
	}
	if name, args, ok := typed(text); ok {
		text = strings.TrimSpace("/" + name + " " + args)
	}
	return text, strings.TrimSpace(text) != ""
}

// agents adds the ids of calls that run an agent to calls, and the ids of failed calls to failed.
func (l *line) agents(calls, failed *[]string) {
	var blocks []block
	if l.Type == "assistant" && bytes.Contains(l.Message.Content, []byte(`"tool_use"`)) || len(l.ToolUseResult) > 0 {
		_ = json.Unmarshal(l.Message.Content, &blocks) // blocks that cannot be parsed are ignored
	}
	for _, b := range blocks {
		switch {
		case b.Type == "tool_use" && slices.Contains(hooks.Claude.Tools.Agents, b.Name):
			*calls = append(*calls, b.ID)
		case b.Type == "tool_result" && b.IsError:
			*failed = append(*failed, b.ToolUseID)
		}
	}
}

// given returns the texts of an attachment, whose content is one text or a list.
func given(raw json.RawMessage) []string {
	var texts []string
	if json.Unmarshal(raw, &texts) == nil {
		return texts
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []string{text}
	}
	return nil
}

func tail(path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-maxTail)
	text, err := io.ReadAll(io.NewSectionReader(f, from, maxTail))
	if from > 0 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text, err
}
