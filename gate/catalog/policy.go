package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/regular"
)

// Policy has the permissions from the host's settings files. The zero value enables no plugin and forbids nothing else.
type Policy struct {
	plugins   map[string]bool     // enabledPlugins: "name@marketplace"
	overrides map[string]string   // skillOverrides: "on", "name-only", "user-invocable-only", "off"
	skills    rules               // deny rules for the Skill tool
	agents    rules               // deny rules for the Agent tool
	elsewhere map[string][]string // by plugin: install folders that only other sessions use
}

type rules struct {
	all      bool // the whole tool is denied
	contents []string
}

// hostSettings is the part of a settings.json that concerns skills. Values are kept raw, so that one of an unexpected
// type does not make the others unreadable.
type hostSettings struct {
	EnabledPlugins map[string]json.RawMessage `json:"enabledPlugins"`
	SkillOverrides map[string]json.RawMessage `json:"skillOverrides"`
	Permissions    struct {
		Deny []json.RawMessage `json:"deny"`
	} `json:"permissions"`
}

// LoadPolicy reads the settings files for a session in cwd: the user's, the project's, the project's local and the
// organisation's. Each file overrides those before it, except that deny rules accumulate. A project's files are read
// only from the folder in which the session began. If cwd is "", there is no project.
//
// Like the host, LoadPolicy ignores a whole file if it is not plain JSON, even if it only has a comment or a trailing
// comma. The errors name those files with line and column; the policy holds the settings of the others.
func LoadPolicy(d dirs.Dirs, cwd string) (Policy, []error) {
	var p Policy
	var errs []error
	read := func(file, within string, limit int64) (size int64) {
		s, size, err := readSettings(file, within, limit)
		if err == nil {
			p.overlay(s)
		} else if !isAbsent(err) {
			errs = append(errs, fmt.Errorf("catalog: settings: %w", err))
		}
		return size
	}

	p.elsewhere = otherPlaces(d, cwd)
	files := d.Hosts.Policy
	read(files.User, "", maxSettings)
	if project, left := projectDirs(d.Home, cwd), int64(maxProjectSettings); len(project) > 0 {
		within := bounds(project)(project[0])
		for _, name := range files.Project {
			left -= read(filepath.Join(project[0], name), within, left)
		}
	}
	read(files.Managed, "", maxSettings)
	extra, _ := os.ReadDir(files.ManagedParts)
	for _, e := range extra {
		if strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
			read(filepath.Join(files.ManagedParts, e.Name()), "", maxSettings)
		}
	}
	return p, errs
}

const (
	maxSettings        = 8 << 20   // settings with thousands of permission rules take under 1 MB
	maxProjectSettings = 256 << 10 // bytes of all files of a project; reading them takes at most 50 ms
)

// readSettings reads a settings file of at most limit bytes and also returns its size. It follows no link out of
// within.
func readSettings(file, within string, limit int64) (s hostSettings, size int64, err error) {
	path, err := regular.Resolve(within, file)
	if err != nil {
		return s, 0, err
	}
	text, err := regular.Read(path, limit)
	if err != nil {
		return s, 0, err
	}
	size, text = int64(len(text)), trimBOM(text)
	if strings.TrimSpace(string(text)) == "" {
		return s, size, nil
	}
	err = jsonline.Read(text, &s)
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		before := text[:max(0, syntax.Offset-1)]
		return hostSettings{}, size, fmt.Errorf("%s:%d:%d: %w: the host ignores the whole file", file,
			1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'), err)
	case err != nil && !errors.As(err, &mismatch):
		return hostSettings{}, size, fmt.Errorf("%s: %w", file, err)
	}
	return s, size, nil
}

func (p *Policy) overlay(s hostSettings) {
	for id, raw := range s.EnabledPlugins {
		if p.plugins == nil {
			p.plugins = map[string]bool{}
		}
		p.plugins[id] = string(raw) == "true"
	}
	for name, raw := range s.SkillOverrides {
		var mode string
		if json.Unmarshal(raw, &mode) != nil {
			continue
		}
		if p.overrides == nil {
			p.overrides = map[string]string{}
		}
		p.overrides[name] = mode
	}
	for _, raw := range s.Permissions.Deny {
		var rule string
		if json.Unmarshal(raw, &rule) != nil {
			continue
		}
		switch tool, content := splitRule(rule); tool {
		case "*":
			p.skills.all, p.agents.all = true, true
		case "Skill":
			p.skills.add(content)
		case "Agent", "Task":
			p.agents.add(content)
		}
	}
}

// AllowsAll reports whether Allows is true for every entry of a pool that is not a plugin's.
func (p Policy) AllowsAll(pool Pool) bool {
	if pool == Agent {
		return !p.agents.all && len(p.agents.contents) == 0
	}
	return !p.skills.all && len(p.skills.contents) == 0 && len(p.overrides) == 0
}

func (r *rules) add(content string) {
	if content == "" {
		r.all = true
		return
	}
	r.contents = append(r.contents, content)
}

// splitRule splits a permission rule "Tool" or "Tool(content)". content is "" if the rule is about the whole tool.
func splitRule(rule string) (tool, content string) {
	rule = strings.TrimSpace(rule)
	tool, content, ok := strings.Cut(rule, "(")
	if !ok || !strings.HasSuffix(content, ")") || tool == "" {
		return rule, ""
	}
	content = strings.TrimSuffix(content, ")")
	content = strings.NewReplacer(`\(`, "(", `\)`, ")", `\\`, `\`).Replace(content)
	if content == "*" {
		content = ""
	}
	return tool, content
}

// Several reports whether a plugin is also installed in folders that this session does not use, so that Allows depends
// on path.
func (p Policy) Several(plugin string) bool { return len(p.elsewhere[plugin]) > 0 }

// Allows reports whether the model may run the entry whose file is path. plugin is "name@marketplace" for Source
// Plugin.
//
// A plugin from a marketplace must be enabled by enabledPlugins; a plugin in a skills folder must not be disabled by
// it. skillOverrides do not apply to plugins. An ask rule forbids nothing, since the host asks the user. Library skills
// are read as files, so no rule of the Skill tool applies to them.
func (p Policy) Allows(name string, pool Pool, source Source, plugin, path string) bool {
	if source == Plugin {
		if slices.ContainsFunc(p.elsewhere[plugin], func(dir string) bool { return below(dir, path) }) {
			return false
		}
		on, set := p.plugins[plugin]
		if !on && (set || !strings.HasSuffix(plugin, "@"+skillsDirMarket)) {
			return false
		}
	}
	switch {
	case pool == Agent:
		return !p.agents.all && !slices.Contains(p.agents.contents, name)
	case source == Library:
		return true
	}
	if mode := p.overrides[name]; source != Plugin && (mode == "off" || mode == "user-invocable-only") {
		return false
	}
	return !p.skills.all && !slices.ContainsFunc(p.skills.contents, func(c string) bool { return denies(c, name) })
}

// UserOnly reports whether skillOverrides reserve a skill for the user.
func (p Policy) UserOnly(name string, source Source) bool {
	return source != Plugin && p.overrides[name] == "user-invocable-only"
}

// denies matches a Skill rule's content like the host: exactly, or by prefix if it ends in ":*" or " *".
func denies(content, name string) bool {
	content = strings.TrimPrefix(content, "/")
	for _, any := range []string{":*", " *"} {
		if prefix, ok := strings.CutSuffix(content, any); ok {
			return strings.HasPrefix(name, prefix)
		}
	}
	return content == name
}
