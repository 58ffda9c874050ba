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
	Dir string // folder that the client reads
}

// Plugin returns the plugin of that name, the first where marketplaces share it, with the
// enabledPlugins of files. ok is false where none is installed or enabled.
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
		// A folder that is a marketplace is read itself, not the copy of it.
		if m := markets[market]; m.Source.Source == "directory" {
			if dir, found := listedIn(m.Location, name); found {
				p.Dir = dir
			}
		}
	}
	return p, ok
}

// enabled reports whether the strongest of files that speaks of a plugin enables it.
func enabled(files []File, id string) bool {
	on := false
	for _, f := range files {
		if v, ok := f.Values.EnabledPlugins[id]; ok {
			on = v
		}
	}
	return on
}

// Shortened reports whether skillgate's plugin shortens the list of skills, and to how many characters of the user's
// skills it does or would, with the options of files.
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

// listedIn returns the folder of a plugin in a marketplace, where that is a part of it.
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

// readJSON reads what fits of a file of the host's own, whose form may change.
func readJSON(file string, to any) {
	if text, err := regular.Read(file, 8<<20); err == nil {
		_ = json.Unmarshal(text, to)
	}
}

// hooksOf is a plugin's hooks as one more settings file.
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
