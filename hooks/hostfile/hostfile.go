// Package hostfile knows the settings files of the hosts: where they are and, of Claude
// Code's, what they say.
package hostfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// Session is a session of a host: whose it is and where it runs.
type Session struct {
	Dirs   dirs.Dirs
	Cwd    string
	Getenv func(string) string
}

// File is one settings file of Claude Code.
type File struct {
	Scope string // as of Place
	register.File
	Found  []register.Found
	Values Values
	Err    error // it cannot be read or is not what a settings file may be
	Plain  bool  // false: Claude Code ignores it as a whole
}

// Values are the settings of Claude Code that matter here. A value of another
// type than the documented one is left out.
type Values struct {
	DisableAllHooks       bool
	AllowManagedHooksOnly bool
	BudgetFraction        float64           // skillListingBudgetFraction, 0 when not set
	MaxDescChars          int               // skillListingMaxDescChars, 0 when not set
	Overrides             map[string]string // skillOverrides
	Env                   map[string]string
}

// Read reads the settings files of Claude Code that a session in s reads, weakest first:
// the user's, the project's, the local one, the organisation's. Files that do not exist
// are left out.
func (s Session) Read() []File {
	d := s.Dirs
	files := s.Places(hooks.Claude)
	files = append(files, Place{"managed", filepath.Join(d.Managed, "managed-settings.json")})
	extra, _ := os.ReadDir(filepath.Join(d.Managed, "managed-settings.d")) // an error is a folder that is not there
	for _, entry := range extra {
		if strings.HasSuffix(entry.Name(), ".json") && !strings.HasPrefix(entry.Name(), ".") {
			files = append(files, Place{"managed", filepath.Join(d.Managed, "managed-settings.d", entry.Name())})
		}
	}
	var out []File
	for _, file := range files {
		h := File{Scope: file.Scope}
		h.File, h.Err = register.ReadFile(file.Path)
		if h.Err == nil && !h.Exists {
			continue
		}
		if h.Err == nil {
			h.Plain = register.Plain(h.Text)
			h.Found, h.Err = register.Find(file.Path, h.Text)
			if h.Plain {
				h.Values = readValues(h.Text)
			}
		}
		out = append(out, h)
	}
	return out
}

func readValues(text []byte) Values {
	var raw map[string]json.RawMessage
	_ = json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &raw) // Find has reported what is wrong
	var v Values
	for key, dest := range map[string]any{
		"disableAllHooks": &v.DisableAllHooks, "allowManagedHooksOnly": &v.AllowManagedHooksOnly,
		"skillListingBudgetFraction": &v.BudgetFraction, "skillListingMaxDescChars": &v.MaxDescChars,
		"skillOverrides": &v.Overrides, "env": &v.Env,
	} {
		if value, ok := raw[key]; ok {
			_ = json.Unmarshal(value, dest) // a wrong type is the host's to report
		}
	}
	return v
}

// Place is where one settings file of a host is.
type Place struct {
	Scope string // user, project, local or managed
	Path  string
}

// Places returns the settings files of host that a session in s reads and that belong to
// the user or the project, the user's first. They need not exist.
func (s Session) Places(host hooks.Host) []Place {
	d := s.Dirs
	project := gate.ProjectDir(s.Cwd, d)
	switch host {
	case hooks.Codex:
		home := s.Getenv("CODEX_HOME")
		if !filepath.IsAbs(home) {
			home = filepath.Join(d.Home, ".codex")
		}
		return []Place{
			{"user", filepath.Join(home, "hooks.json")},
			{"project", filepath.Join(project, ".codex", "hooks.json")},
		}
	case hooks.Gemini:
		return []Place{
			{"user", filepath.Join(d.Home, ".gemini", "settings.json")},
			{"project", filepath.Join(project, ".gemini", "settings.json")},
		}
	}
	files := []Place{{"user", filepath.Join(d.Claude, "settings.json")}}
	if dir := filepath.Join(project, ".claude"); dir != d.Claude {
		files = append(files,
			Place{"project", filepath.Join(dir, "settings.json")},
			Place{"local", filepath.Join(dir, "settings.local.json")})
	}
	return files
}
