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

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/regular"
)

// skillsDirMarket takes the place of the marketplace in the ID of a plugin that lives in a skills folder.
const skillsDirMarket = "skills-dir"

type install struct {
	Scope       string `json:"scope"`
	InstallPath string `json:"installPath"`
	ProjectPath string `json:"projectPath"` // project for which it is installed; "" for all projects
}

// readInstalls returns the rows of each plugin in file with absolute paths. Version 1 of the file has one row for
// each plugin, version 2 a list.
func readInstalls(file string) (map[string][]install, error) {
	var list struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if err := readJSON(file, &list); err != nil {
		return nil, err
	}
	out := map[string][]install{}
	for id, raw := range list.Plugins {
		var rows []install
		if jsonline.Read(raw, &rows) != nil {
			var one install
			if jsonline.Read(raw, &one) == nil {
				rows = []install{one}
			}
		}
		rows = slices.DeleteFunc(rows, func(in install) bool { return in.InstallPath == "" })
		for i := range rows {
			rows[i].InstallPath = dirs.Absolute(filepath.Dir(file), rows[i].InstallPath)
		}
		out[id] = rows
	}
	return out, nil
}

// otherPlaces returns, by plugin, the install folders that a session in cwd does not use. The session uses the first
// install that is for all projects or for a folder from cwd up to its repository root.
func otherPlaces(d dirs.Dirs, cwd string) map[string][]string {
	var out map[string][]string
	project := projectDirs(d.Home, cwd)
	if repository(project) == "" {
		project = []string{cwd}
	}
	for _, file := range d.Hosts.Plugins {
		list, err := readInstalls(file)
		if err != nil {
			continue // Roots reports the error
		}
		for id, rows := range list {
			counts := slices.IndexFunc(rows, func(in install) bool {
				return in.ProjectPath == "" ||
					slices.ContainsFunc(project, func(dir string) bool { return sameDir(dir, in.ProjectPath) })
			})
			for _, in := range rows {
				if counts >= 0 && in.InstallPath == rows[counts].InstallPath {
					continue
				}
				if out == nil {
					out = map[string][]string{}
				}
				out[id] = append(out[id], in.InstallPath)
			}
		}
	}
	return out
}

// manifest is a plugin.json, or a plugin of a marketplace.json. Its skills, agents and commands are one path or a
// list of paths relative to the plugin.
type manifest struct {
	Name     string          `json:"name"`
	Source   json.RawMessage `json:"source"` // set only in marketplace.json
	Skills   json.RawMessage `json:"skills"`
	Agents   json.RawMessage `json:"agents"`
	Commands json.RawMessage `json:"commands"` // paths, or a map from names to objects with a "source"
}

func (m *manifest) source() string {
	var source string
	_ = json.Unmarshal(m.Source, &source) // fails for an object, which describes a source outside the marketplace
	return source
}

// wholeMarket reports whether the plugin's folder is the whole marketplace. Other plugins may then share it.
func (m *manifest) wholeMarket() bool {
	return m.source() != "" && strings.Trim(m.source(), "./") == ""
}

type marketplace struct {
	file    string              // file that lists the plugins
	folder  string              // folder of plugins that are read in place; "" if they are copied
	root    string              // subfolder of folder that contains the sources without a leading "./"
	plugins map[string]manifest // nil if file cannot be read
}

// marketplaces returns the marketplaces known to the host whose plugins file is file, or nil if it has no list of them.
func marketplaces(file string) map[string]marketplace {
	var known map[string]struct {
		Source struct {
			Source string `json:"source"`
			Path   string `json:"path"`
		} `json:"source"`
		InstallLocation string `json:"installLocation"`
	}
	if readJSON(knownMarkets(file), &known) != nil || known == nil {
		return nil
	}
	out := map[string]marketplace{}
	for name, k := range known {
		m := marketplace{file: filepath.Join(k.InstallLocation, manifestFolder, marketFile)}
		switch k.Source.Source {
		case "directory":
			m.folder, m.file = k.Source.Path, filepath.Join(k.Source.Path, manifestFolder, marketFile)
		case "file":
			m.folder, m.file = filepath.Dir(k.Source.Path), k.Source.Path
			if filepath.Base(m.folder) == manifestFolder {
				m.folder = filepath.Dir(m.folder)
			}
		}
		var list struct {
			Plugins  []manifest `json:"plugins"`
			Metadata struct {
				PluginRoot string `json:"pluginRoot"`
			} `json:"metadata"`
		}
		if filepath.IsAbs(m.file) && readJSON(m.file, &list) == nil {
			m.root, m.plugins = list.Metadata.PluginRoot, map[string]manifest{}
			for _, p := range list.Plugins {
				m.plugins[p.Name] = p
			}
		}
		out[name] = m
	}
	return out
}

const (
	manifestFolder = ".claude-plugin"
	marketFile     = "marketplace.json"
)

func knownMarkets(file string) string {
	return filepath.Join(filepath.Dir(file), "known_marketplaces.json")
}

// place returns the folder of a plugin that is read in place, or "".
func (m marketplace) place(p manifest) string {
	source := p.source()
	if m.folder == "" || source == "" {
		return ""
	}
	if !strings.HasPrefix(source, "./") {
		source = filepath.Join(m.root, source)
	}
	if !filepath.IsLocal(source) {
		return ""
	}
	return filepath.Join(m.folder, source)
}

// PluginFiles returns the files that list installed plugins, marketplaces, and plugins that are read in place.
func PluginFiles(d dirs.Dirs) []string {
	var out []string
	for _, file := range d.Hosts.Plugins {
		out = append(out, file, knownMarkets(file))
		for _, m := range marketplaces(file) {
			if m.folder != "" {
				out = append(out, m.file)
			}
		}
	}
	slices.Sort(out)
	return out
}

// installedPlugins adds the skills, agents and commands of every plugin in file, for any project. It does the same for
// plugins that are read in place in the marketplaces of the same host.
func (l *lister) installedPlugins(file string) {
	list, err := readInstalls(file)
	if err != nil && !isAbsent(err) {
		l.errs = append(l.errs, fmt.Errorf("catalog: installed plugins: %w", err))
	}
	markets := marketplaces(file)
	for _, market := range slices.Sorted(maps.Keys(markets)) {
		m := markets[market]
		for _, name := range slices.Sorted(maps.Keys(m.plugins)) {
			p := m.plugins[name]
			if dir := m.place(p); dir != "" {
				delete(list, name+"@"+market)
				l.plugin(name+"@"+market, dir, Root{}, &p)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(list)) {
		name, market, _ := strings.Cut(id, "@")
		m, known := markets[market]
		p, has := m.plugins[name]
		switch {
		case markets != nil && !known, m.plugins != nil && !has:
			continue // the host does not load the plugin
		case len(list[id]) == 0:
			l.errs = append(l.errs, fmt.Errorf("catalog: %s: plugin %s has no installPath", file, id))
		}
		entry := &p
		if !has {
			entry = nil
		}
		seen := map[string]bool{}
		for _, in := range list[id] {
			if !seen[in.InstallPath] {
				l.plugin(id, in.InstallPath, Root{}, entry)
			}
			seen[in.InstallPath] = true
		}
	}
}

// plugin adds the skills, agents and commands of the plugin folder dir. entry is the plugin's entry in the marketplace,
// or nil if unknown. in is the root that contains dir; the plugin's roots inherit its Local and Within.
func (l *lister) plugin(id, dir string, in Root, entry *manifest) {
	name, market, _ := strings.Cut(id, "@")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		l.errs = append(l.errs, fmt.Errorf("catalog: plugin %s: %s is not a folder", id, dir))
		return
	}
	var m manifest
	if err := readManifest(in.Within, dir, "plugin.json", &m); err != nil && !isAbsent(err) {
		l.errs = append(l.errs, fmt.Errorf("catalog: plugin %s: %w", id, err)) // the host does not load it
		return
	}
	if strings.Contains(m.Name, " ") {
		l.errs = append(l.errs, fmt.Errorf("catalog: plugin %s: the host rejects the name %q because it contains a space",
			id, m.Name))
		return
	}
	if entry == nil {
		entry = wholeMarket(name, dir, in.Within)
	}
	r := Root{Source: Plugin, Plugin: id, Prefix: cmp.Or(clean(m.Name), name) + ":", Local: in.Local, Within: in.Within}
	var roots []Root
	bad := false // set if the host does not load the plugin
	add := func(pool Pool, kind, standard string, raw json.RawMessage) (n int) {
		for _, p := range pathsOf(raw) {
			rel := filepath.Clean(filepath.FromSlash(p.path))
			if !filepath.IsLocal(rel) || rel != standard && !staysIn(dir, filepath.Join(dir, rel)) {
				l.errs = append(l.errs, fmt.Errorf("catalog: plugin %s: path %q leads outside the plugin", id, p.path))
				bad = bad || !filepath.IsLocal(rel)
				continue
			}
			n++
			r := r
			r.Pool, r.Path, r.Label, r.As = pool, filepath.Join(dir, rel), kind+"/"+id, p.name
			if rel = filepath.ToSlash(rel); rel != standard {
				r.Label += "#" + strings.ReplaceAll(rel, "/", ":")
			}
			roots = append(roots, r)
		}
		return n
	}
	const skills, commands = `"skills"`, `"commands"`
	extra := 0
	shared := entry.wholeMarket() && len(entry.Skills)+len(entry.Commands) > 0
	if !shared {
		add(Skill, "plugin", "skills", json.RawMessage(skills))
		extra = add(Skill, "plugin", "skills", m.Skills)
	}
	extra += add(Skill, "plugin", "skills", entry.Skills)
	if _, err := os.Stat(filepath.Join(dir, "skills")); err != nil && extra == 0 && market != skillsDirMarket {
		if info, err := os.Stat(filepath.Join(dir, SkillMD)); err == nil && info.Mode().IsRegular() {
			add(Skill, "plugin", "skills", json.RawMessage(`"."`))
		}
	}
	add(Agent, "plugin-agents", "agents", orDefault(m.Agents, `"agents"`))
	add(Command, "plugin-commands", "commands", orDefault(m.Commands, commands))
	add(Command, "plugin-commands", "commands", entry.Commands)
	if bad {
		return
	}
	for _, r := range roots {
		l.add(r)
	}
}

func orDefault(raw json.RawMessage, standard string) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage(standard)
	}
	return raw
}

// named is a path in a manifest with the name that the manifest gives it, or "".
type named struct{ path, name string }

func pathsOf(raw json.RawMessage) []named {
	var out []named
	var one string
	var list []string
	var byName map[string]struct {
		Source string `json:"source"`
	}
	switch {
	case json.Unmarshal(raw, &one) == nil && one != "":
		out = append(out, named{path: one})
	case json.Unmarshal(raw, &list) == nil:
		for _, path := range list {
			out = append(out, named{path: path})
		}
	case json.Unmarshal(raw, &byName) == nil:
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			if source := byName[name].Source; source != "" {
				out = append(out, named{source, name})
			}
		}
	}
	return out
}

// wholeMarket returns the marketplace's entry of a plugin that is the whole repository of the marketplace, and an
// empty entry for any other plugin.
func wholeMarket(name, dir, within string) *manifest {
	var market struct {
		Plugins []manifest `json:"plugins"`
	}
	_ = readManifest(within, dir, marketFile, &market) // most plugins have no marketplace file
	for _, m := range market.Plugins {
		if m.Name == name && m.wholeMarket() {
			return &m
		}
	}
	return &manifest{}
}

// staysIn reports whether path, links resolved, is dir or below it. It is true for a path that does not exist.
func staysIn(dir, path string) bool {
	_, err := regular.Resolve(dir, path)
	return err == nil || os.IsNotExist(err)
}

func below(dir, path string) bool {
	return path == dir ||
		strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// nestedPlugins adds the plugins in the user's and the project's skills roots: the folders that contain
// .claude-plugin/plugin.json.
func (l *lister) nestedPlugins() {
	for _, r := range l.roots {
		if r.Pool != Skill || r.Source != Personal && r.Source != Project {
			continue
		}
		folders, err := readNames(r.Path, maxLocalEntries)
		if err != nil {
			continue // Files reports the error
		}
		for _, f := range folders {
			if !f.IsDir() && f.Type()&os.ModeSymlink == 0 || skipFolder(f.Name()) {
				continue
			}
			file, err := regular.Resolve(r.Within, filepath.Join(r.Path, f.Name(), manifestFolder, "plugin.json"))
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
			l.plugin(name+"@"+skillsDirMarket, filepath.Join(r.Path, f.Name()), r, nil)
		}
	}
}

// readManifest reads a file of a plugin's .claude-plugin folder. It follows no link out of within.
func readManifest(within, dir, file string, to any) error {
	path, err := regular.Resolve(within, filepath.Join(dir, manifestFolder, file))
	if err != nil {
		return err
	}
	return readJSON(path, to)
}

const maxManifest = 4 << 20 // a marketplace of several hundred plugins is under 1 MB

// readJSON reads one JSON file that a program wrote. Values of an unexpected type stay zero.
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
