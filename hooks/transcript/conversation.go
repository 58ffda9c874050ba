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

// maxTail is how much of a transcript Conversation reads, from its end: a few hours of work.
// It runs after every turn.
const maxTail = 2 << 20

// Conversation returns the turns that the model has before it now, oldest first: those on the
// way from the newest line of a transcript back to where the session began or was compacted.
// What was queued and deleted, called back, or undone by a rewind is on no such way: of its turns
// there are the ids alone. The turn whose id is current has its prompts in any case, since it may
// have been compacted meanwhile. The host is late where no answer of the model follows what was
// asked and given in that turn, which may also begin with a line of the host's own and end with an
// answer in the form that was wanted (--json-schema); where no line has the id of its turn, that
// cannot be known. A transcript that cannot be read has no turns.
// What the host has come upon is told in any case.
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
				continue // cut off, or being written
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
	newest := -1                               // turn on the way
	late, named, running := true, false, false // running: the current turn, when l was written
	formed := false                            // the newest answer was a call, after whose result the model says nothing
	var calls, failed [2][]string              // of agents: in the turn before the newest, and in that
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
		case l.Attachment.Type == "structured_output" && known[byID[l.Parent]]: // beside its result
			formed, late = true, late && !running
		case !known[l] || newest < 0:
		case l.Type == "assistant":
			late, formed = !running, false // it says more: a hook has sent it on
		case len(l.ToolUseResult) > 0:
			late = late || running && !formed // the model has not answered that yet
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

// subfolders are the folders of skills that lines have spoken of, by what the host calls the folder
// they are for ("packages/web").
type subfolders map[string]string

// found returns what a line says about them. A skill that shares its name with another one is called
// by its folder as well: "packages/web:deploy".
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

// asked returns what a person or a program asked with a line, a typed command as /name args.
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

// agents adds the ids of calls that were to run an agent, and of calls that failed.
func (l *line) agents(calls, failed *[]string) {
	var blocks []block
	if l.Type == "assistant" && bytes.Contains(l.Message.Content, []byte(`"tool_use"`)) || len(l.ToolUseResult) > 0 {
		_ = json.Unmarshal(l.Message.Content, &blocks) // what fits is used
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

// given returns the texts of an attachment, which has one or a list.
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

// tail reads the last lines of a file.
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
