package lint

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/lint/source"
)

// Collect adds the files of the roots outside skills. It reports whether they contain a plugin, an agent or a command.
func (l *Library) Collect(ctx context.Context, roots []catalog.Root, display func(string) string) (hosted bool) {
	size := 0
	for _, root := range roots {
		if root.Source != catalog.Library {
			continue
		}
		_ = filepath.WalkDir(root.Path, func(file string, e fs.DirEntry, err error) error {
			name := filepath.Base(file)
			switch {
			case err != nil && e != nil && e.IsDir():
				return fs.SkipDir
			case err != nil || ctx.Err() != nil:
				return cmp.Or(err, ctx.Err())
			case e.IsDir():
				_, skill := os.Lstat(filepath.Join(file, skillFile))
				if file != root.Path && (skill == nil || words("noParts")[name] || path.Ext(name) == ".git" || ForTests(name+"/")) {
					return fs.SkipDir
				}
				l.outside.record(file, stateOf(file))
				return nil
			}
			rel, _ := filepath.Rel(root.Path, file)
			kind := partKind(filepath.ToSlash(rel))
			if kind == "" || !e.Type().IsRegular() {
				return nil
			}
			if l.partial = len(l.parts) == maxParts || size > maxPartsSize; l.partial {
				return fs.SkipAll
			}
			if text, err := l.outside.read(file, maxBeside); err == nil && (len(text) <= maxData || !isConfig(name) ||
				words("hostFiles")[name]) && (path.Ext(name) != "" || utf8.ValidString(text)) {
				size += len(text)
				l.parts = append(l.parts, l.newPart(root, kind, file, display(file), strings.ToValidUTF8(text, "�")))
				hosted = hosted || kind == agentPart || kind == commandPart || name == "hooks.json" || name == "plugin.json"
			}
			return nil
		})
	}
	l.findPlugins()
	return hosted
}

const (
	maxParts     = 3000     // files outside the skills, and plugins of marketplaces
	maxPartsSize = 32 << 20 // total bytes of the files outside the skills
	maxEntries   = 1000     // plugins of one marketplace that are checked
	maxSaid      = 100      // findings in one file
)

// Kinds of parts: agents and commands are Markdown with frontmatter, pages are read in every session.
const (
	agentPart   = "agent"
	commandPart = "command"
	pagePart    = "page"
	filePart    = "file"
	flatPart    = "flat" // Markdown in a folder of skills
)

// partRules maps the ID of a rule to the kinds of parts that the rule checks too. Rules with Danger check all parts.
var partRules = map[string]string{"SG101": promptParts, "SG102": promptParts, "SG103": promptParts,
	"SG106": promptParts, "SG107": agentPart, "SG114": promptParts, "SG117": agentPart, "SG128": everyPart,
	"SG129": everyPart, "SG145": promptParts, "SG147": promptParts, "SG148": everyPart, "SG206": agentPart}

const promptParts = agentPart + commandPart
const everyPart = promptParts + pagePart + filePart + flatPart

func partKind(rel string) string {
	folders := strings.Split(path.Dir(rel), "/")
	switch {
	case !isMarkdown(rel):
		if isScript(rel) || isConfig(rel) && !expr("shownFile").MatchString(rel) || expr("packageList").MatchString(rel) {
			return filePart
		}
	case expr("sessionPage").MatchString(rel):
		return pagePart
	case strings.EqualFold(path.Base(rel), "README.md"):
	case path.Base(path.Dir(rel)) == "skills":
		return flatPart
	case expr("ofOtherHost").MatchString(rel):
		return pagePart
	case slices.Contains(folders, "agents"):
		return agentPart
	case slices.Contains(folders, "commands"), slices.Contains(folders, "output-styles"):
		return commandPart
	}
	return ""
}

func (l *Library) newPart(root catalog.Root, kind, file, display, text string) *Skill {
	s := &Skill{Dir: filepath.Dir(file), Src: source.New(display, ""), Front: &Front{}, extra: []*source.File{},
		part: kind, top: topOf(root), outside: l.outside}
	s.Path, s.ID, s.Reach, s.Name = file, display, root.Within, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	src := source.New(display, text)
	if kind == filePart {
		s.extra = append(s.extra, src)
		return s
	}
	s.Src, s.Front = src, readFront(src)
	if kind == flatPart && !expr("describesSkill").MatchString(text) {
		s.part = pagePart
	}
	s.Description, _ = s.Front.Scalar("description")
	s.marks = readMarks(src, s.Front)
	return s
}

// topOf returns the folder in which rules may look for files of a root's skills: its repository, library or parent.
func topOf(root catalog.Root) string {
	if root.Within != "" || root.Source == catalog.Library {
		return cmp.Or(root.Within, root.Path)
	}
	return filepath.Dir(root.Path)
}

type plugin struct {
	dir   string
	names []string // in its manifest and in marketplaces
	lists []string // folders whose subfolders are its skills, and folders that are skills
	whole bool     // Claude Code loads all in skills: it has a manifest, or its marketplace entry lists no skills
}

type market struct {
	file    *Skill
	name    string
	plugins map[string]bool
}

func (l *Library) findPlugins() {
	for _, s := range l.parts {
		if s.part != filePart || filepath.Base(filepath.Dir(s.Path)) != ".claude-plugin" {
			continue
		}
		top := filepath.Dir(s.Dir)
		var one struct {
			pluginFields
			Plugins []pluginFields
		}
		_ = json.Unmarshal([]byte(s.extra[0].Text), &one) // reported by SG144
		switch filepath.Base(s.Path) {
		case "plugin.json":
			l.addPlugin(top, one.pluginFields)
			l.pluginAt(top).whole = true // the list adds to the folder skills
		case "marketplace.json":
			m := market{s, one.Name, map[string]bool{}}
			for i, p := range one.Plugins {
				m.plugins[p.Name] = true
				if from, ok := p.Source.(string); ok && filepath.IsLocal(from) && len(l.plugins) < maxParts &&
					i < maxEntries {
					l.addPlugin(filepath.Join(top, from), p)
				}
			}
			l.markets = append(l.markets, m)
		}
	}
}

type pluginFields struct {
	Name           string
	Source, Skills any
}

func (l *Library) addPlugin(dir string, f pluginFields) {
	p := l.pluginAt(dir)
	if p == nil {
		p = &plugin{dir: dir, lists: []string{filepath.Join(dir, "skills")}}
		l.plugins = append(l.plugins, p)
	}
	p.names = append(p.names, strings.ToLower(f.Name))
	p.whole = p.whole || f.Skills == nil
	for _, list := range stringsIn(f.Skills) {
		p.lists = append(p.lists, filepath.Join(dir, filepath.FromSlash(list)))
	}
}

func (l *Library) pluginAt(dir string) *plugin {
	if i := slices.IndexFunc(l.plugins, func(p *plugin) bool { return p.dir == dir }); i >= 0 {
		return l.plugins[i]
	}
	return nil
}

// pluginOf returns the innermost plugin that holds a file, or nil.
func (l *Library) pluginOf(file string) (in *plugin) {
	for _, p := range l.plugins {
		if Below(file, p.dir) && (in == nil || len(p.dir) > len(in.dir)) {
			in = p
		}
	}
	return in
}

// unloaded reports whether a file of a plugin is placed where Claude Code looks for no skill.
func (l *Library) unloaded(file string) bool {
	p := l.pluginOf(file)
	if p == nil {
		return false
	}
	dir := filepath.Dir(file)
	rel, _ := filepath.Rel(p.dir, dir)
	if !expr("misplaced").MatchString(filepath.ToSlash(rel) + "/") {
		return false
	}
	for at := filepath.Dir(dir); Below(at, p.dir) && at != p.dir; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, skillFile)); err == nil {
			return false // part of another skill
		}
	}
	return !slices.ContainsFunc(p.lists, func(list string) bool { return dir == list || filepath.Dir(dir) == list })
}

var sg144 = &Rule{ID: "SG144", Severity: Warning, Whole: func(l *Library, report Report) {
	if l.partial {
		report(Problem{Severity: Info, Hint: "check the folders one at a time",
			Text: fmt.Sprintf("only the first %d files outside skill folders were checked", len(l.parts))})
	}
	seen, around := set{}, set{}
	check := func(src *source.File, file, name string) {
		if len(src.Text) < maxLock && seen.add(file) {
			root := strings.TrimSuffix(file, filepath.FromSlash(name))
			if in := l.pluginOf(file); in != nil && name == hooksFile && l.pluginAt(filepath.Clean(root)) == nil {
				root = in.dir // its manifest may name the file
			}
			(&hostFile{src: src, l: l, root: root, report: report}).check(name)
		}
	}
	names := []string{lockFile, marketplaceFile, manifestFile, hooksFile, ".mcp.json", ".claude/settings.json",
		".claude/settings.local.json", ".codex-plugin/plugin.json"}
	for _, s := range l.parts {
		for _, name := range names {
			if s.Path == name || strings.HasSuffix(filepath.ToSlash(s.Path), "/"+name) {
				src := s.extra[0]
				if len(src.Text) >= maxBeside {
					src, _ = s.source(s.Path, maxLock)
				}
				check(src, s.Path, name)
			}
		}
	}
	for _, s := range l.Skills {
		if !around.add(filepath.Dir(s.Dir)) {
			continue
		}
		for _, name := range names[:5] {
			if file := above(s, filepath.FromSlash(name)); file != "" && !seen[file] {
				if src, err := s.source(file, maxLock); err == nil {
					check(src, file, name)
				}
			}
		}
	}
}}

const (
	lockFile        = "skills-lock.json" // written by npx skills at the top of a project
	marketplaceFile = ".claude-plugin/marketplace.json"
	manifestFile    = ".claude-plugin/plugin.json"
	hooksFile       = "hooks/hooks.json"
	maxLock         = 8 << 20 // bytes; longer files are not checked
)

// hostFile is a JSON file that Claude Code reads.
type hostFile struct {
	src    *source.File
	l      *Library
	root   string // folder that its paths are relative to
	report Report
	said   int // number of findings, at most maxSaid
}

func (c *hostFile) say(severity Severity, value, format string, args ...any) {
	if c.said++; c.said > maxSaid {
		return
	}
	at := c.src.Whole()
	if start, end, ok := c.src.Find(`"`+value+`"`, 0, len(c.src.Text)); ok {
		at = c.src.Span(start, end)
	}
	c.report(Problem{At: at, Severity: severity, Text: fmt.Sprintf(format, args...)})
}

func (c *hostFile) check(name string) {
	var file map[string]any
	text := strings.TrimPrefix(c.src.Text, catalog.BOM)
	if strings.TrimSpace(text) == "" && strings.HasPrefix(name, ".claude/") {
		return // Claude Code takes an empty settings file for {}
	}
	err := json.Unmarshal([]byte(text), &file)
	manifest := filepath.Join(c.root, filepath.FromSlash(manifestFile))
	plugin := c.l.outside.exists(manifest) || c.l.pluginAt(filepath.Clean(c.root)) != nil
	if name == hooksFile && (strings.Contains(text, "COPILOT_") || strings.Contains(text, "${extensionPath}") ||
		!plugin && (!strings.Contains(text, "CLAUDE_PLUGIN_ROOT") || filepath.Base(c.root) == ".claude")) {
		return // the file belongs to another program
	}
	if err != nil {
		at := c.src.Line(1)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = c.src.Line(c.src.LineAt(int(syntax.Offset) + len(c.src.Text) - len(text)))
		}
		text := "the file is not valid JSON: " + err.Error()
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			text = "the file does not hold a JSON object"
		}
		c.report(Problem{At: at, Severity: Error.when(name != lockFile), Text: text})
		return
	}
	switch name {
	case lockFile:
		c.lock()
	case manifestFile:
		c.fields("the plugin", file, words("manifestFields"))
		c.paths(c.root, file)
		for _, rel := range stringsIn(file["hooks"]) {
			named := filepath.Join(c.root, filepath.FromSlash(rel))
			if src, err := c.l.outside.read(named, maxLock); err == nil && !leaves(rel) &&
				named != filepath.Join(c.root, filepath.FromSlash(hooksFile)) {
				(&hostFile{src: source.New(path.Join(path.Dir(path.Dir(c.src.Path)), rel), src), l: c.l, root: c.root,
					report: c.report}).check(hooksFile)
			}
		}
		c.hooks(file["hooks"])
		c.servers(file["mcpServers"])
	case hooksFile:
		if file["hooks"] == nil && file["modules"] == nil {
			c.say(Error, "", "Claude Code rejects the hooks: the file has no field \"hooks\"")
		}
		c.hooks(file["hooks"])
	case ".mcp.json":
		c.servers(cmp.Or[any](file["mcpServers"], file))
	case marketplaceFile:
		if file["name"] == nil && file["owner"] == nil && strings.Contains(c.src.Text, `"skills"`) &&
			!strings.Contains(c.src.Text, `"source"`) {
			c.say(Warning, "", "Claude Code rejects the marketplace, which has no name, owner and sources of plugins")
			break // it is for another program
		}
		root := filepath.Clean(c.root)
		around := func(m market) bool { return Below(root, filepath.Dir(m.file.Dir)) && root != filepath.Dir(m.file.Dir) }
		if slices.ContainsFunc(c.l.markets, around) {
			break // nobody adds a marketplace inside another one
		}
		c.fields("the marketplace", file, words("marketFields"))
		c.entries(file)
		c.unlisted()
	default:
		c.hooks(file["hooks"])
		c.permissions(file)
	}
	for _, m := range findAll("rootedInJSON", c.src.Text, 200) {
		file, settings := c.src.Text[m[4]:m[5]], strings.HasPrefix(name, ".claude/")
		if settings == (c.src.Text[m[2]:m[3]] == "PROJECT_DIR") && !expr("builtFolder").MatchString(file) &&
			!c.exists(c.root, file) {
			p := Problem{At: c.src.Span(m[4], m[5]), Text: file + " does not exist"}
			if name == hooksFile && strings.Contains(c.src.LineText(p.At.Line), `"command"`) {
				p.Severity = Error // each run of the hook fails, and Python's status 2 even blocks the tool
			}
			c.report(p)
		}
	}
}

func (c *hostFile) exists(dir, rel string) bool {
	return c.l.outside.exists(filepath.Join(dir, filepath.FromSlash(rel)))
}

func (c *hostFile) fields(of string, have map[string]any, want map[string]bool) {
	for _, field := range sortedNames(want) {
		key, kind, _ := strings.Cut(field, ":")
		kind, required := strings.CutPrefix(kind, "!")
		kind, ignored := strings.CutPrefix(kind, "~")
		switch v := have[key]; {
		case v == nil && required:
			c.say(Error, "", "Claude Code rejects %s because it has no %s", of, key)
		case v == nil:
		case ignored && !fits(v, kind):
			c.say(Warning, key, "Claude Code ignores %q of %s, which must be %s", key, of, wanted(kind))
		case !fits(v, kind):
			c.say(Error, key, "Claude Code rejects %s: %q must be %s", of, key, wanted(kind))
		}
		for _, other := range sortedNames(have) {
			if low := letters(other); other != key && have[key] == nil && len(key) > 3 &&
				(low == strings.ToLower(key) || low+"s" == strings.ToLower(key)) {
				c.say(Warning, other, "Claude Code ignores %q of %s; did you mean %q?", other, of, key)
			}
		}
	}
}

func wanted(kind string) string {
	if end, ok := strings.CutPrefix(kind, "paths"); ok {
		if end != "" {
			end = " and end in " + end
		}
		return "paths that begin with ./" + end
	}
	return cmp.Or(data().Kinds[kind], kind)
}

func fits(value any, kind string) bool {
	kind, end, _ := strings.Cut(kind, ".")
	switch v := value.(type) {
	case string:
		switch kind {
		case "name":
			return v != "" && !strings.Contains(v, " ")
		case "url":
			return strings.Contains(v, ":") || strings.Contains(v, "${")
		case "paths":
			return strings.HasPrefix(v, "./") && strings.HasSuffix(v, end)
		case "shell":
			return data().Values["shell"].Allow().MatchString(v)
		}
		return kind == "text" || kind == "source"
	case bool:
		return kind == "truth"
	case float64:
		return kind == "number" && v > 0
	case int:
		return kind == "number" && v > 0
	case []any:
		if kind == "texts" {
			return len(stringsIn(value)) == len(v)
		}
		return kind == "list" || kind == "paths" && !slices.ContainsFunc(v, func(one any) bool {
			return !fits(one, strings.TrimSuffix(kind+"."+end, "."))
		})
	case map[string]any:
		name, _ := v["name"].(string)
		if kind == "record" {
			return !slices.ContainsFunc(slices.Collect(maps.Values(v)), func(one any) bool { return !fits(one, "text") })
		}
		return kind == "object" || kind == "person" && name != "" ||
			kind == "source" && words("sourceFields")[fmt.Sprint(v["source"])] &&
				(v["repo"] != nil || v["url"] != nil || v["package"] != nil) && (v["source"] != "git-subdir" || v["path"] != nil) &&
				(v["sha"] == nil || expr("commitHash").MatchString(fmt.Sprint(v["sha"]))) ||
			kind == "paths" && end != "md"
	}
	return false
}

// paths reports the paths of a manifest that lead out of the plugin or do not exist.
func (c *hostFile) paths(dir string, fields map[string]any) {
	for _, key := range []string{"commands", "agents", "skills", "hooks", "mcpServers", "lspServers", "outputStyles"} {
		for _, p := range stringsIn(fields[key]) {
			switch {
			case !strings.HasPrefix(p, "./"):
			case leaves(p):
				c.say(Error, p, "Claude Code rejects the plugin because %s in %q leads outside its folder", p, key)
			case !c.exists(dir, p):
				c.say(Off, p, "%s, listed in %q, does not exist", p, key)
			}
		}
	}
}

func (c *hostFile) entries(file map[string]any) {
	list, _ := file["plugins"].([]any)
	metadata, _ := file["metadata"].(map[string]any)
	from, _ := metadata["pluginRoot"].(string)
	names := set{}
	modules, _ := c.l.outside.read(filepath.Join(c.root, ".gitmodules"), maxBeside)
	if len(list) > maxEntries {
		c.say(Info, "plugins", "only the first %d of %d plugins were checked", maxEntries, len(list))
	}
	for _, one := range list {
		if p, ok := one.(map[string]any); ok {
			if name, _ := p["name"].(string); !names.add(name) {
				c.say(Off, name, "the marketplace lists the plugin %s twice", name)
			}
		}
	}
	for _, one := range list[:min(len(list), maxEntries)] {
		p, ok := one.(map[string]any)
		if !ok || c.said > maxSaid {
			continue
		}
		name, _ := p["name"].(string)
		c.fields("plugin "+name, p, words("entryFields"))
		for _, need := range stringsIn(p["dependencies"]) {
			if !strings.Contains(need, "@") && !names[need] {
				c.say(Off, need, "the plugin %s depends on %s, which the marketplace does not list", name, need)
			}
		}
		if src, ok := p["source"].(map[string]any); ok && fits(src, "source") {
			for _, field := range sortedNames(words("entrySources")) {
				if kind, key, _ := strings.Cut(field, ":"); src["source"] == kind && src[key] == nil {
					c.say(Error, name, "Claude Code rejects the plugin %s because its source has no %s", name, key)
				}
			}
		}
		at, ok := p["source"].(string)
		dir := filepath.Join(c.root, filepath.FromSlash(at))
		switch {
		case !ok:
		case leaves(at):
			c.say(Error, at, "Claude Code rejects the plugin %s because its source %q leads outside the marketplace", name, at)
		case from == "" && at != "." && !strings.HasPrefix(at, "./"):
			c.say(Error, at, "Claude Code rejects the plugin %s because its source %q does not begin with ./", name, at)
		case slices.Contains(strings.Fields(modules), path.Clean(at)): // a submodule
		case !c.exists(c.root, at) && !c.exists(filepath.Join(c.root, filepath.FromSlash(from)), at):
			c.say(Off, at, "the source folder of the plugin %s does not exist: %s", name, at)
		case c.exists(c.root, at):
			c.paths(dir, p)
		}
	}
}

// unlisted reports the skills that the plugins of a marketplace leave out of their lists of skills in the same folder.
func (c *hostFile) unlisted() {
	var out []string
	for _, s := range c.l.Skills {
		p, beside := c.l.pluginOf(s.Path), filepath.Dir(s.Dir)
		if p != nil && !p.whole && Below(p.dir, filepath.Clean(c.root)) &&
			!slices.Contains(p.lists[1:], s.Dir) && !slices.Contains(p.lists[1:], beside) &&
			slices.ContainsFunc(p.lists[1:], func(list string) bool { return filepath.Dir(list) == beside }) {
			out = append(out, s.Folder)
		}
	}
	if len(out) > 0 {
		c.say(Info.when(2*len(out) > len(c.l.Skills)), "skills",
			"no plugin lists %s, so Claude Code does not load them", strings.Join(out, ", "))
	}
}

func (c *hostFile) servers(value any) {
	servers, _ := value.(map[string]any)
	for _, name := range sortedNames(servers) {
		server, _ := servers[name].(map[string]any)
		if fault := serverFault(server); fault != "" {
			// An empty address is to be filled in.
			c.say(cmp.Or(Info.when(server["url"] == ""), Error), name, "Claude Code ignores the MCP server %s: %s", name, fault)
		}
	}
}

func serverFault(server map[string]any) string {
	kind, typed := server["type"].(string)
	_, remote := server["url"].(string)
	command, _ := server["command"].(string)
	switch {
	case server == nil:
		return "it is not an object"
	case typed && !slices.Contains([]string{"stdio", "http", "sse", "ws", "sdk"}, kind):
		return fmt.Sprintf("its type is %q instead of stdio, http, sse or ws", kind)
	case remote && !typed && command == "":
		return "it has a url but no type (http, sse or ws)"
	case (kind == "http" || kind == "sse" || kind == "ws") && !remote:
		return "it has no url"
	case (kind == "" || kind == "stdio") && command == "":
		return "it has no command"
	}
	return misfit(server, "serverFields")
}

// misfit describes the first field of object whose value is not of the kind that the word list named list requires.
func misfit(object map[string]any, list string) string {
	for _, field := range sortedNames(words(list)) {
		key, kind, _ := strings.Cut(field, ":")
		if v := object[key]; v != nil && !fits(v, kind) {
			return fmt.Sprintf("%s is %s instead of %s", key, typeName(v), wanted(kind))
		}
	}
	return ""
}

// permissions checks the rules in a settings file.
func (c *hostFile) permissions(file map[string]any) {
	rules, _ := file["permissions"].(map[string]any)
	if v := file["permissions"]; v != nil && rules == nil {
		c.say(Error, "permissions", "Claude Code ignores permissions, which must be an object with lists of rules")
	}
	for _, key := range []string{"allow", "ask", "deny"} {
		if v := rules[key]; v != nil && !fits(v, "texts") {
			c.say(Error, key, "Claude Code ignores permissions.%s, which must be a list of strings", key)
		}
		for _, rule := range stringsIn(rules[key]) {
			if expr("badPermission").MatchString(rule) {
				c.say(Warning, rule, "Claude Code ignores the malformed rule %s in permissions.%s", rule, key)
			}
		}
	}
	if mode, _ := rules["defaultMode"].(string); mode != "" && !data().Values["permissionMode"].Allow().MatchString(mode) {
		c.say(Warning, mode, "Claude Code has no permission mode named %s", mode)
	}
}

func (c *hostFile) hooks(hooks any) {
	if hooks != nil && len(stringsIn(hooks)) == 0 {
		checkHooks(hooks, func(severity Severity, at, text string) { c.say(severity, at, "%s", text) })
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

func above(s *Skill, name string) string {
	if s.Dir == "" {
		return ""
	}
	for dir, n := filepath.Dir(s.Dir), 0; n < maxAbove && Below(dir, s.top); dir, n = filepath.Dir(dir), n+1 {
		file := filepath.Join(dir, name)
		s.outside.record(file, stateOf(file))
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

const maxAbove = 4 // maximum number of levels from a skill's folder up to its project, as in .claude/skills/group/pdf

func (c *hostFile) lock() {
	var lock struct {
		Version any
		Skills  map[string]struct{ Source, SourceType, SkillPath any }
	}
	if json.Unmarshal([]byte(c.src.Text), &lock) != nil {
		c.report.at(c.src.Whole(), "the file is not a JSON object that lists skills by name")
		return
	}
	if _, ok := lock.Version.(float64); !ok {
		c.report.at(c.src.Line(1), "the field version is missing or not a number")
	}
	names := sortedNames(lock.Skills)
	if len(names) > 1 && !slices.ContainsFunc(names, func(name string) bool { return lock.Skills[name].Source != nil }) {
		c.report.at(c.src.Whole(), "no skill in the file has a source")
		return
	}
	for _, name := range names {
		one := lock.Skills[name]
		for i, value := range []any{one.Source, one.SourceType} {
			if v, _ := value.(string); v == "" {
				c.say(Off, name, "the skill %s has no %s", name, []string{"source", "sourceType"}[i])
			}
		}
		if file, ok := one.SkillPath.(string); one.SkillPath != nil && (!ok || leaves(strings.ReplaceAll(file, `\`, "/"))) {
			c.say(Off, name, "%s: skillPath %v points outside the source", name, one.SkillPath)
		}
	}
}
