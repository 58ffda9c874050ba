package lint

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

type helpers struct{ agents, commands map[string]bool }

func findHelpers(skills []*Skill, o *outside) helpers {
	h := helpers{map[string]bool{}, map[string]bool{}}
	seen := map[string]bool{}
	for _, s := range skills {
		dir := s.Dir
		for n := 0; dir != "" && n <= maxAbove+1 && dir != filepath.Dir(dir); n++ {
			for _, sub := range []string{"", ".claude", ".github", ".agents"} {
				if at := filepath.Join(dir, sub); !seen[at] {
					seen[at] = true
					h.collect(at, o)
				}
			}
			dir = filepath.Dir(dir)
		}
	}
	return h
}

func (h helpers) collect(dir string, o *outside) {
	for name, into := range map[string]map[string]bool{"agents": h.agents, "commands": h.commands, "prompts": h.commands} {
		top := filepath.Join(dir, name)
		left := maxFiles
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
		if !slices.ContainsFunc(l.above(), func(p string) bool { return strings.HasSuffix(p, "/"+plugin) }) {
			return true
		}
		name = last
	}
	return hostAgents.has(name) || l.helpers().agents[name] || len(l.ByName(name)) > 0
}

var hostAgents = set(`general-purpose explore plan statusline-setup output-style-setup claude-code-guide claude fork
	worker code-reviewer code-architect code-explorer code-simplifier default task bash`)

func (l *Library) noCommand(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "-") && !strings.Contains(name, ":") && !hostCommands.has(name) &&
		!l.helpers().commands[name]
}

var hostCommands = set(`add-dir pr-comments release-notes terminal-setup install-github-app install-slack-app
	output-style privacy-settings reload-plugins extra-usage remote-env remote-control web-setup rate-limit-options
	bg-tasks commit-push-pr feature-dev ralph-loop cancel-ralph clean-gone write-plan execute-plan batch schedule
	plan-mode auto-mode fast-mode vim-mode allowed-tools new-task`)

func (s *Skill) handedTo() []link {
	var out []link
	for l := range s.lines() {
		if !strings.Contains(strings.ToLower(l.Text), "agent") {
			continue
		}
		for i, re := range []*expression{subagentType, agentNamed} {
			if i > 0 && (l.Code || l.Fence || unsure.get().MatchString(l.Text)) {
				continue
			}
			for _, m := range re.get().FindAllStringSubmatchIndex(l.Text, -1) {
				for m[2] < 0 {
					m = m[2:]
				}
				name := l.Text[m[2]:m[3]]
				if i == 0 || !kindOfSkill.get().MatchString(name) && !kindOfAgent.get().MatchString(name) {
					out = append(out, link{target: name, start: l.Start + m[2], end: l.Start + m[3], read: i == 0})
				}
			}
		}
	}
	return out
}

var (
	subagentType = lazy("(?i)\\bsubagent_type[\"'`]?\\s*[:=]\\s*[\"'`]?([a-z0-9][a-z0-9:-]*[a-z0-9])(?:[\"'`,.)\\s]|$)")
	agentNamed   = lazy("(?i)@agent-([a-z0-9]+(?:-[a-z0-9]+)+)\\b" +
		"|\\b(?:use|run|invoke|launch|spawn|call|delegate (?:\\w+ ){0,3}to" +
		"|hand (?:\\w+ ){0,3}(?:over|off|on)? ?to|ask|start|dispatch(?: to)?|via|with) (?:the |an? )?(?:\\*\\*)?" +
		"(?:[`\"']|\\*\\*)([a-z0-9]+(?:-[a-z0-9]+)+)[`\"'*]+ \\(?(?:sub-?)?agent\\b" +
		"|\\b(?:use|run|invoke|launch|spawn|call) the ([a-z0-9]+(?:-[a-z0-9]+)+) (?:sub-?)?agent\\b")
	kindOfAgent = lazy(`-(?:running|purpose|turn|source|to-end|in|up|step|level)$` +
		`|^(?:sub|multi|single|long|read|open|co|non)-`)
)

func (p document) undefinedLabels() []link {
	var out []link
	defined := map[string]bool{}
	for _, m := range labelDefined.get().FindAllStringSubmatch(p.src.Text, -1) {
		defined[flatLabel(m[1])] = true
	}
	depth := 0
	for l := range source.EachLine(p.src.Text[:p.until], p.from) {
		depth = pageDepth(depth, l)
		if l.Code || depth > 0 || !strings.Contains(l.Text, "][") {
			continue
		}
		plain := blankCode(l.Text)
		for _, m := range labelUsed.get().FindAllStringSubmatchIndex(plain, -1) {
			from, to := m[4], m[5]
			if from == to {
				from, to = m[2], m[3]
			}
			// Without a space, [a][b] may be an index expression.
			if label := l.Text[from:to]; !defined[flatLabel(label)] && strings.ContainsAny(l.Text[m[2]:m[3]], " ") &&
				strings.ToLower(label) == label {
				out = append(out, link{target: label, start: l.Start + from, end: l.Start + to})
			}
		}
	}
	return out
}

func flatLabel(label string) string { return strings.Join(strings.Fields(strings.ToLower(label)), " ") }

var (
	labelDefined = lazy(`(?m)^[ >]{0,8}\[([^\]\n]+)\]:`)
	labelUsed    = lazy(`(?:^|[\s(*_])\[([a-zA-Z][^\[\]\n]*)\]\[([a-zA-Z0-9][^\[\]\n]*|)\](?:[^(\[:]|$)`)
)

func (s *Skill) siblingFiles(p document) []link {
	if s.aboutSkills() {
		return nil
	}
	var out []link
	made := map[string]bool{}
	for l := range source.EachLine(p.src.Text[:p.until], p.from) {
		if l.Code || l.Fence || !strings.Contains(l.Text, "../") && !strings.Contains(l.Text, "skills/") ||
			usersFile.get().MatchString(l.Text) {
			continue
		}
		read := toRead.get().MatchString(l.Text)
		for _, m := range siblingFile.get().FindAllStringSubmatchIndex(l.Text, -1) {
			before := nearBefore(l.Text, m[2])
			target, ok := localTarget(l.Text[m[2]:m[3]])
			if _, in, fromTop := strings.Cut(target, "skills/"); fromTop && !leaves(target) {
				target = "../" + in
				ok = ok && (s.isSibling(in) || path.Base(in) == skillFile)
			}
			if ok && !placeholder.get().MatchString(target) && !exampleBefore.get().MatchString(before) &&
				!written(before) && !p.makes(target, made) {
				out = append(out, link{target: target, start: l.Start + m[2], end: l.Start + m[3], mention: true, read: read})
			}
		}
	}
	return out
}

var siblingFile = lazy("`((?:(?:\\.\\./)+|(?:\\.claude/)?skills/)[\\w.-]+/(?:[\\w.-]+/)*[\\w.-]+" +
	"\\.(?:md|py|sh|js|mjs|ts|json|ya?ml|txt|csv|html))`")

func (s *Skill) isSibling(rel string) bool {
	name, _, _ := strings.Cut(rel, "/")
	return s.outside.exists(filepath.Join(filepath.Dir(s.Dir), name, skillFile))
}

func (s *Skill) ofSibling(to link) bool {
	dir := s.Dir
	rest := to.target
	for strings.HasPrefix(rest, "../") {
		rest, dir = rest[len("../"):], filepath.Dir(dir)
	}
	first, deeper, _ := strings.Cut(rest, "/")
	if s.outside.exists(filepath.Join(dir, first, skillFile)) {
		return true
	}
	in, _, deep := strings.Cut(deeper, "/")
	return to.read && (deeper == skillFile || deep && ownFolders.has(in))
}

var ownFolders = set("reference references scripts assets templates resources")

func (s *Skill) machineFiles(p document) []link {
	if s.aboutSkills() {
		return nil
	}
	var out []link
	for l := range source.EachLine(p.src.Text[:p.until], p.from) {
		if l.Fence || !slices.ContainsFunc(homes, func(home string) bool { return strings.Contains(l.Text, home) }) ||
			l.Code && outputLine.get().MatchString(l.Text) || usersFile.get().MatchString(l.Text) {
			continue
		}
		read := toRead.get().MatchString(l.Text)
		for _, m := range machineFile.get().FindAllStringSubmatchIndex(l.Text, -1) {
			target, before := l.Text[m[2]:m[3]], nearBefore(l.Text, m[2])
			if !strings.Contains(target, "...") && (target[0] != '~' || read) &&
				!exampleBefore.get().MatchString(before) && !anybody.get().MatchString(target) &&
				!written(before) && strings.Count(l.Text[:m[2]], `"`)%2 == 0 {
				out = append(out, link{target: target, start: l.Start + m[2], end: l.Start + m[3], mention: true})
			}
		}
	}
	return out
}

var homes = []string{"/Users/", "/home/", "~/", `\Users\`}

var (
	machineFile = lazy("(?:^|[`\"'(\\s=@]|file://)((?:/(?:Users|home)|(?:/mnt/[a-z]|[A-Z]:)[/\\\\]+Users)" +
		"[/\\\\]+[\\w.-]+(?:[/\\\\]+[\\w.@-]+)+|~/(?:dev|code|src|work|repos?|git|projects?|workspaces?|Developer)" +
		"(?:/[\\w.@ -]*[\\w@-])*/[\\w.-]+\\.[A-Za-z0-9]{1,8}\\b)")
	outputLine = lazy(`^\s*[A-Z][\w -]*:\s`)
	// anybody matches home folders of placeholder users, containers and build machines.
	anybody = lazy(`(?i)(?:[/\\](?:Users|home)[/\\](?:you(?:r\w*)?|user\w*|me|name|username|xxx*` +
		`|foo|bar|alice|bob|carol|jane|john|j(?:ohn|ane)?[._-]?(?:smith|doe)` +
		`|airflow|circleci|codespace|ec2-user|gitpod|jenkins|jovyan|linuxbrew|node|runner|ubuntu|vscode|vsts` +
		`|claude|oai|agent|app|dev\w*|coder|admin|pi|sandbox` +
		`|work\w*|project|shared|public|test\w*|example|demo|someone|home|\.\.\.)[/\\])|example|\bmy-?\w*|your`)
)

func (s *Skill) missingImports(rel, text string) []link {
	dir := path.Dir(rel)
	var out []link
	add := func(m []int, there bool) {
		before := text[:m[0]]
		quoted := strings.Count(before, `"""`)%2+strings.Count(before, "'''")%2+strings.Count(before, "`")%2 > 0
		if !there && !quoted {
			out = append(out, link{target: text[m[2]:m[3]], start: m[2], end: m[3]})
		}
	}
	has := func(stem string, ends ...string) bool {
		return slices.ContainsFunc(ends, func(end string) bool {
			return s.Has(stem+end) || s.Has(path.Join(stem, "index"+end))
		})
	}
	switch path.Ext(rel) {
	case ".py":
		for _, m := range pythonImport.get().FindAllStringSubmatchIndex(text, 50) {
			name := text[m[2]:m[3]]
			first, _, _ := strings.Cut(name, ".")
			file := strings.ReplaceAll(name, ".", "/")
			switch {
			case first == "" && strings.HasPrefix(name, ".") && !strings.HasPrefix(name, ".."):
				file = file[1:]
			case first == "scripts", localModule.get().MatchString(name) && !strings.Contains(text, "sys.path"):
			default:
				continue
			}
			at := path.Join(dir, file)
			add(m, has(at, ".py", "") || has(file, ".py", "") || s.hasFile(file+".py"))
		}
	case ".js", ".mjs", ".cjs", ".ts":
		for _, m := range javaScriptImport.get().FindAllStringSubmatchIndex(text, 50) {
			at := path.Join(dir, text[m[2]:m[3]])
			stem := strings.TrimSuffix(at, path.Ext(at))
			there := leaves(at) || builtFolder.get().MatchString(at)
			for _, one := range []string{at, stem} {
				there = there || has(one, "", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", ".json", ".node", ".d.ts")
			}
			add(m, there)
		}
	case ".sh", ".bash":
		for _, m := range shellSource.get().FindAllStringSubmatchIndex(text, 50) {
			before := text[max(0, m[0]-80):m[0]]
			file := text[m[2]:m[3]]
			at := path.Join(dir, file)
			add(m, strings.Contains(before, "-f ") || leaves(at) || s.Has(at) || s.hasFile(path.Base(file)))
		}
	}
	return out
}

func (s *Skill) hasFile(rel string) bool {
	return slices.ContainsFunc(s.Files, func(f string) bool { return f == rel || strings.HasSuffix(f, "/"+rel) })
}

var (
	pythonImport     = lazy(`(?m)^(?:from[ \t]+([.\w]*\w)[ \t]+import\b)`)
	localModule      = lazy(`^_?(?:helpers?|utils|utilities|\w+_(?:utils?|helpers?|common|lib))$`)
	javaScriptImport = lazy("(?m)^(?:import\\b[^\"'`\\n;]*|[^\"'`\\n/*]*\\brequire\\(\\s*" +
		"|\\}[ \\t]*from[ \\t]*|export\\b[^\"'`\\n;]*\\bfrom[ \\t]*)[\"'](\\.\\.?/[^\"'\\n]+)[\"']")
	builtFolder = lazy(`(?:^|/)(?:dist|build|generated|node_modules|out|lib)/`)
	shellSource = lazy(`(?m)^[ \t]*(?:source|\.)[ \t]+["']?(?:\$\(\s*(?:cd\s+)?["']?\$?\(?\s*dirname[^\n]*?\)["']?` +
		`|\$\{?(?:SCRIPT_?DIR|script_?dir|DIR|HERE|SCRIPTS_DIR|BASH_SOURCE%/\*)\}?|\.)/([\w./-]+\.(?:sh|bash))\b`)
)
