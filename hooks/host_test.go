package hooks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
)

func environment(values map[string]string) func(string) string {
	return func(key string) string { return values[key] }
}

func TestFiles(t *testing.T) {
	moved := environment(map[string]string{"CLAUDE_CONFIG_DIR": "/c/", "CODEX_HOME": "/x"})
	tests := []struct {
		name    string
		host    *Host
		project string
		getenv  func(string) string
		want    []SettingsFile
	}{
		{"Claude Code has a local file", &Claude, "/h/p", environment(nil), []SettingsFile{
			{"user", "/h/.claude/settings.json"}, {"project", "/h/p/.claude/settings.json"},
			{"local", "/h/p/.claude/settings.local.json"}}},
		{"Codex", &Codex, "/h/p", environment(nil),
			[]SettingsFile{{"user", "/h/.codex/hooks.json"}, {"project", "/h/p/.codex/hooks.json"}}},
		{"Gemini CLI", &Gemini, "/h/p", environment(nil),
			[]SettingsFile{{"user", "/h/.gemini/settings.json"}, {"project", "/h/p/.gemini/settings.json"}}},
		{"Qwen Code", &Qwen, "/h/p", environment(nil),
			[]SettingsFile{{"user", "/h/.qwen/settings.json"}, {"project", "/h/p/.qwen/settings.json"}}},
		{"Droid", &Droid, "/h/p", environment(nil), []SettingsFile{
			{"user", "/h/.factory/settings.json"}, {"project", "/h/p/.factory/settings.json"},
			{"local", "/h/p/.factory/settings.local.json"}}},
		{"Copilot CLI", &Copilot, "/h/p", environment(map[string]string{"COPILOT_HOME": "/o"}),
			[]SettingsFile{{"user", "/o/settings.json"}, {"project", "/h/p/.github/copilot/settings.json"}}},
		{"a folder of the user's own for settings", &Kilo, "/h/p", environment(map[string]string{"XDG_CONFIG_HOME": "/c"}), []SettingsFile{
			{"user", "/c/kilo/plugins/skillgate.js"}, {"project", "/h/p/.kilo/plugins/skillgate.js"}}},
		{"Cline", &Cline, "/h/p", environment(nil), []SettingsFile{
			{"user", "/h/Documents/Cline/Hooks/UserPromptSubmit"}, {"project", "/h/p/.clinerules/hooks/UserPromptSubmit"}}},
		{"the home folder is not a project", &Codex, "/h", environment(nil), []SettingsFile{{"user", "/h/.codex/hooks.json"}}},
		{"Claude Code moved by a variable", &Claude, "/h", moved, []SettingsFile{
			{"user", "/c/settings.json"}, {"project", "/h/.claude/settings.json"}, {"local", "/h/.claude/settings.local.json"}}},
		{"Codex moved by a variable", &Codex, "/p", moved,
			[]SettingsFile{{"user", "/x/hooks.json"}, {"project", "/p/.codex/hooks.json"}}},
		{"a relative value is ignored", &Codex, "/h", environment(map[string]string{"CODEX_HOME": "x"}),
			[]SettingsFile{{"user", "/h/.codex/hooks.json"}}},
	}
	for _, tt := range tests {
		assert.Empty(t, cmp.Diff(tt.want, tt.host.Files("/h", tt.project, tt.getenv)), tt.name)
	}
}

func TestPlaces(t *testing.T) {
	got := Places("/h", environment(map[string]string{"CLAUDE_CONFIG_DIR": "/c"}))
	require.NotEmpty(t, got.Folders)
	require.Equal(t, dirs.Enterprise, got.Folders[0].Label)
	want := []dirs.Folder{
		{Path: "/c", Label: "personal", Agents: true},
		{Path: ".claude", Label: "project", Agents: true, Project: true},
		{Path: "/h/.agents", Label: "agents", ByPath: true},
		{Path: ".agents", Label: "project-dot-agents", Project: true, ByPath: true},
		{Path: "/h/.codex", Label: "codex", ByPath: true},
		{Path: "/h/.gemini", Label: "gemini", ByPath: true},
		{Path: ".gemini", Label: "project-dot-gemini", Project: true, ByPath: true},
		{Path: "/h/.qwen", Label: "qwen", ByPath: true},
		{Path: ".qwen", Label: "project-dot-qwen", Project: true, ByPath: true},
		{Path: "/h/.factory", Label: "factory", ByPath: true},
		{Path: ".factory", Label: "project-dot-factory", Project: true, ByPath: true},
		{Path: "/h/.copilot", Label: "copilot", ByPath: true},
		{Path: ".github", Label: "project-dot-copilot", Project: true, ByPath: true},
		{Path: "/h/.cline", Label: "cline", ByPath: true},
		{Path: ".cline", Label: "project-dot-cline", Project: true, ByPath: true},
		{Path: "/h/.config/opencode", Label: "opencode", ByPath: true},
		{Path: ".opencode", Label: "project-dot-opencode", Project: true, ByPath: true},
		{Path: "/h/.config/kilo", Label: "kilo", ByPath: true},
		{Path: ".kilo", Label: "project-dot-kilo", Project: true, ByPath: true},
		{Path: "/h/.pi/agent", Label: "pi", ByPath: true},
		{Path: ".pi", Label: "project-dot-pi", Project: true, ByPath: true},
	}
	assert.Empty(t, cmp.Diff(want, got.Folders[1:]))
	if got.Name != "/c" || len(got.Plugins) != 1 || got.Plugins[0] != "/c/plugins/installed_plugins.json" ||
		got.Policy.User != "/c/settings.json" {
		t.Errorf("Places = %+v, want the files of Claude Code in /c", got)
	}
}

// Every host has all values that the rest of skillgate needs, and no two hosts can be confused.
func TestHostsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for i, h := range Hosts {
		if h.Name == "" || h.Title == "" || h.Folder == "" || h.Settings == "" || h.places == nil && h.skills == "" {
			t.Errorf("host %d, %q, lacks a field", i, h.Name)
		}
		all := h.Handlers("/b/skillgate", true)
		if len(all) == 0 || all[0].Event != h.PromptEvent || all[0].Command != "/b/skillgate" {
			t.Errorf("%s: Handlers = %+v, want the hook first", h.Name, all)
		}
		require.Equal(t, "hook", all[0].Args[0], h.Name)
		assert.NotNil(t, h.reply, h.Name)
		known := h.PromptEvent
		switch {
		case h.Told:
			if known = h.Name; ToldBy(all[0].Args) != h {
				t.Errorf("%s: the command %q does not tell it", h.Name, all[0].Args)
			}
		case i > 0 && known == Hosts[0].PromptEvent:
			known = h.Mark
		}
		if known == "" || seen[known] {
			t.Errorf("%s cannot be told from another host", h.Name)
		}
		seen[known] = true
		if Named(h.Name) != h {
			t.Errorf("Named(%q) = %v", h.Name, Named(h.Name))
		}
	}
	assert.Nil(t, Named("emacs"))
}
