package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const claudePrompt = `{"session_id":"s1","transcript_path":"/t/s1.jsonl","cwd":"/repo","prompt_id":"p1",` +
	`"permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"표를 PDF로 바꿔줘"}`

var readTests = []struct {
	name    string
	input   string
	want    Input
	wantErr string
	as      *Host
}{
	{
		name:  "prompt of Claude Code",
		input: claudePrompt,
		want: Input{Host: &Claude, Event: "UserPromptSubmit", SessionID: "s1", PromptID: "p1",
			TranscriptPath: "/t/s1.jsonl", Cwd: "/repo", Prompt: "표를 PDF로 바꿔줘"},
	},
	{
		name:  "turn_id makes it Codex and is the prompt's id",
		input: `{"session_id":"s","turn_id":"t9","transcript_path":null,"cwd":"/r","hook_event_name":"UserPromptSubmit","model":"m","prompt":"hi"}`,
		want:  Input{Host: &Codex, Event: "UserPromptSubmit", SessionID: "s", PromptID: "t9", Cwd: "/r", Prompt: "hi"},
	},
	{
		name:  "a timestamp makes it Qwen",
		input: `{"session_id":"s","cwd":"/r","hook_event_name":"UserPromptSubmit","timestamp":"2026-10-03T10:00:00Z","prompt":"hi"}`,
		want:  Input{Host: &Qwen, Event: "UserPromptSubmit", SessionID: "s", Cwd: "/r", Prompt: "hi"},
	},
	{
		name:  "BeforeAgent makes it Gemini, with a timestamp too",
		input: `{"session_id":"s","cwd":"/r","hook_event_name":"BeforeAgent","timestamp":"2026-01-01T00:00:00Z","prompt":"hi"}`,
		want:  Input{Host: &Gemini, Event: "BeforeAgent", SessionID: "s", Cwd: "/r", Prompt: "hi"},
	},
	{
		name: "Skill call",
		input: `{"hook_event_name":"PostToolUse","prompt_id":"p","tool_name":"Skill","tool_use_id":"u",` +
			`"tool_input":{"args":{"skill":"no"},"skill":"pdf:form"},"tool_response":{"success":false}}`,
		want: Input{Host: &Claude, Event: "PostToolUse", PromptID: "p", ToolName: "Skill", ToolUseID: "u", ToolSkill: "pdf:form", ToolFailed: true},
	},
	{
		name: "read of a file inside a subagent",
		input: `{"hook_event_name":"PostToolUse","agent_id":"a1","agent_type":"Explore","tool_name":"Read",` +
			`"tool_input":{"file_path":"/lib/x/SKILL.md"},"tool_response":"text"}`,
		want: Input{Host: &Claude, Event: "PostToolUse", AgentID: "a1", ToolName: "Read", ToolFile: "/lib/x/SKILL.md"},
	},
	{
		name: "task of a subagent",
		input: `{"hook_event_name":"PreToolUse","prompt_id":"p","tool_name":"Agent","tool_input": {"prompt":"count\nthe ` +
			`boats","subagent_type":"Explore","run_in_background":true},"tool_use_id":"u"}`,
		want: Input{Host: &Claude, Event: "PreToolUse", PromptID: "p", ToolName: "Agent", ToolUseID: "u", ToolAgent: "Explore", ToolTask: "count\nthe boats",
			ToolInput: []byte(`{"prompt":"count\nthe boats","subagent_type":"Explore","run_in_background":true}`)},
	},
	{
		name:  "task that is cut off",
		input: `{"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":"count the bo`,
		want:  Input{Host: &Claude, Event: "PreToolUse", ToolName: "Agent", ToolTask: "count the bo", Cut: true},
	},
	{
		name:  "typed command",
		input: `{"hook_event_name":"UserPromptExpansion","command_name":"deploy","command_source":"plugin","prompt":"/deploy now"}`,
		want:  Input{Host: &Claude, Event: "UserPromptExpansion", CommandName: "deploy", Prompt: "/deploy now"},
	},
	{
		name:  "changed skill file",
		input: `{"hook_event_name":"ConfigChange","source":"skills","file_path":"/s/SKILL.md"}`,
		want:  Input{Host: &Claude, Event: "ConfigChange", Source: "skills"},
	},
	{
		name:  "unknown fields of every type are passed over",
		input: `{"effort":{"level":[1,"}",{}]},"n":-1.5e3,"b":true,"z":null,"a":[[],["]"]],"prompt":"x"}`,
		want:  Input{Host: &Claude, Prompt: "x"},
	},
	{
		name:  "fields of a wrong type are empty",
		input: `{"prompt":"x","session_id":7,"cwd":["/r"],"transcript_path":{"a":"b"},"tool_input":"text","hook_event_name":false}`,
		want:  Input{Host: &Claude, Prompt: "x"},
	},
	{
		name:  "missing fields are empty",
		input: `{}`,
		want:  Input{Host: &Claude, NoPrompt: true},
	},
	{
		name:  "a prompt without words",
		input: `{"hook_event_name":"UserPromptSubmit","prompt":""}`,
		want:  Input{Host: &Claude, Event: "UserPromptSubmit"},
	},
	{
		name:  "a prompt that is no text any more",
		input: `{"hook_event_name":"UserPromptSubmit","session_id":7,"prompt":{"text":"review"}}`,
		want:  Input{Host: &Claude, Event: "UserPromptSubmit", NoPrompt: true},
	},
	{
		name:  "a prompt of another name",
		input: `{"hook_event_name":"UserPromptSubmit","user_prompt":"review"}`,
		want:  Input{Host: &Claude, Event: "UserPromptSubmit", NoPrompt: true},
	},
	{
		name:  "another event",
		input: `{"hook_event_name":"Stop"}`,
		want:  Input{Host: &Claude, Event: "Stop"},
	},
	{
		name:  "the last of two equal keys counts",
		input: `{"prompt":"one","prompt":"two"}`,
		want:  Input{Host: &Claude, Prompt: "two"},
	},
	{
		name:  "escapes in keys and values",
		input: `{"\u0070rompt":"a\"b\\c\/d\b\f\n\r\té😀\ud800x"}`,
		want:  Input{Host: &Claude, Prompt: "a\"b\\c/d\b\f\n\r\té😀\ufffdx"},
	},
	{
		name:  "byte order mark",
		input: "\ufeff{\"prompt\":\"x\"}",
		want:  Input{Host: &Claude, Prompt: "x"},
	},
	{
		name:  "NUL bytes between tokens and inside the prompt",
		input: "\x00{\x00\"prompt\"\x00:\x00\"a\x00b\"\x00}",
		want:  Input{Host: &Claude, Prompt: "a\x00b"},
	},
	{
		name:  "invalid UTF-8 is replaced",
		input: "{\"prompt\":\"a\xffb\",\"cwd\":\"/\xc3(\"}",
		want:  Input{Host: &Claude, Prompt: "a\ufffdb", Cwd: "/\ufffd("},
	},
	{
		name:  "raw line end in the prompt",
		input: "{\"prompt\":\"a\nb\"}",
		want:  Input{Host: &Claude, Prompt: "a\nb"},
	},
	{
		name:  "cut inside the prompt",
		input: `{"session_id":"s","cwd":"/r","prompt":"please fill in`,
		want:  Input{Host: &Claude, SessionID: "s", Cwd: "/r", Prompt: "please fill in", Cut: true},
	},
	{
		name:  "cut inside a letter of the prompt",
		input: "{\"prompt\":\"문서\xec\x84",
		want:  Input{Host: &Claude, Prompt: "문서", Cut: true},
	},
	{
		name:  "cut inside an escape",
		input: `{"prompt":"a\u00e`,
		want:  Input{Host: &Claude, Prompt: "a", Cut: true},
	},
	{
		name:  "cut after a key",
		input: `{"prompt":"x","cwd"`,
		want:  Input{Host: &Claude, Prompt: "x", Cut: true},
	},
	{
		name:  "cut inside a nested value",
		input: `{"prompt":"x","effort":{"level":"hi`,
		want:  Input{Host: &Claude, Prompt: "x", Cut: true},
	},
	{
		name:  "comma too many and value missing",
		input: `{,"prompt":"x",,"cwd":,"session_id":"s",}`,
		want:  Input{Host: &Claude, Prompt: "x", SessionID: "s"},
	},
	{
		name:  "text after the object is passed over",
		input: `{"prompt":"x"} {"prompt":"y"} trailing`,
		want:  Input{Host: &Claude, Prompt: "x"},
	},
	{name: "empty input", input: " \n", want: Input{Host: &Claude}, wantErr: "read hook input: the input is empty; it must be a JSON object"},
	{name: "not JSON", input: "fill in this form, would you", want: Input{Host: &Claude},
		wantErr: `read hook input: the input is not a JSON object; it starts with "fill in this form, w"`},
	{name: "array", input: `[{"prompt":"x"}]`, want: Input{Host: &Claude},
		wantErr: `read hook input: the input is not a JSON object; it starts with "[{\"prompt\":\"x\"}]"`},
}

// If a host puts the prompt into an object and the object has no text, the format has changed.
func TestReadWithoutThePromptInItsObject(t *testing.T) {
	for member, want := range map[string]bool{
		`{"prompt":"x"}`:          false,
		`{"prompt":""}`:           false,
		`{"text":"x"}`:            true,
		`"x"`:                     true,
		`{"prompt":{"text":"x"}}`: true,
	} {
		in, err := Read(strings.NewReader(`{"taskId":"s","userPromptSubmit":`+member+`}`), &Cline)
		if err != nil || in.NoPrompt != want {
			t.Errorf("%s: Read = %+v, %v; want NoPrompt %v", member, in, err, want)
		}
	}
}

// sameHost compares hosts by identity.
var sameHost = cmp.Comparer(func(a, b *Host) bool { return a == b })

func TestRead(t *testing.T) {
	for _, tt := range readTests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tt.input), tt.as)
			assert.Empty(t, cmp.Diff(tt.want, got, sameHost))
			assert.Equal(t, tt.wantErr, errorText(err))
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Read does not wait for input after the object, since the host may leave the pipe open.
func TestReadEndsWithTheObject(t *testing.T) {
	const object = `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"a } in \"{[","tool_input":{"x":[1,{}]}}`
	whole := Input{Host: &Claude, Event: "UserPromptSubmit", SessionID: "s", Prompt: `a } in "{[`}
	broken := errors.New("asked for more")
	tests := []struct {
		name   string
		chunks []string
		want   Input
		fails  bool
	}{
		{"in one piece", []string{object}, whole, false},
		{"in two pieces", []string{object[:60], object[60:]}, whole, false},
		{"in single bytes", strings.Split(object, ""), whole, false},
		{"white space after it", []string{object + " \r\n"}, whole, false},
		{"other bytes after it", []string{object + "}]\"x"}, whole, false},
		{"two objects", []string{object + `{"session_id":"t","prompt":"another"}`}, whole, false},
		{"a byte order mark", []string{"\xef\xbb\xbf" + object}, whole, false},
		{"a byte order mark in single bytes", strings.Split("\xef\xbb\xbf"+object, ""), whole, false},
		{"a bracket too many", []string{`{"prompt":"x"]`, `,"session_id":"s"}`}, Input{Host: &Claude, SessionID: "s", Prompt: "x"}, false},
		{"no object", []string{"hello"}, Input{Host: &Claude}, true},
		{"a list", []string{`[{"prompt":"x"}]`}, Input{Host: &Claude}, true},
		{"blanks and no object", []string{" \n", "\x00", "hello"}, Input{Host: &Claude}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var readers []io.Reader
			for _, c := range tt.chunks {
				readers = append(readers, io.LimitReader(strings.NewReader(c), int64(len(c))))
			}
			got, err := Read(io.MultiReader(append(readers, iotest.ErrReader(broken))...), nil)
			if diff := cmp.Diff(tt.want, got, sameHost); diff != "" || errors.Is(err, broken) || (err != nil) != tt.fails {
				t.Errorf("Read(%q) = %v, failure %v wanted (-want +got):\n%s", tt.chunks, err, tt.fails, diff)
			}
		})
	}
}

func TestReadTakesNoMoreThanItsLimit(t *testing.T) {
	const size = 5 * maxInput
	r := &counter{r: io.MultiReader(
		strings.NewReader(`{"session_id":"s","prompt":"head `),
		io.LimitReader(letters{}, size),
		strings.NewReader(`","cwd":"/never"}`))}
	in, err := Read(r, nil)
	if err != nil || !in.Cut || in.SessionID != "s" || in.Cwd != "" || !strings.HasPrefix(in.Prompt, "head aaaa") {
		t.Errorf("Read(5 MiB prompt) = session %q, cwd %q, cut %v, %v; want s, none, true, no error", in.SessionID, in.Cwd, in.Cut, err)
	}
	require.LessOrEqual(t, len(in.Prompt), maxInput)
	assert.Equal(t, maxInput, r.n)
}

// A key that is cut off at the limit would not be recognised as one, so it is removed.
func TestReadLeavesNoHalfOfAKey(t *testing.T) {
	head := `{"hook_event_name":"UserPromptSubmit","prompt":"`
	words := strings.Repeat("fill the form ", maxInput/14)
	for _, key := range []string{"ghp_" + strings.Repeat("a1B2", 9), strings.Repeat("Zm9v", 1000)} {
		for kept := range 40 {
			prompt := words[:maxInput-len(head)-1-kept] + " " + key
			in, _ := Read(strings.NewReader(head+prompt+`"}`), nil)
			if at := strings.Index(in.Prompt, key[:8]); at >= 0 || !in.Cut || len(in.Prompt) < maxInput-200 {
				t.Fatalf("of a key cut after %d bytes the prompt keeps %q", kept, in.Prompt[max(0, len(in.Prompt)-60):])
			}
		}
	}
}

func TestReadKeepsWhatCameBeforeAnError(t *testing.T) {
	broken := errors.New("broken pipe")
	in, err := Read(io.MultiReader(strings.NewReader(`{"session_id":"s","prompt":"half a`), iotest.ErrReader(broken)), nil)
	if !errors.Is(err, broken) || in.SessionID != "s" || in.Prompt != "half a" {
		t.Errorf("Read(failing reader) = %q, %q, %v; want s, half a, %v", in.SessionID, in.Prompt, err, broken)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// FuzzRead checks that Read does not panic, returns valid UTF-8 in every field, and reads the same prompt from a valid
// JSON object as encoding/json, even byte by byte and without reading on.
func FuzzRead(f *testing.F) {
	for _, tt := range readTests {
		f.Add([]byte(tt.input))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := Read(bytes.NewReader(text), nil)
		for _, s := range []string{in.Event, in.SessionID, in.PromptID, in.TranscriptPath, in.Cwd, in.AgentID, in.Prompt,
			in.ToolName, in.ToolUseID, in.ToolSkill, in.ToolAgent, in.ToolFile, in.CommandName, in.Source} {
			if !utf8.ValidString(s) {
				t.Errorf("Read(%q) has the invalid text %q", text, s)
			}
		}
		var doc map[string]any
		if json.Unmarshal(text, &doc) != nil || doc == nil {
			return
		}
		if err != nil || in.Cut {
			t.Errorf("Read(%q) = cut %v, %v; want neither on valid JSON", text, in.Cut, err)
		}
		if want, _ := doc["prompt"].(string); in.Prompt != want {
			t.Errorf("Read(%q) prompt = %q, want %q", text, in.Prompt, want)
		}
		more := iotest.ErrReader(errors.New("asked for more"))
		again, err := Read(io.MultiReader(iotest.OneByteReader(bytes.NewReader(text)), more), nil)
		if diff := cmp.Diff(in, again, sameHost); diff != "" || err != nil {
			t.Errorf("Read(%q) in single bytes: %v (-want +got):\n%s", text, err, diff)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := Read(strings.NewReader(claudePrompt), nil); err != nil {
			b.Fatal(err)
		}
	}
}
