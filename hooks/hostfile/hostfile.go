// Package hostfile finds the settings files of the hosts and reads those of Claude Code.
package hostfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// Session describes a session of a host: its user's folders, working directory and environment.
type Session struct {
	Dirs   dirs.Dirs
	Cwd    string
	Getenv func(string) string
}

// File is one settings file of Claude Code.
type File struct {
	Scope string // a scope of hooks.SettingsFile, or "plugin"
	register.File
	Found  []register.Found
	Values Values
	Err    error // why the file cannot be read or parsed, or nil
	Plain  bool  // the file is plain JSON; Claude Code ignores other files
}

// Answers reports whether f registers skillgate's hook for prompts.
func (f File) Answers() bool {
	return slices.ContainsFunc(f.Found, func(h register.Found) bool {
		return h.Event == hooks.Claude.PromptEvent && h.Args[0] == "hook"
	})
}

// Values are the settings of Claude Code that skillgate uses. Values of an undocumented type are left out.
type Values struct {
	DisableAllHooks       bool
	AllowManagedHooksOnly bool
	BudgetFraction        float64           // skillListingBudgetFraction, 0 if not set
	MaxDescChars          int               // skillListingMaxDescChars, 0 if not set
	Overrides             map[string]string // skillOverrides
	EnabledPlugins        map[string]bool   // by name@marketplace
	Env                   map[string]string
	PluginConfigs         map[string]struct{ Options map[string]any } // by name@marketplace
	Model                 string
}

// Read reads the settings files of Claude Code that apply to s, lowest precedence first: the user's, the project's,
// the local file and the managed files. If skillgate's plugin is enabled, its hooks come last. Files that do not exist
// are left out.
func (s Session) Read() []File {
	policy := s.Dirs.Hosts.Policy
	files := append(s.Files(&hooks.Claude), hooks.SettingsFile{Scope: "managed", Path: policy.Managed})
	extra, _ := os.ReadDir(policy.ManagedParts) // the folder is optional
	for _, entry := range extra {
		if strings.HasSuffix(entry.Name(), ".json") && !strings.HasPrefix(entry.Name(), ".") {
			files = append(files, hooks.SettingsFile{Scope: "managed", Path: filepath.Join(policy.ManagedParts, entry.Name())})
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
	if p, ok := s.Plugin("skillgate", out); ok {
		out = append(out, p.hooksOf())
	}
	return out
}

func readValues(text []byte) Values {
	var raw map[string]json.RawMessage
	_ = json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &raw) // Find has reported syntax errors
	var v Values
	for key, dest := range map[string]any{
		"disableAllHooks": &v.DisableAllHooks, "allowManagedHooksOnly": &v.AllowManagedHooksOnly,
		"skillListingBudgetFraction": &v.BudgetFraction, "skillListingMaxDescChars": &v.MaxDescChars,
		"skillOverrides": &v.Overrides, "enabledPlugins": &v.EnabledPlugins, "env": &v.Env, "model": &v.Model,
		"pluginConfigs": &v.PluginConfigs,
	} {
		if value, ok := raw[key]; ok {
			_ = json.Unmarshal(value, dest) // the host reports a wrong type
		}
	}
	return v
}

// Files returns the settings files of host for the user and the project of s, the user's first. They may not exist.
func (s Session) Files(host *hooks.Host) []hooks.SettingsFile {
	return host.Files(s.Dirs.Home, gate.ProjectDir(s.Cwd, s.Dirs), s.Getenv)
}
