package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

func TestPluginParts(t *testing.T) {
	for _, tt := range []struct {
		path, text string
		want       int
	}{
		{".claude-plugin/plugin.json", `{"name": "forms", "commands": ["./commands/fill.md", "./more/"], "agents": "./agents/a.md"}`, 0},
		{".claude-plugin/plugin.json", `{"name": "Form Tools"}`, 1},
		{".claude-plugin/plugin.json", `{"name": "forms", "commands": ["commands/fill.md"], "agents": "./agents/"}`, 2},
		{"hooks/hooks.json", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}], "SessionStart": [{"hooks": []}]}}`, 0},
		{"hooks/hooks.json", `{"hooks": {"SessionStarted": [{"hooks": []}], "Stop": [{"matcher": "x"}]}}`, 1},
		{".mcp.json", `{"mcpServers": {"a": {"type": "http", "url": "https://forms.net/mcp"}, "b": {"command": "b"}}}`, 0},
		{".mcp.json", `{"mcpServers": {"a": {"type": "http", "uri": "https://forms.net/mcp"}}}`, 1},
		{".claude-plugin/marketplace.json", `{"plugins": [{"name": "a", "source": "./skills"}]}`, 0},
		{".claude-plugin/marketplace.json", `{"plugins": [{"name": "a", "source": "skills"}]}`, 1},
		{".claude-plugin/marketplace.json", `{"metadata": {"pluginRoot": "./"}, "plugins": [{"name": "a", "source": "skills"}]}`, 0},
	} {
		top := t.TempDir()
		for file, text := range map[string]string{"skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Fills forms.\n---\n",
			".claude-plugin/plugin.json": `{"name": "forms"}`, tt.path: tt.text} {
			file = filepath.Join(top, filepath.FromSlash(file))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		skills, _ := Load(t.Context(), []catalog.Root{catalog.LibraryRoot(filepath.Join(top, "skills"))}, func(p string) string { return p })
		got := Run(NewLibrary(skills, nil), Options{Rules: map[string]bool{"SG144": true}}).Findings
		assert.Len(t, got, tt.want, "%s: %s", tt.path, tt.text)
		for _, f := range got {
			assert.Equal(t, Error, f.Severity)
		}
	}
}
