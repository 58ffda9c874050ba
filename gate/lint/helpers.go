package lint

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skillgate/skillgate/gate/lint/source"
)

type helpers struct{ agents, commands, folders map[string]bool }

func findHelpers(skills []*Skill, o *outside) helpers {
	h := helpers{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	seen := set{}
	for _, s := range skills {
		if filepath.Base(s.Path) == "skills-lock.json" { // others install these skills
			for _, m := range findAll("lockedSkill", s.extra[0].Text, maxFiles) {
				h.commands[strings.ToLower(s.extra[0].Text[m[2]:m[3]])] = true
			}
		}
		for name := range strings.SplitSeq(strings.ToLower(s.Src.Path), "/") {
			h.folders[name] = true
		}
		dir := s.Dir
		for n := 0; dir != "" && n <= maxAbove+1 && Below(dir, s.top); n++ {
			for _, sub := range []string{"", ".claude", ".github", ".agents"} {
				if at := filepath.Join(dir, sub); seen.add(at) {
					h.collect(at, o)
				}
			}
			dir = filepath.Dir(dir)
		}
	}
	return h
}

func (h helpers) collect(dir string, o *outside) {
	for name, into := range map[string]map[string]bool{"agents": h.agents, "commands": h.commands, "prompts": h.commands,
		"workflows": h.commands} {
		top, left := filepath.Join(dir, name), maxFiles
		_ = filepath.WalkDir(top, func(file string, e fs.DirEntry, err error) error {
			if left--; file == top || err == nil && e.IsDir() {
				o.record(file, stateOf(file))
			}
			if err != nil || left < 0 {
				return fs.SkipAll
			}
			stem, _, _ := strings.Cut(strings.ToLower(e.Name()), ".")
			if e.IsDir() || stem == "" {
				return nil
			}
			into[stem] = true
			if name == "agents" && isMarkdown(file) && e.Type().IsRegular() {
				if text, err := o.read(file, maxRead); err == nil {
					front := readFront(source.New(file, strings.ToValidUTF8(text, "�")))
					said, _ := front.Scalar("name")
					into[strings.ToLower(strings.TrimSpace(said))] = true
				}
			}
			return nil
		})
	}
}

func (l *Library) hasAgent(name string) bool {
	name = strings.ToLower(name)
	if plugin, last, ok := strings.Cut(name, ":"); ok {
		if !l.ownPlugin(plugin) &&
			!slices.ContainsFunc(l.above(), func(p string) bool { return strings.HasSuffix(p, "/"+plugin) }) {
			return true
		}
		name = last
	}
	return words("hostAgents")[name] || l.helpers().agents[name] || len(l.ByName(name)) > 0
}

func (l *Library) noCommand(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "-") && !strings.Contains(name, ":") && !words("hostCommands")[name] &&
		!l.helpers().commands[name]
}

// handedTo returns the agents to which a page hands work: those in calls and, unless only calls count, those in prose.
func (p document) handedTo(prose bool) []link {
	var out []link
	others := sync.OnceValue(func() bool { return expr("otherAgents").MatchString(p.src.Text) })
	for l := range p.said("notBuilt", "candidates") {
		for i, re := range []string{"subagentType", "agentNamed"} {
			for _, m := range findNames(re, l.Text, -1) {
				if i > 0 && (!prose || l.Code && !strings.Contains(l.Text, "@agent-") ||
					l.Fence || expr("unsure").MatchString(l.Text)) {
					break
				}
				name := l.Text[m[2]:m[3]]
				if strings.HasPrefix(l.Text[m[3]:], ".md") || i == 0 &&
					(expr("noAgent").MatchString(name) || others()) {
					continue
				}
				if i == 0 || !expr("kindOfSkill").MatchString(name) && !expr("kindOfAgent").MatchString(name) {
					out = append(out, link{target: name, start: l.Start + m[2], end: l.Start + m[3], read: i == 0 || l.Code})
				}
			}
		}
	}
	return out
}

func (s *Skill) siblingFiles(p document) []link {
	if s.aboutSkills() {
		return nil
	}
	var out []link
	made := map[string]bool{}
	for l := range source.EachLine(p.src.Text[:p.until], p.from) {
		kind := "siblingFile"
		if l.Code {
			kind = "siblingScript"
		}
		found := findAll(kind, l.Text, -1)
		if l.Fence || len(found) == 0 || expr("usersFile").MatchString(l.Text) {
			continue
		}
		read := !l.Code && expr("toRead").MatchString(l.Text)
		for _, m := range found {
			before := nearBefore(l.Text, m[2])
			target, ok := localTarget(l.Text[m[2]:m[3]])
			if _, in, fromTop := strings.Cut(target, "skills/"); fromTop && !leaves(target) {
				if s.Has(target) || s.aboveHas(target) {
					continue
				}
				target = "../" + in
				name, _, _ := strings.Cut(in, "/")
				ok = ok && (path.Base(in) == skillFile ||
					s.outside.exists(filepath.Join(filepath.Dir(s.Dir), name, skillFile)))
			}
			if ok && !expr("placeholder").MatchString(target) && !expr("exampleBefore").MatchString(before) &&
				!written(before) && !p.makes(target, made) {
				out = append(out, link{target: target, start: l.Start + m[2], end: l.Start + m[3], mention: true, read: read})
			}
		}
	}
	return out
}

func (s *Skill) ofSibling(to link) bool {
	dir, rest := s.Dir, to.target
	for strings.HasPrefix(rest, "../") {
		rest, dir = rest[len("../"):], filepath.Dir(dir)
	}
	first, deeper, _ := strings.Cut(rest, "/")
	in, _, deep := strings.Cut(deeper, "/")
	around := path.Dir(path.Dir(deeper))
	return s.outside.exists(filepath.Join(dir, first, skillFile)) ||
		around != "." && s.outside.exists(filepath.Join(dir, first, filepath.FromSlash(around), skillFile)) ||
		to.read && (deeper == skillFile || deep && words("ownFolders")[in])
}

func (s *Skill) machineFiles(p document) []link {
	if s.aboutSkills() {
		return nil
	}
	var out []link
	for l := range source.EachLine(p.src.Text[:p.until], p.from) {
		found := findAll("machineFile", l.Text, -1)
		if l.Fence || len(found) == 0 || l.Code && expr("outputLine").MatchString(l.Text) ||
			expr("usersFile").MatchString(l.Text) || expr("elsewhere").MatchString(l.Text) {
			continue
		}
		read := expr("toRead").MatchString(l.Text)
		for _, m := range found {
			target, before := l.Text[m[2]:m[3]], nearBefore(l.Text, m[2])
			if !strings.Contains(target, "...") && (target[0] != '~' || read && !strings.Contains(target, "/.")) &&
				!expr("exampleBefore").MatchString(before) && !expr("anybody").MatchString(target) &&
				!written(before) && strings.Count(l.Text[:m[2]], `"`)%2 == 0 && !expr("openQuote").MatchString(before) &&
				!expr("treeBelow").MatchString(nearAfter(p.src.Text, l.Start+m[3])) {
				out = append(out, link{target: target, start: l.Start + m[2], end: l.Start + m[3], mention: true})
			}
		}
	}
	return out
}

func (s *Skill) missingImports(rel, text string) []link {
	dir := path.Dir(rel)
	var out []link
	add := func(m []int, there bool) {
		before := text[:m[0]]
		tried := strings.Contains(before[max(0, len(before)-60):], "try {") // if it fails, another import may follow
		quoted := strings.Count(before, `"""`)%2+strings.Count(before, "'''")%2+strings.Count(before, "`")%2 > 0
		in := path.Dir(text[m[2]:m[3]])
		if !there && !(quoted && (in == "." || !s.Has(path.Join(dir, in)))) && !tried &&
			strings.LastIndex(before, "\n/*") <= strings.LastIndex(before, "*/") {
			out = append(out, link{target: text[m[2]:m[3]], start: m[2], end: m[3]})
		}
	}
	has := func(stem string, ends ...string) bool {
		file := filepath.Join(s.Dir, filepath.FromSlash(stem))
		return !Below(file, s.top) || slices.ContainsFunc(ends, func(end string) bool {
			return s.outside.exists(file+end) || s.outside.exists(filepath.Join(file, "index"+end))
		})
	}
	kind := data().Imports[path.Ext(rel)]
	if kind == "" || path.Ext(rel) == ".json" && path.Base(rel) != "package.json" {
		return nil
	}
	for _, m := range findAll(kind, text, 50) {
		name := text[m[2]:m[3]]
		at := path.Join(dir, name)
		stem := strings.TrimSuffix(at, path.Ext(at))
		built := expr("builtFolder").MatchString(at)
		switch kind {
		case "pythonImport":
			first, _, _ := strings.Cut(name, ".")
			file, onPath := strings.ReplaceAll(name, ".", "/"), strings.Contains(text, "sys.path.")
			switch {
			case first == "" && strings.HasPrefix(name, ".") && !strings.HasPrefix(name, ".."):
				file = file[1:]
			case first != "scripts" && path.Base(path.Join(filepath.Base(s.Dir), dir)) == first &&
				s.outside.exists(filepath.Join(s.Dir, dir, "..", "__init__.py")):
				continue // the file's folder is part of a package, so the first name means an installed one
			case first == "scripts", first != "" && first != name && s.aboveHas(first+"/__init__.py"),
				first != "" && first != name && s.Has(path.Join(dir, first)),
				expr("localModule").MatchString(name) && !onPath &&
					!s.installs(name) && !s.installs(strings.ReplaceAll(name, "_", "-")):
			case !strings.Contains(name, ".") && !words("pythonModules")[name] &&
				(s.followsSibling(text[:m[0]], dir) || s.definesBeside(rel, nearAfter(text, m[3]))) &&
				strings.Count(text, "sys.path.") < 2 && !strings.Contains(text, "parent.parent") && !s.installs(name):
			default:
				continue
			}
			beside := path.Join(dir, "..", file) // python -m runs in the folder above
			add(m, has(path.Join(dir, file), ".py", "") || has(file, ".py", "") || has(beside, ".py", "") ||
				s.hasFile(file+".py") || s.aboveHas(file+".py") || s.aboveHas(file+"/__init__.py"))
		case "javaScriptImport":
			ends := []string{"", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", ".json", ".node", ".d.ts"}
			add(m, built || path.Base(at) == "package.json" || path.Ext(at) == ".node" || has(at, ends...) ||
				has(stem, ends...))
		case "packageScript":
			add(m, built || has(at, "") || has(stem, ".ts", ".mts"))
		case "shellSource":
			manifest := above(s, filepath.Join(".claude-plugin", "plugin.json"))
			add(m, strings.Contains(text[m[0]:m[2]], "PLUGIN_ROOT") &&
				(manifest == "" || s.outside.exists(filepath.Join(manifest, "..", "..", name))) ||
				strings.Contains(text[max(0, m[0]-80):m[0]], "-f ") || strings.Contains(text[m[0]:m[2]], "..") ||
				strings.HasSuffix(text[m[0]:m[2]], " ./") && strings.Contains(text[:m[0]], "\ncd ") ||
				expr("dirElsewhere").MatchString(text) || has(at, "") || s.hasFile(path.Base(name)))
		}
	}
	return out
}

// scriptPaths returns the missing files and folders for which a script looks next to itself.
func (s *Skill) scriptPaths(rel, text string) []link {
	var out []link
	folders := map[string]string{}
	above := func(file, parents string) string {
		return path.Join(file, strings.Repeat("../", strings.Count(parents, ".")))
	}
	for _, m := range findAll("scriptDir", text, 20) {
		folders[text[m[2]:m[3]]] = above(rel, text[m[4]:m[5]])
	}
	for _, m := range findAll("belowScript", text, 100) {
		at := rel
		if m[2] >= 0 {
			at = folders[text[m[2]:m[3]]]
		}
		known := at != ""
		at = above(at, text[m[4]:m[5]])
		for _, part := range expr("quotedPart").FindAllStringSubmatch(text[m[6]:m[7]], -1) {
			at = path.Join(at, part[1])
		}
		line, _, _ := strings.Cut(nearAfter(text, m[6]), "\n")
		dir := path.Dir(at)
		wanted := words("ownFolders")[path.Base(at)] && !strings.Contains(text, "mkdir") ||
			expr("templateFile").MatchString(at) && words("ownFolders")[path.Base(dir)] && s.Has(dir)
		if known && wanted && !leaves(at) && !s.Has(at) && !expr("asked").MatchString(line) {
			out = append(out, link{target: at, start: m[6], end: m[7]})
		}
	}
	return out
}

// definesBeside reports whether another script in the folder of rel defines the first name of an import.
func (s *Skill) definesBeside(rel, after string) bool {
	m := expr("importedName").FindStringSubmatch(after)
	return m != nil && slices.ContainsFunc(s.besides(), func(src *source.File) bool {
		other := strings.TrimPrefix(src.Path, path.Dir(s.Src.Path)+"/")
		return path.Dir(other) == path.Dir(rel) && other != rel && path.Ext(other) == ".py" && (strings.Contains(src.Text,
			"\n"+m[1]+" = ") || strings.Contains(src.Text, "\ndef "+m[1]+"(") || strings.Contains(src.Text, "\nclass "+m[1]))
	})
}

// followsSibling reports whether one of the imports at the end of before imports a Python script in dir.
func (s *Skill) followsSibling(before, dir string) bool {
	lines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	for _, line := range slices.Backward(lines) {
		m := expr("pythonImport").FindStringSubmatch(line)
		if m == nil {
			return false
		}
		if !strings.Contains(m[1], ".") && s.Has(path.Join(dir, m[1]+".py")) {
			return true
		}
	}
	return false
}

// installs reports whether the skill may install a Python package of that name.
func (s *Skill) installs(name string) bool {
	return slices.ContainsFunc(append(s.besides(), s.Src), func(src *source.File) bool {
		return source.AnyOccurrence(src.Text, name, func(at int) bool {
			return hasAnyPrefix(src.Text[max(0, at-1):], `"`, "'") || expr("packageList").MatchString(src.Path) ||
				expr("installing").MatchString(src.LineText(src.LineAt(at)))
		})
	})
}

func (s *Skill) hasFile(rel string) bool {
	return slices.ContainsFunc(s.Files, func(f string) bool { return f == rel || strings.HasSuffix(f, "/"+rel) })
}
