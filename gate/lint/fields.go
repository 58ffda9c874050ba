package lint

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/wording"
)

// The specification sets these limits, except that of SG105: the host cuts longer texts in its list of skills.
var (
	sg104 = tooLong("SG104", Warning, 1024, "description has %d characters (limit %d)", "description")
	sg105 = tooLong("SG105", Warning, 1536, "description and when_to_use together have %d characters (limit %d)",
		"when_to_use", "description")
	sg109 = tooLong("SG109", Warning, 64, "name has %d characters (limit %d)", "name")
	sg118 = tooLong("SG118", Info, 500, "compatibility has %d characters (limit %d)", "compatibility")
)

func tooLong(id string, severity Severity, limit int, text string, keys ...string) *Rule {
	return &Rule{ID: id, Severity: severity, Check: func(s *Skill, report Report) {
		n := 0
		for _, key := range keys {
			v, _ := s.Front.Scalar(key)
			if key == "name" {
				v = norm.NFKC.String(v) // hosts normalize names before comparing them
			}
			n += utf8.RuneCountInString(strings.TrimSpace(v))
		}
		if _, ok := s.Front.Scalar(keys[0]); ok && n > limit {
			ours := strings.Contains(s.Src.Path, ".claude/") || above(s, filepath.FromSlash(manifestFile)) != ""
			severity := Info.when(id == "SG104" && n <= 1536 && ours) // Claude Code shows 1,536 characters
			report(Problem{At: s.Key(keys[0]), Text: fmt.Sprintf(text, n, limit), Severity: severity})
		}
	}}
}

var sg106 = &Rule{ID: "SG106", Severity: Error, Check: func(s *Skill, report Report) {
	f := s.Front
	if !f.Closed || f.Err != nil || !f.Mapping && strings.TrimSpace(s.Src.Text[f.Start:f.End]) != "" {
		return // reported by SG101 to SG103
	}
	k, ok := f.Key("description")
	switch {
	case s.part == commandPart || s.part != "" && filepath.Base(s.Dir) != "agents" || !ok && s.isPage():
	case !ok && s.part != "":
		report(Problem{At: s.Src.Line(1), Severity: Warning, Text: "the file has no description"})
	case !ok:
		report.at(s.Src.Line(1), "the frontmatter has no description")
	case k.Node.Kind == yaml.ScalarNode && (k.Node.Tag == "!!null" || strings.TrimSpace(k.Node.Value) == ""):
		report.at(s.Key("description"), "description is empty")
	}
}}

var sg107 = &Rule{ID: "SG107", Severity: Warning, Fixes: true, Within: func(l *Library, s *Skill, report Report) {
	f := s.Front
	if !f.Mapping || s.part != "" && !s.isHostAgent() && !l.isPluginAgent(s) {
		return
	}
	k, ok := f.Key("name")
	if ok {
		if v, _ := f.Scalar("name"); v == "" && k.Node.Content == nil {
			report.at(s.Key("name"), "name is empty")
		} else if strings.Contains(v, ":") && s.part == agentPart {
			text := "Claude Code loads no agent with a colon in its name: " + v
			if l.isPluginAgent(s) {
				text = "Claude Code puts the plugin's name before " + v + ", which already has a prefix"
			}
			report(Problem{At: s.Key("name"), Hint: "write only the part after the colon", Text: text})
		}
		return
	}
	p := Problem{At: s.Src.Line(1), Text: "the frontmatter has no name",
		Severity: Info.when(s.part == "" || l.isPluginAgent(s))} // Claude Code uses the name of the folder or file
	if s.Folder != "" && nameFault(s.Folder) == "" {
		end := "\n"
		if strings.HasSuffix(s.Src.Text[:f.Start], "\r\n") {
			end = "\r\n"
		}
		p.Fix = s.keepsYAML(&Fix{"set name to the folder's name", []Edit{{f.Start, f.Start, "name: " + s.Folder + end}}})
	}
	report(p)
}}

// isHostAgent reports whether a file can only be an agent of Claude Code.
func (s *Skill) isHostAgent() bool {
	return expr("agentFile").MatchString(s.Src.Path) && !s.Front.has("mode") &&
		(s.Front.has("tools") || s.Front.has("model") || s.Front.has("color"))
}

func (l *Library) isPluginAgent(s *Skill) bool {
	if s.part != agentPart {
		return false
	}
	p := l.pluginOf(s.Path)
	return p != nil && Below(s.Path, filepath.Join(p.dir, "agents"))
}

var sg108 = &Rule{ID: "SG108", Severity: Warning, Choice: true, Check: func(s *Skill, report Report) {
	name, ok := s.Front.Scalar("name")
	if fault := nameFault(strings.TrimSpace(name)); ok && name != "" && fault != "" {
		p := Problem{At: s.In("name", name), Text: fmt.Sprintf("name %q %s", name, fault), Cause: fault,
			// Hosts do not load a part of another skill, and Claude Code accepts PLUGIN:NAME and underscores.
			Severity: Info.when(above(s, skillFile) != "" || expr("nameForClaude").MatchString(name))}
		if better := strings.Trim(expr("notPlain").ReplaceAllString(strings.ToLower(name), "-"), "-"); better != "" {
			p.Hint = fmt.Sprintf("use %s as the name of the skill and of its folder", better)
		}
		report(p)
	}
}}

func nameFault(name string) string {
	switch {
	case expr("kebab").MatchString(name):
		return ""
	case strings.ToLower(name) != name:
		return "has capital letters"
	case strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-"):
		return "begins or ends with a hyphen"
	case strings.Contains(name, "--"):
		return "has two hyphens in a row"
	}
	return "has characters other than a-z, 0-9 and -"
}

var sg110 = &Rule{ID: "SG110", Severity: Info, Check: func(s *Skill, report Report) {
	name, ok := s.Front.Scalar("name")
	name = strings.TrimSpace(name)
	if ok && name != "" && s.Dir != "" && s.Dir != s.Reach && norm.NFKC.String(name) != norm.NFKC.String(s.Folder) &&
		letters(name) != letters(s.Folder) && !strings.ContainsAny(name, " :") {
		report(Problem{At: s.In("name", name),
			Text: fmt.Sprintf("name is %q, but the folder is named %q", name, s.Folder),
			Hint: fmt.Sprintf("change name to %s, or rename the folder", s.Folder)})
	}
}}

var sg114 = &Rule{ID: "SG114", Severity: Error, Fixes: true, Within: func(l *Library, s *Skill, report Report) {
	for _, k := range s.Front.Keys {
		want := nearKey(k.Name)
		if s.part == agentPart {
			want = ""
			for key := range words("agentKeys") {
				if key != k.Name && letters(key) == letters(k.Name) {
					want = key
				}
			}
			if letters(k.Name) == "allowedtools" && (s.isHostAgent() || l.isPluginAgent(s)) {
				want = "tools"
			}
		}
		if want == "" || k.Name == "disallowedTools" { // Claude Code reads both spellings of it
			if s.part == commandPart && k.Name == "paths" || l.isPluginAgent(s) && words("notInPlugins")[k.Name] &&
				!s.Front.hasValue(k.Name, "defaultWord") {
				report(Problem{At: s.Src.Span(k.Start, k.End), Severity: Warning, Hint: "delete the key",
					Text: fmt.Sprintf("Claude Code ignores the key %s in this file", k.Name)})
			}
			continue
		}
		value, _ := s.Front.Scalar(k.Name)
		if want == "arguments" && strings.ContainsAny(value, "[<-") {
			want = "argument-hint" // arguments holds names
		}
		taken := s.Front.has(want)
		p := Problem{At: s.Src.Span(k.Start, k.End), Text: fmt.Sprintf("hosts ignore the unknown key %s", k.Name),
			Hint: fmt.Sprintf("write %s instead", want), Severity: cmp.Or(
				Info.when(want == "user-invocable" && words("trueWords")[value] || // the default
					k.Name == "allowed_tools" && l.pluginOf(s.Path) == nil && !expr("hostFolder").MatchString(s.Path)),
				Warning.when(want != "description" || s.part != ""))}
		if taken {
			p.Hint = fmt.Sprintf("delete it, because the file already has %s", want)
		}
		if !taken && s.part == "" && s.Src.Text[k.Start:k.End] == k.Name {
			p.Fix = s.keepsYAML(&Fix{"rename it to " + want, []Edit{{k.Start, k.End, want}}})
		}
		report(p)
	}
}}

// kindOf returns the kind of a key's value, or "" if Claude Code does not read the key.
func kindOf(key string) string {
	for _, field := range data().HostKeys {
		if kind, ok := strings.CutPrefix(field, key+":"); ok {
			return kind
		}
	}
	return ""
}

func nearKey(name string) string {
	if kindOf(name) != "" {
		return ""
	}
	if i := strings.LastIndexAny(name, "-_"); i > 0 && kindOf(name[:i]) != "" &&
		expr("languageCode").MatchString(name[i+1:]) {
		return "" // such as description_en: a translation, not a misspelling
	}
	flat, near := letters(name), ""
	for _, field := range data().HostKeys {
		k, _, _ := strings.Cut(field, ":")
		limit := 1
		if len(k) >= 10 {
			limit = 2
		}
		// Short keys must match exactly, because too many words differ from them by one letter.
		switch {
		case flat == letters(k):
			return k
		case near == "" && min(len(flat), len(k)) >= 7 && wording.Distance(flat, letters(k)) <= limit:
			near = k
		}
	}
	return near
}

var sg117 = &Rule{ID: "SG117", Severity: Error, Check: func(s *Skill, report Report) {
	for _, k := range s.Front.Keys {
		if k.Node == nil || s.forCopying() {
			continue
		}
		if kind := kindOf(k.Name); !ofKind(k.Node, kind) {
			var value any
			_ = k.Node.Decode(&value)
			report(Problem{At: s.Src.Span(k.Start, k.End), // no host acts on compatibility
				Severity: cmp.Or(Info.when(k.Name == "compatibility"), Warning.when(k.Name != "description")),
				Text:     fmt.Sprintf("%s must be %s, not %s", k.Name, wanted(kind), typeName(value))})
		}
	}
}}

func ofKind(n *yaml.Node, kind string) bool {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	switch kind {
	case "scalar":
		return n.Kind == yaml.ScalarNode
	case "truth":
		v := strings.ToLower(n.Value)
		return n.Kind == yaml.ScalarNode && (words("trueWords")[v] || words("falseWords")[v])
	case "mapping":
		return n.Kind == yaml.MappingNode || n.Tag == "!!null"
	case "scalars":
		return n.Kind != yaml.MappingNode
	}
	return true
}

// hasValue reports whether the value of a key is one of a list of words.
func (f *Front) hasValue(key, list string) bool {
	v, _ := f.Scalar(key)
	return words(list)[strings.ToLower(v)]
}

var sg119 = &Rule{ID: "SG119", Severity: Warning, Check: func(s *Skill, report Report) {
	for _, key := range []string{"name", "description"} {
		v, ok := s.Front.Scalar(key)
		if !ok && key == "description" {
			v = s.Description
		}
		if m := expr("bracketed").FindString(v); m != "" {
			report(Problem{At: s.In(key, m), Text: fmt.Sprintf("%s contains %q", key, m),
				Severity: Info.when(!strings.Contains(v, "</"+m[1:]))})
		}
	}
}}

var sg134 = &Rule{ID: "SG134", Severity: Error, Within: func(l *Library, s *Skill, report Report) {
	if s.Front.hasValue("user-invocable", "falseWords") && s.Front.hasValue("disable-model-invocation", "trueWords") {
		read := func(x *Skill) bool { return x != s && strings.Contains(x.Src.Text, path.Base(s.Folder)+"/"+skillFile) }
		report(Problem{At: s.Key("user-invocable"), Severity: Info.when(slices.ContainsFunc(l.Skills, read)),
			Text: "nothing can start the skill: disable-model-invocation is true and user-invocable is false"})
	}
}}

func (s *Skill) misnamed() bool {
	file := path.Base(s.Src.Path)
	return file != skillFile && strings.EqualFold(file, skillFile)
}

// isPage reports whether a file called skill.md is a page about skills: it has no name, and a title or no description.
func (s *Skill) isPage() bool {
	return s.misnamed() && !s.Front.has("name") && (!s.Front.has("description") || s.Front.has("title"))
}

var sg137 = &Rule{ID: "SG137", Severity: Error, Check: func(s *Skill, report Report) {
	if file := path.Base(s.Src.Path); s.misnamed() && !s.isPage() {
		report.at(s.Src.Whole(), "the file is called %s, but hosts look for %s", file, skillFile)
	}
}, Whole: func(l *Library, report Report) {
	lost := map[string][]*Skill{} // by the folder around theirs
	for _, s := range append(l.Skills[:len(l.Skills):len(l.Skills)], l.parts...) {
		m := expr("besideManifest").FindStringSubmatch(filepath.ToSlash(s.Path))
		if m != nil && s.part != "" && !l.declares(m[1]) {
			report(Problem{At: s.Src.Whole(), Severity: Warning,
				Text: "Claude Code does not look for a plugin's " + m[2] + " in .claude-plugin, so it does not load this file"})
		}
		flat := s.part == flatPart && (filepath.Base(filepath.Dir(s.Dir)) == ".claude" && s.Front.has("description") ||
			l.pluginOf(s.Path) != nil && s.Dir == l.pluginOf(s.Path).lists[0])
		if flat || s.part == "" && s.Path != "" && (l.unloaded(s.Path) ||
			expr("tooDeep").MatchString(filepath.ToSlash(s.Path)) && above(s, skillFile) == "") {
			around := filepath.Dir(s.Dir)
			if flat {
				around = s.Path
			}
			lost[around] = append(lost[around], s)
		}
	}
	for _, around := range sortedNames(lost) {
		for _, s := range lost[around] {
			mild := len(lost[around]) >= manyHave || l.helpers().commands[strings.ToLower(s.Folder)]
			report(Problem{At: s.Src.Whole(), Cause: around, Severity: cmp.Or(Info.when(mild), Warning),
				Text: "Claude Code looks for skills at skills/NAME/SKILL.md, so it does not load this file"})
		}
	}
	seen := set{}
	for _, s := range l.Skills {
		around := filepath.Dir(s.Dir)
		if s.Dir == "" || !seen.add(around) {
			continue
		}
		folders := l.outside.list(around)
		for _, folder := range folders[:min(len(folders), maxNear)] {
			if !folder.IsDir() && folder.Type()&fs.ModeSymlink == 0 {
				continue
			}
			files := l.outside.list(filepath.Join(around, folder.Name()))
			isSkill := func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), skillFile) }
			if slices.ContainsFunc(files, isSkill) {
				continue
			}
			for _, e := range files {
				file := filepath.Join(around, folder.Name(), e.Name())
				if !expr("nearSkillFile").MatchString(e.Name()) || !e.Type().IsRegular() {
					continue
				}
				if src, err := s.source(file, maxRead); err == nil && expr("describesSkill").MatchString(src.Text) {
					report.at(src.Whole(), "the file is called %s, but hosts look for %s", e.Name(), skillFile)
				}
			}
		}
	}
}}

func (l *Library) declares(rel string) bool {
	return slices.ContainsFunc(l.parts, func(s *Skill) bool {
		return s.part == filePart && path.Ext(s.Path) == ".json" && strings.Contains(s.extra[0].Text, "./"+rel)
	})
}

const maxNear = 2000 // maximum number of folders searched for misnamed skill files

const skillFile = "SKILL.md"
