package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// hostFile is one settings file of Claude Code that a session in e.cwd reads.
type hostFile struct {
	settingsFile
	register.File
	found  []register.Found
	values hostValues
	err    error // it cannot be read or is not what a settings file may be
	plain  bool  // false: Claude Code ignores it as a whole
}

// hostValues are the settings of the host that matter here. A value of another
// type than the documented one is left out.
type hostValues struct {
	DisableAllHooks       bool
	AllowManagedHooksOnly bool
	BudgetFraction        float64           // skillListingBudgetFraction, 0 when not set
	MaxDescChars          int               // skillListingMaxDescChars, 0 when not set
	Overrides             map[string]string // skillOverrides
	Env                   map[string]string
}

// hostFiles reads the settings files of Claude Code, weakest first: the user's,
// the project's, the local one, the organisation's. Files that do not exist are
// left out.
func (e *env) hostFiles(d dirs.Dirs) []hostFile {
	files := e.settingsFiles(d, hooks.Claude)
	files = append(files, settingsFile{"managed", filepath.Join(d.Managed, "managed-settings.json")})
	extra, _ := os.ReadDir(filepath.Join(d.Managed, "managed-settings.d")) // an error is a folder that is not there
	for _, entry := range extra {
		if strings.HasSuffix(entry.Name(), ".json") && !strings.HasPrefix(entry.Name(), ".") {
			files = append(files, settingsFile{"managed", filepath.Join(d.Managed, "managed-settings.d", entry.Name())})
		}
	}
	var out []hostFile
	for _, file := range files {
		h := hostFile{settingsFile: file}
		h.File, h.err = register.ReadFile(file.path)
		if h.err == nil && !h.Exists {
			continue
		}
		if h.err == nil {
			h.plain = register.Plain(h.Text)
			h.found, h.err = register.Find(file.path, h.Text)
			if h.plain {
				h.values = readHostValues(h.Text)
			}
		}
		out = append(out, h)
	}
	return out
}

func readHostValues(text []byte) hostValues {
	var raw map[string]json.RawMessage
	_ = json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &raw) // Find has reported what is wrong
	var v hostValues
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

// listingLimits returns the budget of the host's skill listing and the cap on one
// description, in characters, as settings and environment have them. window is
// the model's context window in tokens.
func (e *env) listingLimits(files []hostFile, window int) (budget, maxDesc int) {
	fraction, maxDesc := 0.01, defaultMaxDesc
	fixed := e.getenv("SLASH_COMMAND_TOOL_CHAR_BUDGET")
	for _, f := range files {
		if f.values.BudgetFraction > 0 && f.values.BudgetFraction <= 1 {
			fraction = f.values.BudgetFraction
		}
		if f.values.MaxDescChars > 0 {
			maxDesc = f.values.MaxDescChars
		}
		if v, ok := f.values.Env["SLASH_COMMAND_TOOL_CHAR_BUDGET"]; ok {
			fixed = v
		}
	}
	if n, err := strconv.Atoi(fixed); err == nil && n > 0 {
		return n, maxDesc
	}
	return int(float64(window*charsPerToken(window)) * fraction), maxDesc
}

// charsPerToken is by what Claude Code turns its window into characters: 8,000 are
// left of 200,000 tokens at 1 %, and 30,000 of a million (measured with 2.1.197,
// Haiku 4.5 and Opus 4.8).
func charsPerToken(window int) int {
	if window > 200_000 {
		return 3
	}
	return 4
}

// nameOnly reports whether settings list a skill without its description.
func nameOnly(files []hostFile, name string) bool {
	for _, f := range slices.Backward(files) {
		if mode, ok := f.values.Overrides[name]; ok {
			return mode == "name-only"
		}
	}
	return false
}
