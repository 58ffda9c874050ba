package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/lint/source"
)

func above(s *Skill, name string) string {
	if s.Dir == "" {
		return ""
	}
	for dir, n := filepath.Dir(s.Dir), 0; n < maxAbove && dir != filepath.Dir(dir); dir, n = filepath.Dir(dir), n+1 {
		file := filepath.Join(dir, name)
		s.outside.record(file, stateOf(file))
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

const maxAbove = 4 // maximum number of levels from a skill's folder up to its project, as in .claude/skills/group/pdf

var sg144 = &Rule{ID: "SG144", Severity: Warning, Whole: func(l *Library, report Report) {
	seen := map[string]bool{}
	for _, s := range l.Skills {
		for _, name := range []string{
			lockFile, marketplaceFile, ".claude-plugin/plugin.json", "hooks/hooks.json", ".mcp.json",
		} {
			file := above(s, filepath.FromSlash(name))
			if file == "" || seen[file] {
				continue
			}
			seen[file] = true
			src, err := s.source(file, maxLock)
			if err != nil || len(src.Text) == maxLock {
				continue
			}
			if name == lockFile {
				checkLock(src, report)
			} else {
				checkHostFile(src, name, strings.TrimSuffix(file, filepath.FromSlash(name)), l.outside, report)
			}
		}
	}
}}

func checkHostFile(src *source.File, name, root string, o *outside, report Report) {
	var file struct {
		Name             string
		Commands, Agents any
		Hooks            any
		McpServers       map[string]struct{ Type, URL string }
		Metadata         struct{ PluginRoot string }
		Plugins          []struct {
			Name   string
			Source any
		}
	}
	if name == "hooks/hooks.json" && !o.exists(filepath.Join(root, ".claude-plugin", "plugin.json")) {
		return // the file belongs to another program
	}
	text := strings.TrimPrefix(src.Text, catalog.BOM)
	err := json.Unmarshal([]byte(text), &file)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at := int(syntax.Offset) + len(src.Text) - len(text)
		report(Problem{At: src.Line(src.LineAt(at)), Severity: Error,
			Text: "Claude Code does not load the file, because it is not valid JSON: " + syntax.Error()})
		return
	}
	at := func(value string) source.Place {
		if start, end, ok := src.Find(`"`+value+`"`, 0, len(src.Text)); ok {
			return src.Span(start, end)
		}
		return src.Whole()
	}
	refuse := func(value, format string, args ...any) {
		report(Problem{At: at(value), Severity: Error, Text: fmt.Sprintf("Claude Code refuses "+format, args...)})
	}
	switch name {
	case ".claude-plugin/plugin.json":
		if strings.Contains(file.Name, " ") {
			refuse(file.Name, "the plugin name %q, because it contains a space", file.Name)
		}
		parts := map[string]any{"commands": file.Commands, "agents": file.Agents}
		for _, key := range sortedNames(parts) {
			for _, p := range stringsIn(parts[key]) {
				if !strings.HasPrefix(p, "./") || key == "agents" && !strings.HasSuffix(p, ".md") {
					refuse(p, "the path %q in %s: paths must begin with ./, and paths of agents must end in .md", p, key)
				}
			}
		}
	case "hooks/hooks.json":
		checkHooks(file.Hooks, refuse)
	case ".mcp.json":
		for _, server := range sortedNames(file.McpServers) {
			if m := file.McpServers[server]; m.URL == "" && (m.Type == "http" || m.Type == "sse") {
				refuse(server, "the %s server %s, because it has no url", m.Type, server)
			}
		}
	}
	for _, p := range file.Plugins {
		from, ok := p.Source.(string)
		switch {
		case name != marketplaceFile || !ok:
		case file.Metadata.PluginRoot == "" && !strings.HasPrefix(from, "./"):
			refuse(from, "the plugin %s, because its source %q does not begin with ./", p.Name, from)
		case strings.Contains(from, "://") || leaves(from) || o.exists(filepath.Join(root, filepath.FromSlash(from))) ||
			o.exists(filepath.Join(root, filepath.FromSlash(file.Metadata.PluginRoot), filepath.FromSlash(from))):
		default:
			report.at(at(from), "plugin %s: its source %s does not exist", p.Name, from)
		}
	}
}

// stringsIn returns the strings in a JSON value: the value itself or the elements of a list.
func stringsIn(value any) (out []string) {
	if one, ok := value.(string); ok {
		return []string{one}
	}
	list, _ := value.([]any)
	for _, v := range list {
		if one, ok := v.(string); ok {
			out = append(out, one)
		}
	}
	return out
}

func checkHooks(hooks any, refuse func(value, format string, args ...any)) {
	events, _ := hooks.(map[string]any)
	for _, event := range sortedNames(events) {
		entries, _ := events[event].([]any)
		for _, entry := range entries {
			if fields, ok := entry.(map[string]any); ok {
				if _, ok := fields["hooks"].([]any); !ok {
					refuse(event, "an entry of %s, because it has no list of hooks", event)
				}
			}
		}
	}
}

const (
	lockFile        = "skills-lock.json" // written by npx skills at the top of a project
	marketplaceFile = ".claude-plugin/marketplace.json"
	maxLock         = 8 << 20 // bytes; longer files are not checked
)

func checkLock(src *source.File, report Report) {
	var lock struct {
		Version any
		Skills  map[string]struct{ Source, SourceType, SkillPath, ComputedHash any }
	}
	if err := json.Unmarshal([]byte(src.Text), &lock); err != nil {
		at := src.Whole()
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = src.Line(src.LineAt(int(syntax.Offset)))
		}
		report.at(at, "the file is not a JSON object that lists skills by name")
		return
	}
	if _, ok := lock.Version.(float64); !ok {
		report.at(src.Line(1), "version is not a number")
	}
	names := sortedNames(lock.Skills)
	if len(names) > 1 && !slices.ContainsFunc(names, func(name string) bool { return lock.Skills[name].Source != nil }) {
		report.at(src.Whole(), "no skill in the file has a source")
		return
	}
	for _, name := range names {
		one := lock.Skills[name]
		at := src.Whole()
		if start, end, ok := src.Find(`"`+name+`"`, 0, len(src.Text)); ok {
			at = src.Span(start, end)
		}
		for _, field := range []struct {
			name  string
			value any
		}{{"source", one.Source}, {"sourceType", one.SourceType}} {
			if v, ok := field.value.(string); !ok || v == "" {
				report.at(at, "%s has no %s", name, field.name)
			}
		}
		if hash, ok := one.ComputedHash.(string); one.ComputedHash != nil && (!ok || !sha256Hex.get().MatchString(hash)) {
			report.at(at, "%s: computedHash is not a SHA-256 hash in lower-case hexadecimal", name)
		}
		if file, ok := one.SkillPath.(string); one.SkillPath != nil && (!ok || leaves(strings.ReplaceAll(file, `\`, "/"))) {
			report.at(at, "%s: skillPath %v leads out of the source", name, one.SkillPath)
		}
	}
}

var sha256Hex = lazy(`^[0-9a-f]{64}$`)
