package hostfile

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// Plugin is a plugin of Claude Code that is installed and enabled.
type Plugin struct {
	ID  string // name@marketplace
	Dir string // the folder that Claude Code reads
}

// Plugin returns the installed plugin named name that the settings in files enable. If several marketplaces have such a
// plugin, Plugin returns the one whose ID sorts first. If there is none, ok is false.
func (s Session) Plugin(name string, files []File) (p Plugin, ok bool) {
	folder := filepath.Join(hooks.Claude.Home(s.Dirs.Home, s.Getenv), "plugins")
	var installed struct {
		Plugins map[string][]struct {
			Path string `json:"installPath"`
		} `json:"plugins"`
	}
	var markets map[string]struct {
		Source struct {
			Source string `json:"source"`
		} `json:"source"`
		Location string `json:"installLocation"`
	}
	readJSON(filepath.Join(folder, "installed_plugins.json"), &installed)
	readJSON(filepath.Join(folder, "known_marketplaces.json"), &markets)
	for id, at := range installed.Plugins {
		market, found := strings.CutPrefix(id, name+"@")
		if !found || len(at) == 0 || !enabled(files, id) || ok && id > p.ID {
			continue
		}
		p, ok = Plugin{ID: id, Dir: at[0].Path}, true
		// Claude Code reads a plugin of a local marketplace in place and ignores its copy.
		if m := markets[market]; m.Source.Source == "directory" {
			if dir, found := listedIn(m.Location, name); found {
				p.Dir = dir
			}
		}
	}
	return p, ok
}

// enabled returns the enabledPlugins value for id in the file with the highest precedence that has one.
func enabled(files []File, id string) bool {
	on := false
	for _, f := range files {
		if v, ok := f.Values.EnabledPlugins[id]; ok {
			on = v
		}
	}
	return on
}

// Shortened reports whether the options in files make skillgate's plugin shorten the skill list, and returns the
// configured limit on the length of the user's skills in that list, in characters.
func (s Session) Shortened(files []File) (chars int, on bool) {
	chars = 2000
	p, ok := s.Plugin("skillgate", files)
	for _, f := range files {
		options := f.Values.PluginConfigs[p.ID].Options
		if v, set := options["listing"].(bool); set {
			on = v
		}
		if n, set := options["listing_characters"].(float64); set {
			chars = int(n)
		}
	}
	return chars, on && ok
}

// listedIn returns the folder of the plugin with that name in the marketplace folder market.
func listedIn(market, name string) (dir string, ok bool) {
	var m struct {
		Plugins []struct {
			Name   string          `json:"name"`
			Source json.RawMessage `json:"source"`
		} `json:"plugins"`
	}
	readJSON(filepath.Join(market, ".claude-plugin", "marketplace.json"), &m)
	for _, p := range m.Plugins {
		var relative string
		if p.Name == name && json.Unmarshal(p.Source, &relative) == nil && filepath.IsLocal(relative) {
			return filepath.Join(market, relative), true
		}
	}
	return "", false
}

// readJSON ignores errors, because the format of the host's own files may change.
func readJSON(file string, to any) {
	if text, err := regular.Read(file, 8<<20); err == nil {
		_ = json.Unmarshal(text, to)
	}
}

func (p Plugin) hooksOf() File {
	f := File{Scope: "plugin", Plain: true}
	if f.File, f.Err = register.ReadFile(filepath.Join(p.Dir, "hooks", "hooks.json")); f.Err != nil {
		return f
	}
	f.Found, f.Err = register.Find(f.Path, f.Text)
	for i := range f.Found {
		f.Found[i].Command = strings.ReplaceAll(f.Found[i].Command, "${CLAUDE_PLUGIN_ROOT}", p.Dir)
	}
	return f
}
