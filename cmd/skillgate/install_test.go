package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// place is a machine of its own: a home folder, a project in it, a binary.
type place struct {
	home, project, binary string
	settings              string // the user's settings file
	env                   *env
	stdout, stderr        bytes.Buffer
}

func newPlace(t *testing.T) *place {
	t.Helper()
	home := t.TempDir()
	p := &place{home: home, project: filepath.Join(home, "project"), binary: filepath.Join(home, "bin", "skillgate"), settings: filepath.Join(home, ".claude", "settings.json")}
	for _, dir := range []string{filepath.Join(p.project, ".git"), filepath.Dir(p.binary), filepath.Dir(p.settings)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.write(t, p.binary, "#!/bin/sh\n", 0o700)
	vars := map[string]string{"HOME": home, "PATH": "/usr/bin:/bin"}
	p.env = &env{
		stdin: strings.NewReader(""), stdout: &p.stdout, stderr: &p.stderr, cwd: p.project,
		getenv: func(key string) string { return vars[key] },
		now:    func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) },
	}
	for key, value := range vars {
		p.env.environ = append(p.env.environ, key+"="+value)
	}
	return p
}

func (p *place) write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func (p *place) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs one command and returns its exit status and error text.
func (p *place) run(command func(*env) *cobra.Command, args ...string) (code int, message string) {
	p.stdout.Reset()
	p.stderr.Reset()
	cmd := command(p.env)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	var exit *exitError
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &exit):
		return exit.code, exit.Error() + "\n" + exit.hint
	}
	return 3, err.Error()
}

func (p *place) reports(t *testing.T) []editReport {
	t.Helper()
	var r []editReport
	if err := json.Unmarshal(p.stdout.Bytes(), &r); err != nil {
		t.Fatalf("--json printed %q: %v", p.stdout.String(), err)
	}
	return r
}

const someSettings = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n"

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
			p := newPlace(t)
			p.write(t, p.settings, tt.text, 0o640)
			if code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary); code != 0 {
				t.Fatalf("install = %d, %s", code, msg)
			}
			installed := p.read(t, p.settings)
			if found, err := register.Find(p.settings, []byte(installed)); err != nil || len(found) != 6 {
				t.Errorf("after install: %v, %v; want 6 handlers in\n%s", found, err, installed)
			}
			if info, err := os.Stat(p.settings); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode after install = %v, %v; want 0640", info.Mode(), err)
			}
			if code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary); code != 0 || !strings.Contains(p.stdout.String(), "already installed") {
				t.Errorf("second install = %d, %s: %s; want already installed", code, msg, p.stdout.String())
			}
			if code, msg := p.run(newUninstallCommand, "--yes"); code != 0 {
				t.Fatalf("uninstall = %d, %s", code, msg)
			}
			if got := p.read(t, p.settings); got != tt.text {
				t.Errorf("after uninstall: %q, want %q", got, tt.text)
			}
			if left, _ := filepath.Glob(p.settings + "?*"); len(left) > 0 {
				t.Errorf("after uninstall: %v are left", left)
			}
		})
	}
}

func TestInstallMakesAndUninstallRemovesTheFile(t *testing.T) {
	p := newPlace(t)
	if code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary); code != 0 {
		t.Fatalf("install = %d, %s", code, msg)
	}
	if info, err := os.Stat(p.settings); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("new settings file: %v, %v; want mode 0600", info, err)
	}
	if code, msg := p.run(newUninstallCommand, "--yes"); code != 0 || !strings.Contains(p.stdout.String(), "removed") {
		t.Errorf("uninstall = %d, %s: %s", code, msg, p.stdout.String())
	}
	if _, err := os.Stat(p.settings); !os.IsNotExist(err) {
		t.Errorf("after uninstall: %v, want no file", err)
	}
}

func TestUninstallKeepsLaterChanges(t *testing.T) {
	p := newPlace(t)
	p.write(t, p.settings, someSettings, 0o600)
	if code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary); code != 0 {
		t.Fatalf("install = %d, %s", code, msg)
	}
	p.write(t, p.settings, strings.Replace(p.read(t, p.settings), "opus", "haiku", 1), 0o600)
	if code, msg := p.run(newUninstallCommand, "--yes", "--json"); code != 0 {
		t.Fatalf("uninstall = %d, %s", code, msg)
	}
	if got, want := p.read(t, p.settings), strings.Replace(someSettings, "opus", "haiku", 1); got != want {
		t.Errorf("after uninstall: %q, want %q", got, want)
	}
	if r := p.reports(t); r[0].Status != "written" || r[0].Backup == "" || len(r[0].Changes) != 6 {
		t.Errorf("uninstall --json = %+v; want a written file, a backup, 6 changes", r[0])
	}
}

func TestInstallWritesNothingUnasked(t *testing.T) {
	tests := []struct {
		name string
		text string
		args []string
		code int
		want string // in the message or on stdout
	}{
		{"dry run", someSettings, []string{"--dry-run"}, 0, "+    \"UserPromptSubmit\": ["},
		{"no terminal", someSettings, nil, 3, "no terminal to ask on"},
		{"no terminal, JSON", someSettings, []string{"--json"}, 3, "--yes"},
		{"invalid settings", "{\n  \"a\": 1,,\n}", []string{"--yes"}, 3, "settings.json:2:10: "},
		{"settings of another shape", "{\"hooks\": 5}", []string{"--yes"}, 3, "settings.json:1:11: hooks: want an object of events"},
		{"unknown scope", "{}", []string{"--yes", "--scope", "world"}, 3, "--scope is \"world\""},
		{"unknown host", "{}", []string{"--yes", "--host", "emacs"}, 3, "--host is \"emacs\""},
		{"binary that is not there", "{}", []string{"--yes", "--binary", "/nowhere/skillgate"}, 3, "no such file"},
		{"binary of another name", "{}", []string{"--yes", "--binary", "/bin/sh"}, 3, "not named skillgate"},
		{"argument", "{}", []string{"--yes", "now"}, 3, "unknown command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.write(t, p.settings, tt.text, 0o600)
			args := append([]string{"--binary", p.binary}, tt.args...)
			code, msg := p.run(newInstallCommand, args...)
			if code != tt.code || !strings.Contains(msg+p.stdout.String(), tt.want) {
				t.Errorf("install %v = %d, %s, %s; want %d and %q", args, code, msg, p.stdout.String(), tt.code, tt.want)
			}
			if got := p.read(t, p.settings); got != tt.text {
				t.Errorf("install %v wrote %q", args, got)
			}
			if left, _ := filepath.Glob(p.settings + "?*"); len(left) > 0 {
				t.Errorf("install %v left %v", args, left)
			}
		})
	}
}

func TestInstallUpdatesAnotherPath(t *testing.T) {
	p := newPlace(t)
	old := strings.Replace(someSettings, `say done`, `/old/skillgate observe`, 1)
	p.write(t, p.settings, old, 0o600)
	if code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary); code != 0 {
		t.Fatalf("install = %d, %s", code, msg)
	}
	if got := p.read(t, p.settings); strings.Contains(got, "/old/") || strings.Count(got, p.binary) != 6 {
		t.Errorf("after install over an older one:\n%s", got)
	}
}

func TestInstallLooksAtOtherScopes(t *testing.T) {
	handlers := func(binary string) string {
		text, _, err := register.Install("f", nil, register.Handlers(hooks.Claude, binary, false))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	other := filepath.Join(t.TempDir(), "skillgate")
	if err := os.WriteFile(other, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		binary func(p *place) string
		code   int
		want   string
	}{
		{"the same command", func(p *place) string { return p.binary }, 0, "runs once"},
		{"a command that is gone", func(*place) string { return "/gone/skillgate" }, 0, "does not exist"},
		{"another command", func(*place) string { return other }, 3, "both would answer every prompt"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.write(t, filepath.Join(p.project, ".claude", "settings.json"), handlers(tt.binary(p)), 0o600)
			code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary)
			if code != tt.code || !strings.Contains(msg+p.stderr.String(), tt.want) {
				t.Errorf("install = %d, %s, %s; want %d and %q", code, msg, p.stderr.String(), tt.code, tt.want)
			}
		})
	}
}

func TestInstallScopesAndHosts(t *testing.T) {
	tests := []struct {
		args []string
		file string // below home
		want string
	}{
		{[]string{"--scope", "project"}, "project/.claude/settings.json", "shared with the repository"},
		{[]string{"--scope", "local"}, "project/.claude/settings.local.json", ""},
		{[]string{"--host", "codex"}, ".codex/hooks.json", ""},
		{[]string{"--host", "gemini", "--scope", "project"}, "project/.gemini/settings.json", ""},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			p := newPlace(t)
			p.env.cwd = filepath.Join(p.project, "below")
			code, msg := p.run(newInstallCommand, append(tt.args, "--yes", "--binary", p.binary)...)
			if code != 0 || !strings.Contains(p.stderr.String(), tt.want) {
				t.Fatalf("install %v = %d, %s, %s; want 0 and %q", tt.args, code, msg, p.stderr.String(), tt.want)
			}
			file := filepath.Join(p.home, tt.file)
			if found, err := register.Find(file, []byte(p.read(t, file))); err != nil || len(found) == 0 {
				t.Errorf("install %v: %v, %v in %s; want handlers", tt.args, found, err, file)
			}
			if code, msg := p.run(newUninstallCommand, append(tt.args, "--yes")...); code != 0 {
				t.Errorf("uninstall %v = %d, %s", tt.args, code, msg)
			}
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("uninstall %v left %s (%v)", tt.args, file, err)
			}
		})
	}
}

func TestInstallWarnsOfCommentsAndKeepsThem(t *testing.T) {
	p := newPlace(t)
	p.write(t, p.settings, "{\n  // mine\n  \"a\": 1\n}\n", 0o600)
	code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary)
	if code != 0 || !strings.Contains(p.stderr.String(), "ignores such a file") || !strings.Contains(p.read(t, p.settings), "// mine") {
		t.Errorf("install into a file with comments = %d, %s, %s:\n%s", code, msg, p.stderr.String(), p.read(t, p.settings))
	}
}

func TestInstallReadsForLibraryFolders(t *testing.T) {
	p := newPlace(t)
	p.write(t, filepath.Join(p.home, ".config", "skillgate", "skillgate.yaml"), "libraries: [/srv/skills]\n", 0o600)
	if code, msg := p.run(newInstallCommand, "--yes", "--binary", p.binary); code != 0 {
		t.Fatalf("install = %d, %s", code, msg)
	}
	if got := p.read(t, p.settings); !strings.Contains(got, `"Skill|Task|Agent|Read"`) {
		t.Errorf("install with libraries wrote\n%s", got)
	}
}

func TestBinaryPrefersThePlaceOnPath(t *testing.T) {
	p := newPlace(t)
	link := filepath.Join(p.home, "link", "skillgate")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	p.env.getenv = func(key string) string {
		if key == "PATH" {
			return "relative:" + filepath.Dir(link)
		}
		return ""
	}
	got, warnings, err := p.env.binary("")
	if err != nil || got != link || len(warnings) != 1 {
		t.Errorf("binary() = %q, %v, %v; want %q and a warning of the temporary folder", got, warnings, err, link)
	}
}
