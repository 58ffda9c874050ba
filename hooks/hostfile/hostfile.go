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

// Session is a session of a host: whose it is and where it runs.
type Session struct {
	Dirs   dirs.Dirs
	Cwd    string
	Getenv func(string) string
}

// File is one settings file of Claude Code.
type File struct {
	Scope string // as of hooks.SettingsFile, or plugin
	register.File
	Found  []register.Found
	Values Values
	Err    error // it cannot be read or is not what a settings file may be
	Plain  bool  // false: Claude Code ignores it as a whole
}

// Answers reports whether f has the host ask skillgate about prompts.
func (f File) Answers() bool {
	return slices.ContainsFunc(f.Found, func(h register.Found) bool {
		return h.Event == hooks.Claude.PromptEvent && h.Args[0] == "hook"
	})
}

// Values are the settings of Claude Code that matter here. A value of another
// type than the documented one is left out.
type Values struct {
	DisableAllHooks       bool
	AllowManagedHooksOnly bool
	BudgetFraction        float64           // skillListingBudgetFraction, 0 when not set
	MaxDescChars          int               // skillListingMaxDescChars, 0 when not set
	Overrides             map[string]string // skillOverrides
	EnabledPlugins        map[string]bool   // by name@marketplace
	Env                   map[string]string
	PluginConfigs         map[string]struct{ Options map[string]any } // by name@marketplace
	Model                 string
}

// Read reads the settings files of Claude Code that a session in s reads, weakest first:
// the user's, the project's, the local one, the organisation's, and then the hooks of
// skillgate's plugin where that is enabled. Files that do not exist are left out.
func (s Session) Read() []File {
	policy := s.Dirs.Hosts.Policy
	files := append(s.Files(&hooks.Claude), hooks.SettingsFile{Scope: "managed", Path: policy.Managed})
	extra, _ := os.ReadDir(policy.ManagedParts) // an error is a folder that is not there
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
	_ = json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &raw) // Find has reported what is wrong
	var v Values
	for key, dest := range map[string]any{
		"disableAllHooks": &v.DisableAllHooks, "allowManagedHooksOnly": &v.AllowManagedHooksOnly,
		"skillListingBudgetFraction": &v.BudgetFraction, "skillListingMaxDescChars": &v.MaxDescChars,
		"skillOverrides": &v.Overrides, "enabledPlugins": &v.EnabledPlugins, "env": &v.Env, "model": &v.Model,
		"pluginConfigs": &v.PluginConfigs,
	} {
		if value, ok := raw[key]; ok {
			_ = json.Unmarshal(value, dest) // a wrong type is the host's to report
		}
	}
	return v
}

// Files returns the settings files of host that belong to the user or the project of s,
// the user's first. They need not exist.
func (s Session) Files(host *hooks.Host) []hooks.SettingsFile {
	return host.Files(s.Dirs.Home, gate.ProjectDir(s.Cwd, s.Dirs), s.Getenv)
}
