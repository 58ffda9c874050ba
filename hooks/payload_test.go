package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The input of each host is understood and gets an answer in the form that the host reads. The inputs are recordings
// from the version in the comment, or else taken from the documentation.
func TestPayloads(t *testing.T) {
	const nestedReply = `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a\nb"}}` + "\n"
	tests := []struct {
		host       *Host
		input      string
		id, prompt string
		reply      string
	}{
		{&Claude, `{"session_id":"s","transcript_path":"/t","cwd":"/w","prompt_id":"p","permission_mode":"default",` +
			`"hook_event_name":"UserPromptSubmit","prompt":"fill the form"}`,
			"p", "", nestedReply},
		{&Codex, // 0.169.0
			`{"session_id":"s","turn_id":"p","transcript_path":"/t","cwd":"/w","hook_event_name":"UserPromptSubmit","model":"m` +
				`","permission_mode":"bypassPermissions","prompt":"fill the form"}`,
			"p", "", nestedReply},
		{&Gemini, // 0.61.0
			`{"session_id":"s","transcript_path":"/t","cwd":"/w","hook_event_name":"BeforeAgent","timestamp":"2026-11-22T19:17:23.893Z","prompt":"fill the form"}`,
			"", "", strings.Replace(nestedReply, "UserPromptSubmit", "BeforeAgent", 1)},
		{&Qwen, // 0.24.4
			`{"session_id":"s","transcript_path":"/t","cwd":"/w","hook_event_name":"UserPromptSubmit",` +
				`"timestamp":"2026-11-22T19:18:59.108Z","permission_mode":"auto","prompt_id":"s########0","prompt":"fill the ` +
				`form","submitted_prompt":"fill the form"}`,
			"s########0", "", nestedReply},
		{&Droid, `{"session_id":"s","transcript_path":"/t","cwd":"/w","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"fill the form"}`,
			"", "", nestedReply},
		{&Copilot, // 1.0.102
			`{"hook_event_name":"UserPromptSubmit","session_id":"s","timestamp":"2026-11-22T19:15:56.410Z","cwd":"/w","prompt":"fill the form"}`,
			"", "", `{"additionalContext":"a\nb"}` + "\n"},
		{&Cline, `{"clineVersion":"4.1.20","hookName":"UserPromptSubmit","timestamp":"1763838000000","taskId":"s",` +
			`"workspaceRoots":["/w","/x"],"userId":"u","userPromptSubmit":{"attachments":[],"prompt":"fill the form"}}`,
			"", "", `{"cancel":false,"contextModification":"a\nb"}` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.host.Name, func(t *testing.T) {
			as := ToldBy(tt.host.Handlers("/b/skillgate", false)[0].Args)
			in, err := Read(strings.NewReader(tt.input), as)
			if err != nil || in.Host != tt.host || in.SessionID != "s" || in.PromptID != tt.id || in.Cwd != "/w" ||
				in.Prompt != "fill the form" || !in.IsPrompt() || in.Cut {
				t.Errorf("Read(%s) = %+v, %v", tt.input, in, err)
			}
			if got, err := Answer(in, "a\nb"); err != nil || string(got) != tt.reply {
				t.Errorf("Answer = %q, %v; want %q", got, err, tt.reply)
			}
		})
	}
}

// A host that is not supported, but still runs the hook, gets the answer of Claude Code to Claude Code's event and none
// to other events.
func TestUnknownHosts(t *testing.T) {
	for _, tt := range []struct {
		name, input string
		answers     bool
	}{
		{"cursor", `{"hook_event_name":"UserPromptSubmit","prompt":"fill the form"}`, true},
		{"kiro", `{"hook_event_name":"userPromptSubmit","prompt":"fill the form"}`, false},
		{"antigravity", `{"hook_event_name":"PreInvocation","conversationId":"s","workspacePaths":["/w"],"transcriptPath":"/t"}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, err := Read(strings.NewReader(tt.input), ToldBy([]string{"/b/skillgate", "hook", "--host", tt.name}))
			require.NoError(t, err)
			assert.Equal(t, &Claude, in.Host)
			answer, err := Answer(in, "a")
			assert.NoError(t, err)
			assert.Equal(t, tt.answers, len(answer) > 0, "%s", answer)
		})
	}
}

func TestCodexTrusts(t *testing.T) {
	const file = "/h/.codex/hooks.json"
	tests := []struct {
		name, config string
		want         bool
	}{
		{"trusted", "[hooks.state]\n\n[hooks.state.\"" + file + ":user_prompt_submit:0:0\"]\ntrusted_hash = \"sha256:f1\"\n", true},
		{"switched off, and another one trusted", "[hooks.state.\"" + file + ":user_prompt_submit:0:0\"]\nenabled = false\n\n" +
			"[hooks.state.\"/p/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:f1\"\n", false},
		{"another file", "[hooks.state.\"/p/hooks.json:user_prompt_submit:0:0\"]\ntrusted_hash = \"sha256:f1\"\n", false},
		{"nothing", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(home, "config.toml"), []byte(tt.config), 0o600))
			assert.Equal(t, tt.want, Codex.Trusted(home, file))
		})
	}
}
