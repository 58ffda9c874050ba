package catalog

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/regular"
)

// skillsDirMarket takes the place of the marketplace in a plugin's id: the
// plugin is a folder of a skills folder.
const skillsDirMarket = "skills-dir"

// install is one entry of installed_plugins.json. Version 1 has one object for
// each plugin id, version 2 a list of them, one for each scope.
type install struct {
	Scope       string `json:"scope"`
	InstallPath string `json:"installPath"`
}

// manifest is what a plugin.json or a plugin of a marketplace.json says of its
// skills, agents and commands: one path or a list of them, relative to the plugin.
type manifest struct {
	Name     string          `json:"name"`
	Source   json.RawMessage `json:"source"` // marketplace.json only
	Skills   json.RawMessage `json:"skills"`
	Agents   json.RawMessage `json:"agents"`
	Commands json.RawMessage `json:"commands"` // or objects with a "source", by the commands' names
}

// installedPlugins adds the skills and agents of every plugin in file.
func (l *lister) installedPlugins(file string) {
	var list struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if err := readJSON(file, &list); err != nil {
		if !isAbsent(err) {
			l.errs = append(l.errs, fmt.Errorf("catalog: installed plugins: %w", err))
		}
		return
	}
	for _, id := range slices.Sorted(maps.Keys(list.Plugins)) {
		path := installPath(list.Plugins[id])
		if path == "" {
			l.errs = append(l.errs, fmt.Errorf("catalog: %s: plugin %s has no installPath", file, id))
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			l.errs = append(l.errs, fmt.Errorf("catalog: plugin %s: %s is not a folder", id, path))
			continue
		}
		l.plugin(id, path, Root{})
	}
}

// installPath picks the install that most sessions see: the user's or the
// organisation's before one that belongs to a project.
func installPath(raw json.RawMessage) string {
	var all []install
	if jsonline.Read(raw, &all) != nil {
		var one install
		if jsonline.Read(raw, &one) != nil {
			return ""
		}
		all = []install{one}
	}
	path := ""
	for _, in := range all {
		if in.InstallPath == "" {
			continue
		}
		if in.Scope == "user" || in.Scope == "managed" || in.Scope == "" {
			return in.InstallPath
		}
		path = cmp.Or(path, in.InstallPath)
	}
	return path
}

// plugin adds the skills and agents of the plugin folder dir. Their roots are as local and
// as confined as the root in, which the folder lies in.
func (l *lister) plugin(id, dir string, in Root) {
	name, market, _ := strings.Cut(id, "@")
	var m manifest
	if err := readManifest(in.Within, dir, "plugin.json", &m); err != nil && !isAbsent(err) {
		l.errs = append(l.errs, fmt.Errorf("catalog: plugin %s: %w", id, err))
	}
	prefix := name + ":"
	if m.Name != "" {
		prefix = clean(m.Name) + ":"
	}
	skill := Root{Source: Plugin, Pool: Skill, Plugin: id, Prefix: prefix, Local: in.Local, Within: in.Within}
	agent := skill
	agent.Pool = Agent
	addAt := func(r Root, kind, rel string) {
		r.Path = filepath.Join(dir, filepath.FromSlash(rel))
		r.Label = kind + "/" + id
		if rel != "skills" && rel != "agents" {
			r.Label += "#" + strings.ReplaceAll(rel, "/", ":")
		}
		l.add(r)
	}

	standard := filepath.Join(dir, "skills")
	extra := l.inside(id, dir, m.Skills)
	if listed := l.marketSkills(name, id, dir, in.Within); listed != nil {
		extra = listed
		for _, rel := range listed {
			if rel == "skills" || rel == "." {
				addAt(skill, "plugin", "skills")
			}
		}
	} else {
		addAt(skill, "plugin", "skills")
		if _, err := os.Stat(standard); err != nil && len(extra) == 0 && market != skillsDirMarket {
			if info, err := os.Stat(filepath.Join(dir, "SKILL.md")); err == nil && info.Mode().IsRegular() {
				addAt(skill, "plugin", ".")
			}
		}
	}
	for _, rel := range extra {
		if rel != "skills" && rel != "." {
			addAt(skill, "plugin", rel)
		}
	}

	agents := l.inside(id, dir, m.Agents)
	if len(m.Agents) == 0 {
		agents = []string{"agents"}
	}
	for _, rel := range agents {
		addAt(agent, "plugin-agents", rel)
	}
}

// marketSkills returns the skills that a marketplace picks for a plugin that is
// the marketplace's whole repository, nil where it picks none. Several plugins
// of one repository then share a skills folder.
func (l *lister) marketSkills(name, id, dir, within string) []string {
	var market struct {
		Plugins []manifest `json:"plugins"`
	}
	if err := readManifest(within, dir, "marketplace.json", &market); err != nil {
		return nil
	}
	for _, m := range market.Plugins {
		var source string
		if m.Name == name && json.Unmarshal(m.Source, &source) == nil && strings.Trim(source, "./") == "" {
			return l.inside(id, dir, m.Skills)
		}
	}
	return nil
}

// inside returns the paths of a manifest entry, slash-separated and relative to
// the plugin. One that leaves the plugin is an error and left out.
func (l *lister) inside(id, dir string, raw json.RawMessage) []string {
	var paths []string
	if json.Unmarshal(raw, &paths) != nil {
		var one string
		if jsonline.Read(raw, &one) != nil {
			return nil
		}
		paths = []string{one}
	}
	var rels []string
	for _, p := range paths {
		rel := filepath.Clean(filepath.FromSlash(p))
		if !filepath.IsLocal(rel) || !staysIn(dir, filepath.Join(dir, rel)) {
			l.errs = append(l.errs, fmt.Errorf("catalog: plugin %s: path %q leaves the plugin", id, p))
			continue
		}
		rels = append(rels, filepath.ToSlash(rel))
	}
	return rels
}

// staysIn reports whether path, links resolved, is dir or lies below it. A path
// that does not exist is not a reason for doubt.
func staysIn(dir, path string) bool {
	_, err := regular.Resolve(dir, path)
	return err == nil || os.IsNotExist(err)
}

// below reports whether path is dir or lies under it, by name.
func below(dir, path string) bool {
	return path == dir ||
		strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// nestedPlugins adds the plugins among the folders of the user's and the
// project's skills roots: those that hold .claude-plugin/plugin.json.
func (l *lister) nestedPlugins() {
	for _, r := range l.roots {
		if r.Pool != Skill || r.Source != Personal && r.Source != Project {
			continue
		}
		folders, err := readNames(r.Path, maxLocalEntries)
		if err != nil {
			continue // Files reports it
		}
		for _, f := range folders {
			dir := filepath.Join(r.Path, f.Name())
			if !f.IsDir() && f.Type()&os.ModeSymlink == 0 || skipFolder(f.Name()) {
				continue
			}
			file, err := regular.Resolve(r.Within, filepath.Join(dir, ".claude-plugin", "plugin.json"))
			if errors.Is(err, regular.ErrOutside) {
				l.errs = append(l.errs, fmt.Errorf("catalog: %w", err))
			}
			if err != nil {
				continue
			}
			info, err := os.Stat(file)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			var m manifest
			name := f.Name()
			if readJSON(file, &m) == nil && m.Name != "" {
				name = clean(m.Name)
			}
			l.plugin(name+"@"+skillsDirMarket, dir, r)
		}
	}
}

// readManifest reads a file of a plugin's .claude-plugin folder, through no link that leads
// out of within.
func readManifest(within, dir, file string, to any) error {
	path, err := regular.Resolve(within, filepath.Join(dir, ".claude-plugin", file))
	if err != nil {
		return err
	}
	return readJSON(path, to)
}

const maxManifest = 4 << 20 // a marketplace of several hundred plugins is under 1 MB

// readJSON reads one JSON file that a program wrote. Values of an unexpected
// type are left at zero.
func readJSON(file string, to any) error {
	text, err := regular.Read(file, maxManifest)
	if err != nil {
		return err
	}
	err = jsonline.Read(trimBOM(text), to)
	var mismatch *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &mismatch) {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
