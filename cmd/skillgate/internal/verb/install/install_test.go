package install

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/self"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/system/systemtest"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

func reports(t *testing.T, p *apptest.Home) []report {
	t.Helper()
	var r []report
	require.NoError(t, json.Unmarshal(p.Out.Bytes(), &r), p.Out.String())
	return r
}

var handlers = len(hooks.Claude.Handlers("", false))

const someSettings = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": " +
	"\"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n"

func TestInstallAndUninstallRestoreTheFile(t *testing.T) {
	tests := []struct{ name, text string }{
		{"settings with hooks of others", someSettings},
		{"empty object", "{}"},
		{"empty hooks", "{\"hooks\": {}}\n"},
		{"one line", `{"model":"opus"}`},
		{"no line end at the end", "{\n\t\"a\": 1\n}"},
		{"empty file", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			p.Write(t, p.Settings, tt.text, 0o640)
			code, msg := p.Status(New(p.App), "--yes", "--binary", p.Binary)
			require.Equal(t, 0, code, msg)
			installed := p.Read(t, p.Settings)
			if found, err := register.Find(p.Settings, []byte(installed)); err != nil || len(found) != handlers {
				t.Errorf("after install: %v, %v; want %d handlers in\n%s", found, err, handlers, installed)
			}
			if info, err := os.Stat(p.Settings); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode after install = %v, %v; want 0640", info.Mode(), err)
			}
			if code, msg := p.Status(New(p.App), "--yes", "--binary", p.Binary); code != 0 || !strings.Contains(p.Out.String(), "already installed") {
				t.Errorf("second install = %d, %s: %s; want already installed", code, msg, p.Out.String())
			}
			code, msg = p.Status(NewUninstall(p.App), "--yes")
			require.Equal(t, 0, code, msg)
			assert.Equal(t, tt.text, p.Read(t, p.Settings))
			left, _ := filepath.Glob(p.Settings + "?*")
			assert.Empty(t, left)
		})
	}
}

func TestUninstallKeepsLaterChanges(t *testing.T) {
	p := apptest.NewInProject(t)
	p.Write(t, p.Settings, someSettings, 0o600)
	code, msg := p.Status(New(p.App), "--yes", "--binary", p.Binary)
	require.Equal(t, 0, code, msg)
	later := strings.NewReplacer(`"opus"`, `"haiku", "skillListingBudgetFraction": 0.0001`)
	p.Write(t, p.Settings, later.Replace(p.Read(t, p.Settings)), 0o600)
	code, msg = p.Status(NewUninstall(p.App), "--yes", "--json")
	require.Equal(t, 0, code, msg)
	got, want := p.Read(t, p.Settings), later.Replace(someSettings)
	assert.Equal(t, want, got)
	r := reports(t, p)[0]
	if r.Status != "written" || r.Backup == "" || len(r.Changes) != handlers || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "skillListing") {
		t.Errorf("uninstall --json = %+v; want a written file, a backup, 6 changes, and a warning that the list stays cut", r)
	}
}

func TestUninstallAfterAnUpgradeRestoresTheFile(t *testing.T) {
	p := apptest.NewInProject(t)
	p.Write(t, p.Settings, someSettings, 0o600)
	other := filepath.Join(t.TempDir(), "skillgate")
	p.Write(t, other, "#!/bin/sh\n", 0o700)
	for _, binary := range []string{other, p.Binary} {
		code, msg := p.Status(New(p.App), "--yes", "--binary", binary)
		require.Equal(t, 0, code, "install of %s = %d, %s", binary, code, msg)
	}
	code, msg := p.Status(NewUninstall(p.App), "--yes")
	require.Equal(t, 0, code, msg)
	assert.Equal(t, someSettings, p.Read(t, p.Settings))
	left, _ := filepath.Glob(p.Settings + "?*")
	assert.Empty(t, left)
}

func TestInstallWritesNothingUnasked(t *testing.T) {
	tests := []struct {
		name string
		text string
		args []string
		code int
		want string // part of the message or of stdout
	}{
		{"dry run", someSettings, []string{"--dry-run"}, 0, "+    \"UserPromptSubmit\": ["},
		{"dry run, JSON", someSettings, []string{"--dry-run", "--json"}, 0, "dry_run"},
		{"invalid settings", "{\n  \"a\": 1,,\n}", []string{"--yes"}, 3, "settings.json:2:10: "},
		{"settings of another shape", "{\"hooks\": 5}", []string{"--yes"}, 3, "settings.json:1:11: hooks must be an object with one key per event"},
		{"unknown scope", "{}", []string{"--yes", "--scope", "world"}, 3, "--scope is \"world\""},
		{"unknown host", "{}", []string{"--yes", "--host", "emacs"}, 3, "--host is \"emacs\""},
		{"binary that is not there", "{}", []string{"--yes", "--binary", "/nowhere/skillgate"}, 3, "no such file"},
		{"binary of another name", "{}", []string{"--yes", "--binary", "/bin/sh"}, 3, "must be named skillgate"},
		{"argument", "{}", []string{"--yes", "now"}, 3, "unknown command"},
		{"a plugin without a client", "{}", []string{"--plugin"}, 3, "claude is not on PATH"},
		{"a list without a client", "{}", []string{"--listing"}, 3, "claude is not on PATH"},
		{"a plugin for another host", "{}", []string{"--plugin", "--host", "codex"}, 3, "work only with --host claude"},
		{"both forms", "{}", []string{"--plugin", "--hook"}, 3, "none of the others can be"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			p.Write(t, p.Settings, tt.text, 0o600)
			args := append([]string{"--binary", p.Binary}, tt.args...)
			code, msg := p.Status(New(p.App), args...)
			if code != tt.code || !strings.Contains(msg+p.Out.String(), tt.want) {
				t.Errorf("install %v = %d, %s, %s; want %d and %q", args, code, msg, p.Out.String(), tt.code, tt.want)
			}
			assert.Equal(t, tt.text, p.Read(t, p.Settings))
			left, _ := filepath.Glob(p.Settings + "?*")
			assert.Empty(t, left)
		})
	}
}

func TestInstallLooksAtOtherScopes(t *testing.T) {
	handlers := func(binary string) string {
		text, _, err := register.Install("f", nil, hooks.Claude.Handlers(binary, false))
		require.NoError(t, err)
		return string(text)
	}
	before := func(text string) string { // the observer on SessionStart had no argument
		return regexp.MustCompile(`"observe",\s*"begin"`).ReplaceAllString(text, `"observe"`)
	}
	now := func(text string) string { return text }
	other := filepath.Join(t.TempDir(), "skillgate")
	require.NoError(t, os.WriteFile(other, nil, 0o700))
	tests := []struct {
		name   string
		binary func(p *apptest.Home) string
		change func(text string) string
		code   int
		want   string
	}{
		{"the same command", func(p *apptest.Home) string { return p.Binary }, now, 0, "only once"},
		{"the same command with an older observer", func(p *apptest.Home) string { return p.Binary }, before, 0,
			"`skillgate install --host claude --scope project` replaces it"},
		{"a command that is gone", func(*apptest.Home) string { return "/gone/skillgate" }, now, 0, "does not exist"},
		{"another command", func(*apptest.Home) string { return other }, now, 3, "both would answer every prompt"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			p.Write(t, filepath.Join(p.Project, ".claude", "settings.json"), tt.change(handlers(tt.binary(p))), 0o600)
			code, msg := p.Status(New(p.App), "--yes", "--binary", p.Binary)
			if code != tt.code || !strings.Contains(msg+p.Err.String(), tt.want) {
				t.Errorf("install = %d, %s, %s; want %d and %q", code, msg, p.Err.String(), tt.code, tt.want)
			}
		})
	}
}

func TestInstallScopesAndHosts(t *testing.T) {
	tests := []struct {
		args []string
		file string // relative to the home folder
		want string
	}{
		{[]string{"--scope", "project"}, "project/.claude/settings.json", "shared with the repository"},
		{[]string{"--scope", "local"}, "project/.claude/settings.local.json", ""},
		{[]string{"--host", "gemini", "--scope", "project"}, "project/.gemini/settings.json", ""},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			p := apptest.NewInProject(t)
			p.App.Cwd = filepath.Join(p.Project, "below")
			code, msg := p.Status(New(p.App), append(tt.args, "--yes", "--binary", p.Binary)...)
			if code != 0 || !strings.Contains(p.Err.String(), tt.want) {
				t.Fatalf("install %v = %d, %s, %s; want 0 and %q", tt.args, code, msg, p.Err.String(), tt.want)
			}
			file := filepath.Join(p.Dir, tt.file)
			if found, err := register.Find(file, []byte(p.Read(t, file))); err != nil || len(found) == 0 {
				t.Errorf("install %v: %v, %v in %s; want handlers", tt.args, found, err, file)
			}
			if code, msg := p.Status(NewUninstall(p.App), append(tt.args, "--yes")...); code != 0 {
				t.Errorf("uninstall %v = %d, %s", tt.args, code, msg)
			}
			_, err := os.Stat(file)
			assert.True(t, os.IsNotExist(err), "uninstall %v left %s (%v)", tt.args, file, err)
		})
	}
}

func TestInstallWarnsOfCommentsAndKeepsThem(t *testing.T) {
	p := apptest.NewInProject(t)
	p.Write(t, p.Settings, "{\n  // mine\n  \"a\": 1\n}\n", 0o600)
	code, msg := p.Status(New(p.App), "--yes", "--binary", p.Binary)
	if code != 0 || !strings.Contains(p.Err.String(), "ignores the whole file") || !strings.Contains(p.Read(t, p.Settings), "// mine") {
		t.Errorf("install into a file with comments = %d, %s, %s:\n%s", code, msg, p.Err.String(), p.Read(t, p.Settings))
	}
}

func TestInstallReadsForLibraryFolders(t *testing.T) {
	p := apptest.NewInProject(t)
	p.Write(t, filepath.Join(p.Dir, ".config", "skillgate", "skillgate.yaml"), "libraries: [/srv/skills]\n", 0o600)
	code, msg := p.Status(New(p.App), "--yes", "--binary", p.Binary)
	require.Equal(t, 0, code, msg)
	assert.Contains(t, p.Read(t, p.Settings), `"^(Skill|Task|Agent|Read|mcp__.+__skill_load)$"`)
}

func TestBinaryPrefersThePlaceOnPath(t *testing.T) {
	p := apptest.NewInProject(t)
	link := filepath.Join(p.Dir, "link", "skillgate")
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o700))
	require.NoError(t, os.Symlink(self, link))
	p.App.Getenv = func(key string) string {
		if key == "PATH" {
			return "relative:" + filepath.Dir(link)
		}
		return ""
	}
	got, warnings, err := program(&options{app: p.App}, dirs.Dirs{})
	if err != nil || got != link || len(warnings) != 1 {
		t.Errorf("binary() = %q, %v, %v; want %q and a warning of the temporary folder", got, warnings, err, link)
	}
}

func TestUninstallDespiteABrokenFileOfTheRepository(t *testing.T) {
	for name, put := range map[string]func(file string) error{
		"broken":       func(file string) error { return os.WriteFile(file, []byte("{"), 0o600) },
		"a named pipe": func(file string) error { return systemtest.Mkfifo(file) },
	} {
		t.Run(name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			code, msg := p.Status(New(p.App), "--yes", "--binary", p.Binary)
			require.Equal(t, 0, code, msg)
			local := filepath.Join(p.Project, ".claude", "settings.local.json")
			require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(local), 0o700), put(local)))
			if code, msg := p.Status(NewUninstall(p.App), "--yes"); code != 3 || !strings.Contains(msg, "settings.local.json") {
				t.Errorf("uninstall = %d, %s; want 3 and the file's name", code, msg)
			}
			_, err := os.Stat(p.Settings)
			assert.True(t, os.IsNotExist(err), "uninstall left the hook in the user's file (%v)", err)
		})
	}
}

func TestInstallForEachHost(t *testing.T) {
	for _, host := range hooks.Hosts[1:] {
		t.Run(host.Name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			file := host.Files(p.Dir, p.Project, p.Getenv)[0].Path
			if host.Trusted != nil { // trust in an earlier hook
				p.Write(t, filepath.Join(filepath.Dir(file), "config.toml"), "[hooks.state.\""+file+":user_prompt_submit:0:0\"]\ntrusted_hash = \"sha256:f1\"\n", 0o600)
			}
			code, msg := p.Status(New(p.App), "--yes", "--host", host.Name, "--binary", p.Binary)
			require.Equal(t, 0, code, msg)
			assert.Contains(t, p.Out.String(), host.Inert)
			if found, err := register.Find(file, []byte(p.Read(t, file))); err != nil || len(found) != 1 {
				t.Errorf("Find(%s) = %v, %v; want one", file, found, err)
			}
			info, err := os.Stat(file)
			if script := host == &hooks.Cline; err != nil || (info.Mode()&0o100 != 0) != script {
				t.Errorf("the mode of %s is %v, %v; executable: want %v", file, info.Mode(), err, script)
			}
			code, msg = p.Status(NewUninstall(p.App), "--yes", "--host", host.Name)
			require.Equal(t, 0, code, msg)
			_, err = os.Stat(file)
			assert.True(t, os.IsNotExist(err), "after uninstall: %v, want no file", err)
		})
	}
}

// Files of programs that skillgate does not register with stay as they are, even if they run it.
func TestFilesOfUnknownHostsStay(t *testing.T) {
	p := apptest.NewInProject(t)
	files := map[string]string{
		".cursor/mcp.json":             `{"mcpServers":{"skillgate":{"command":"` + p.Binary + `","args":["mcp"]}}}`,
		".kiro/agents/skillgate.json":  `{"hooks":{"userPromptSubmit":[{"command":"` + p.Binary + ` hook --host kiro"}]}}`,
		".gemini/config/hooks.json":    `{"skillgate":{"PreInvocation":[{"command":"` + p.Binary + ` hook --host antigravity"}]}}`,
		".gemini/antigravity-cli/x.md": "mine",
	}
	for name, text := range files {
		p.Write(t, filepath.Join(p.Dir, name), text, 0o600)
	}
	for _, host := range []string{"cursor", "kiro", "antigravity"} {
		for _, cmd := range []*cobra.Command{New(p.App), NewUninstall(p.App)} {
			code, msg := p.Status(cmd, "--yes", "--host", host)
			assert.Equal(t, 3, code, msg)
		}
	}
	for _, host := range []string{"claude", "gemini"} {
		code, msg := p.Status(New(p.App), "--yes", "--host", host, "--binary", p.Binary)
		require.Equal(t, 0, code, msg)
		code, msg = p.Status(NewUninstall(p.App), "--yes", "--host", host)
		require.Equal(t, 0, code, msg)
	}
	for name, text := range files {
		assert.Equal(t, text, p.Read(t, filepath.Join(p.Dir, name)), name)
	}
}

func TestInstallNamesOtherHosts(t *testing.T) {
	p := apptest.NewInProject(t)
	for _, folder := range []string{".codex", ".qwen", ".gemini", ".cursor", ".kiro"} {
		require.NoError(t, os.MkdirAll(filepath.Join(p.Dir, folder), 0o700))
	}
	code, msg := p.Status(New(p.App), "--yes", "--host", "qwen", "--binary", p.Binary)
	require.Equal(t, 0, code, msg)
	code, msg = p.Status(New(p.App), "--yes", "--binary", p.Binary)
	require.Equal(t, 0, code, msg)
	if told := p.Err.String(); !strings.Contains(told, "Codex, Gemini CLI;") || !strings.Contains(told, "--host codex|gemini`") {
		t.Errorf("install says %q, want the hosts that are here and have no hook", told)
	}
	_, err := os.Stat(p.Settings)
	assert.NoError(t, err)
}

func TestInstallWarnsOfTheFileInstead(t *testing.T) {
	p := apptest.NewInProject(t)
	p.Write(t, filepath.Join(p.Dir, ".factory", "hooks.json"), "{}", 0o600)
	code, msg := p.Status(New(p.App), "--yes", "--host", "droid", "--binary", p.Binary)
	require.Equal(t, 0, code, msg)
	assert.Contains(t, p.Err.String(), "reads its hooks from ")
}

func TestUninstallSaysWhatRemains(t *testing.T) {
	p := apptest.NewInProject(t)
	from := filepath.Join(p.Dir, "_npx", "bin", "skillgate")
	p.Write(t, from, "small", 0o700)
	p.Write(t, filepath.Join(p.Dir, "_npx", "lib", "skillgate", "skillgate"), "complete", 0o700)
	require.NoError(t, self.Keep(from, p.Dir))
	code, msg := p.Status(New(p.App), "--yes", "--host", "gemini", "--binary", self.Lasting(p.Dir))
	require.Equal(t, 0, code, msg)
	const others, remove = "also registered with Gemini CLI; `skillgate uninstall --host gemini`",
		"`rm ~/.local/bin/skillgate ~/.local/lib/skillgate/skillgate`"
	for _, tt := range []struct {
		args           []string
		others, remove bool
	}{
		{[]string{"--yes"}, true, true},
		{[]string{"--yes", "--json"}, false, false},
		{[]string{"--host", "gemini", "--dry-run"}, false, false},
		{[]string{"--host", "gemini", "--yes"}, false, true},
	} {
		code, msg := p.Status(NewUninstall(p.App), tt.args...)
		if told := p.Err.String(); code != 0 || strings.Contains(told, others) != tt.others || strings.Contains(told, remove) != tt.remove {
			t.Errorf("uninstall %q = %d, %s and says %q; other hosts: want %v, the program: want %v", tt.args, code, msg, told, tt.others, tt.remove)
		}
		assert.Len(t, self.Kept(p.Dir), 2, tt.args)
	}
}

func TestInstallAsksOnce(t *testing.T) {
	tests := []struct {
		name    string
		here    []string
		args    []string
		answer  string
		want    string // file that is written
		message string
	}{
		{"Claude Code", []string{".claude", ".gemini"}, nil, "\n", ".claude/settings.json", "--host gemini"},
		{"nothing here yet", nil, nil, "\n", ".claude/settings.json", ""},
		{"one other host", []string{".gemini"}, nil, "y\n", ".gemini/settings.json", ""},
		{"two other hosts", []string{".gemini", ".codex"}, nil, "\n", ".claude/settings.json", "--host codex|gemini"},
		{"no", []string{".claude"}, nil, "n\n", "", "nothing was written: not confirmed"},
		{"the end of the input", []string{".claude"}, nil, "\x04", "", "nothing was written: not confirmed"},
		{"no question", []string{".claude"}, []string{"--yes"}, "n\n", ".claude/settings.json", ""},
		{"the hook", []string{".claude"}, []string{"--hook"}, "\n", ".claude/settings.json", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			require.NoError(t, os.RemoveAll(filepath.Join(p.Dir, ".claude")))
			for _, folder := range tt.here {
				require.NoError(t, os.MkdirAll(filepath.Join(p.Dir, folder), 0o700))
			}
			keys, tty, err := pty.Open()
			require.NoError(t, err)
			defer keys.Close()
			defer tty.Close()
			_, err = keys.WriteString(tt.answer)
			require.NoError(t, err)
			p.App.Stdin = tty
			code, msg := p.Status(New(p.App), append(tt.args, "--binary", p.Binary)...)
			var written []string
			for _, host := range hooks.Hosts {
				if file := host.Files(p.Dir, p.Project, p.Getenv)[0].Path; registers(p.App, dirs.Dirs{Home: p.Dir}, host) {
					name, _ := filepath.Rel(p.Dir, file)
					written = append(written, name)
				}
			}
			told := msg + p.Err.String()
			if (code == 0) != (tt.want != "") || strings.Join(written, " ") != tt.want || !strings.Contains(told, tt.message) {
				t.Errorf("install %q with %q = %d, %s; it registers with %q, want %q and the message %q", tt.args, tt.answer, code, told, written, tt.want, tt.message)
			}
			assert.NotContains(t, p.Out.String(), "UserPromptSubmit")
		})
	}
}

func TestInstallWhereTheClientRefusesThePlugin(t *testing.T) {
	p := apptest.NewInProject(t)
	said := filepath.Join(p.Dir, "said")
	p.Write(t, filepath.Join(p.Dir, "path", "claude"), "#!/bin/sh\necho \"$*\" >>'"+said+"'\n"+
		"case $* in --version) echo '2.1.330 (Claude Code)' ;; *install*) echo 'not allowed here' >&2; exit 1 ;; esac\n", 0o700)
	getenv := p.App.Getenv
	p.App.Getenv = func(name string) string {
		if name == "PATH" {
			return filepath.Join(p.Dir, "path")
		}
		return getenv(name)
	}
	if code, msg := p.Status(New(p.App), "--binary", p.Binary); code != 0 || !strings.Contains(p.Err.String(), "not allowed here") {
		t.Errorf("install = %d, %s, %s; want 0 and the client's reason", code, msg, p.Err.String())
	}
	if found, err := register.Find(p.Settings, []byte(p.Read(t, p.Settings))); err != nil || len(found) != handlers {
		t.Errorf("install registers %v, %v; want %d handlers", found, err, handlers)
	}
	if !strings.HasSuffix(p.Read(t, said), "plugin marketplace remove skillgate\n") {
		t.Errorf("the client was asked\n%s\nwant the marketplace removed at the end", p.Read(t, said))
	}
	if code, msg := p.Status(New(p.App), "--binary", p.Binary, "--plugin"); code != 3 || !strings.Contains(msg, "not allowed here") {
		t.Errorf("install --plugin = %d, %s; want 3 and the client's reason", code, msg)
	}
	left, _ := filepath.Glob(filepath.Join(p.Dir, ".local", "state", "skillgate", "plugin", "claude"))
	assert.Empty(t, left)
}
