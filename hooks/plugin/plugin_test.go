package plugin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/register"
)

// The plugin has the same hooks as the settings file, except for subagents, which its module handles.
func TestHooksAreThoseOfTheSettings(t *testing.T) {
	text, err := os.ReadFile("hooks/hooks.json")
	require.NoError(t, err)
	found, err := register.Find("hooks.json", text)
	require.NoError(t, err)
	var got []hooks.Handler
	for _, f := range found {
		got = append(got, f.Handler)
	}
	want := slices.DeleteFunc(hooks.Claude.Handlers("${CLAUDE_PLUGIN_ROOT}/"+launcher, true), func(h hooks.Handler) bool { return h.Event == "PreToolUse" })
	assert.Empty(t, cmp.Diff(want, got))
}

func TestWriteNamesTheBinary(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "it's", "claude")
	binary := filepath.Join(home, `o'neill "x"`, "skillgate")
	for range 2 { // the second Write replaces the files of the first
		require.NoError(t, Write(dir, binary))
	}
	for _, name := range []string{"hooks/hooks.json", ".mcp.json"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		quoted, _ := json.Marshal(binary)
		if err != nil || strings.Contains(string(text), launcher) || !strings.Contains(string(text), string(quoted)) || !json.Valid(text) {
			t.Errorf("%s = %s, %v; want %s in it", name, text, err, quoted)
		}
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(binary), 0o700))
	require.NoError(t, os.WriteFile(binary, []byte("#!/bin/sh\necho \"$0 $*\"\n"), 0o700))
	if out, err := exec.Command(filepath.Join(dir, launcher), "version", "a b").Output(); err != nil || string(out) != binary+" version a b\n" {
		t.Errorf("the launcher printed %q, %v; want what %s prints", out, err, binary)
	}
	var markets [2]struct {
		Name    string
		Plugins []struct{ Name, Description, Source string }
	}
	for i, file := range []string{filepath.Join(dir, ".claude-plugin", "marketplace.json"), filepath.Join("..", "..", ".claude-plugin", "marketplace.json")} {
		text, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(text, &markets[i]) != nil || markets[i].Name != Marketplace || markets[i].Plugins[0].Name != Name {
			t.Fatalf("%s: %s, %v", file, text, err)
		}
	}
	markets[1].Plugins[0].Source = "./"
	assert.Empty(t, cmp.Diff(markets[0], markets[1]))
}

// The script exits with 0 whatever program is named skillgate; status 2 would block the prompt.
func TestLauncher(t *testing.T) {
	tests := []struct {
		name, program string // empty for no program
		args          []string
		stdout        string
		fails         bool
	}{
		{"the program", "#!/bin/sh\ncat\necho \" $*\"\n", []string{"hook"}, "in hook\n", false},
		{"none, asked for a prompt", "", []string{"hook"}, "", false},
		{"none, asked what happened", "", []string{"observe"}, "", false},
		{"none, asked for another thing", "", []string{"version"}, "", true},
		{"one that crashes", "#!/bin/sh\nexit 2\n", []string{"hook"}, "", false},
		{"one of another machine", "\x7fELF\x02\x01\x01\x00(((\x00", []string{"hook"}, "", false},
		{"a failing command", "#!/bin/sh\nexit 1\n", []string{"lint"}, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(home, ".local", "bin", "skillgate")
			if tt.program != "" {
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
				require.NoError(t, os.WriteFile(file, []byte(tt.program), 0o700))
			}
			cmd := exec.Command(launcher, tt.args...)
			cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
			cmd.Stdin = strings.NewReader("in")
			out, err := cmd.Output()
			if string(out) != tt.stdout || (err != nil) != tt.fails {
				t.Errorf("%s %v printed %q, %v; want %q, failing: %v", launcher, tt.args, out, err, tt.stdout, tt.fails)
			}
		})
	}
}

func TestFindInstalled(t *testing.T) {
	tests := []struct {
		name, settings, market string
		want                   string // folder of the plugin; empty if there is none
	}{
		{"a folder that is the marketplace", `{"enabledPlugins":{"skillgate@skillgate":true}}`,
			`{"skillgate":{"source":{"source":"directory"},"installLocation":"DIR"}}`, "DIR"},
		{"a marketplace from elsewhere", `{"enabledPlugins":{"skillgate@skillgate":true}}`,
			`{"skillgate":{"source":{"source":"github"},"installLocation":"DIR"}}`, "COPY"},
		{"no marketplaces known", `{"enabledPlugins":{"skillgate@skillgate":true}}`, `[]`, "COPY"},
		{"disabled", `{"enabledPlugins":{"skillgate@skillgate":false}}`, `{}`, ""},
		{"not enabled here", `{}`, `{}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			dir, copied := filepath.Join(home, "plugin", "claude"), filepath.Join(home, "copy", "claude")
			for _, to := range []string{dir, copied} {
				require.NoError(t, Write(to, "/opt/bin/skillgate"))
			}
			place := strings.NewReplacer("DIR", dir, "COPY", copied)
			for name, text := range map[string]string{
				"settings.json": tt.settings, "plugins/known_marketplaces.json": tt.market,
				"plugins/installed_plugins.json": `{"plugins":{"other@skillgate":[{"installPath":"/o"}],"skillgate@skillgate":[{"installPath":"COPY"}]}}`,
			} {
				file := filepath.Join(home, ".claude", name)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
				require.NoError(t, os.WriteFile(file, []byte(place.Replace(text)), 0o600))
			}
			session := hostfile.Session{Dirs: dirs.Dirs{Home: home}, Cwd: home, Getenv: func(string) string { return "" }}
			files := session.Read()
			got, ok := session.Plugin(Name, files)
			if want := place.Replace(tt.want); ok != (want != "") || got.Dir != want {
				t.Fatalf("Plugin = %+v, %v, want %q", got, ok, want)
			}
			last := files[len(files)-1]
			if ok && (last.Scope != "plugin" || len(last.Found) == 0 || last.Found[0].Command != "/opt/bin/skillgate") || !ok && last.Scope == "plugin" {
				t.Errorf("Read ends with %+v, want the plugin's hooks: %v", last, ok)
			}
		})
	}
}
