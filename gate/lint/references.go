package lint

import (
	"cmp"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/wording"
)

var sg128 = &Rule{ID: "SG128", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	if s.Dir == "" || l.isFragment(s) {
		return
	}
	seen := set{}
	for _, p := range s.pages() {
		list, read := append(p.links(), s.mentionedFiles(p)...), set{}
		ends := sync.OnceValues(func() (dead, alive int) { return s.ends(p, list) })
		for _, to := range list {
			read[to.target] = read[to.target] || to.read
		}
		for _, to := range list {
			if p.templated(to.start) || !seen.add(to.target+"#"+to.anchor) {
				continue
			}
			problem := Problem{At: p.src.Span(to.start, to.end)}
			switch target := s.find(p, to.target); {
			case target == "" && (strings.ContainsRune("./~", rune(to.target[0])) && p.rel == skillFile &&
				p.until > s.Front.Body && !strings.HasSuffix(p.src.Text[:to.start], "@") && !s.inProject(to.target) ||
				path.IsAbs(to.target) || leaves(path.Join(path.Dir(p.rel), to.target))): // a file of the user, or reported by SG129
				continue
			case target == "":
				if !s.ownPath(to) || expr("idToFill").MatchString(to.target) || expr("builtFolder").MatchString(to.target) ||
					to.mention && l.otherHas(s, p, to) || p.saysFolder(to) ||
					s.part != "" && (!strings.Contains(to.target, "/") || slices.ContainsFunc(l.Skills, func(x *Skill) bool {
						return x.Has(to.target)
					})) {
					continue
				}
				problem.Cause = s.firstMissing(filepath.Join(s.Dir, filepath.FromSlash(to.target)))
				problem.Text, problem.Hint = to.target+" does not exist",
					cmp.Or(s.misspelt(p, to.target), s.nearFile(to.target))
				stem := strings.TrimSuffix(to.target, ".md")
				gone, there := ends()
				copied := problem.Hint == "" && (p.rel != skillFile && gone > there+3 || // from a website
					(to.mention || p.rel != skillFile) && expr("picture").MatchString(to.target))
				problem.Severity = Info.when(copied || !read[to.target] || s.gitIgnores(to.target) || s.aboveHas(to.target) ||
					!to.mention && (len(l.ByName(stem)) > 0 || l.hasAgent(stem)))
			case to.anchor == "" || s.hasHeading(p, target, to.anchor):
				continue
			default:
				if target == p.rel {
					target = path.Base(p.src.Path)
				}
				gone, there := ends()
				problem.Severity = Info.when(p.rel != skillFile && target != skillFile && 3*gone > there) // often copied
				problem.Text = fmt.Sprintf("%s has no heading for the anchor #%s", target, to.anchor)
				problem.Hint = "an anchor is the heading's text in lower case, with hyphens for spaces"
			}
			report(problem)
		}
	}
	for _, src := range s.besides() {
		rel := strings.TrimPrefix(src.Path, path.Dir(s.Src.Path)+"/")
		if isMarkdown(rel) || expr("forOthers").MatchString(rel) {
			continue
		}
		mild := path.Ext(rel) == ".json" || strings.HasSuffix(rel, ".d.ts") || l.isLoose(s) ||
			expr("exampleFile").MatchString(path.Base(rel))
		for i, list := range [][]link{s.scriptPaths(rel, src.Text), s.missingImports(rel, src.Text)} {
			for _, to := range list {
				onPath := func(x *Skill) bool { return filepath.Base(x.Path) == to.target+".py" } // if sys.path has its folder
				report(Problem{At: src.Span(to.start, to.end),
					Severity: Info.when(mild || s.gitIgnores(to.target) || slices.ContainsFunc(l.parts, onPath)),
					Text:     fmt.Sprintf("%s %s %s, which does not exist", rel, [...]string{"needs", "imports"}[i], to.target)})
			}
		}
	}
}}

// gitIgnores reports whether a .gitignore in the skill's folder or above it lists target, its name or its first folder.
func (s *Skill) gitIgnores(target string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(target, "./"), "/")
	stem := func(file string) string { // with its folder's name
		return path.Base(path.Dir(file)) + "/" + strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	for dir := s.Dir; Below(dir, s.top) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		text, _ := s.outside.read(filepath.Join(dir, ".gitignore"), maxBeside)
		for line := range strings.Lines(text) {
			if line = strings.Trim(strings.TrimSpace(line), "/"); line == first || line == path.Base(target) ||
				strings.Contains(line, "/") && stem(path.Clean(target)) == stem(line) {
				return true
			}
		}
	}
	return false
}

// ends counts the dead and the live links to files and headings of the skill among a page's first 60 references.
func (s *Skill) ends(p document, list []link) (dead, alive int) {
	for _, to := range list[:min(len(list), 60)] {
		switch file := s.find(p, to.target); {
		case to.mention || leaves(path.Join(path.Dir(p.rel), to.target)):
		case file != "" && (to.anchor == "" || s.hasHeading(p, file, to.anchor)) || file == "" && s.nearFile(to.target) != "":
			alive++
		default:
			dead++
		}
	}
	return dead, alive
}

func (s *Skill) find(p document, target string) string {
	switch beside := path.Join(path.Dir(p.rel), target); {
	case target == "":
		return p.rel
	case s.Has(beside):
		return beside
	case s.Has(target):
		return target
	}
	return ""
}

// saysFolder reports whether a path that is no link, or its folder, occurs on the page at the end of a longer path.
func (p document) saysFolder(to link) bool {
	if to.start > 0 && !strings.ContainsAny(p.src.Text[to.start-1:to.start], " `*") {
		return false
	}
	longer := func(at int) bool {
		c := p.src.Text[max(0, at-1)]
		return c == '>' || !strings.Contains(to.target, "/") || unicode.IsLetter(rune(c))
	}
	return source.AnyOccurrence(p.src.Text, "/"+to.target, longer) ||
		to.mention && strings.Count(to.target, "/") > 1 && source.AnyOccurrence(p.src.Text, "/"+path.Dir(to.target), longer)
}

// hasHeading reports whether a Markdown file of the skill has a heading or an HTML id for anchor. Sites derive anchors
// from headings in different ways, so any line with the same letters and digits counts as a heading.
func (s *Skill) hasHeading(p document, file, anchor string) bool {
	text := p.src.Text
	if file != p.rel {
		var err error
		if text, err = s.Read(file); err != nil || len(text) == maxBeside || !isMarkdown(file) {
			return true
		}
	}
	if u, err := url.PathUnescape(anchor); err == nil {
		anchor = u
	}
	if !expr("plainAnchor").MatchString(anchor) || expr("lineAnchor").MatchString(anchor) {
		return true
	}
	want := letters(anchor)
	for l := range source.EachLine(text, 0) {
		said := letters(expr("linkedTo").ReplaceAllString(l.Text, "]"))
		same := strings.Trim(strings.TrimPrefix(want, said), "0123456789") == "" || // a repeated heading gets a number
			len(want) > 5 && strings.HasPrefix(l.Text, "#") && strings.HasPrefix(said, want)
		if said != "" && !strings.Contains(l.Text, "](#") && same {
			return true
		}
	}
	return strings.ContainsAny(text, "{<") && regexp.MustCompile(fmt.Sprintf(
		`(?i)\b(?:id|name)\s*=\s*["']?%[1]s["'\s>]|\{:?\s*#%[1]s\b[^}\n]*\}`, regexp.QuoteMeta(anchor))).MatchString(text)
}

func letters(text string) string {
	return strings.Join(wording.Words(strings.ReplaceAll(text, "&amp;", "&")), "")
}

// ownPath reports whether a path can only mean a file of the skill: a link to a file, or a path with a folder that the
// skill has or that the text says to read. Other paths may be web pages, placeholders or files of the user's project.
func (s *Skill) ownPath(to link) bool {
	first, _, deep := strings.Cut(to.target, "/")
	if ext := path.Ext(to.target); to.mention || ext == "" || strings.Contains(ext, "-") {
		return deep && (s.Has(first) || to.mention && to.read)
	}
	return true
}

// said yields the lines of a page outside sections whose heading, and lists whose first line, match the expressions.
func (p document) said(heading, list string) iter.Seq[source.Line] {
	return func(yield func(source.Line) bool) {
		future, soon := false, false
		for l := range source.EachLine(p.src.Text[:p.until], p.from) {
			text := strings.TrimSpace(l.Text)
			if !l.Code && strings.HasPrefix(l.Text, "#") {
				future = expr(heading).MatchString(l.Text)
			}
			if !l.Code && !l.Fence && text != "" && !(soon && expr("listGoesOn").MatchString(l.Text)) {
				soon = findAll(list, l.Text, 1) != nil
			}
			if !future && !soon && !yield(l) {
				return
			}
		}
	}
}

func (s *Skill) mentionedFiles(p document) []link {
	if s.aboutSkills() {
		return nil // a skill about skills mentions paths as examples
	}
	var out []link
	n, told := 0, -farLines // n: number of the lines so far; told: last line that mentions SKILL.md
	made, cloned := map[string]bool{}, findAll("cloned", p.src.Text, 1) != nil
	language := "" // of the code fence
	for l := range p.said("notYet", "unfinished") {
		if l.Fence && !l.Code {
			language = info(l.Text)
		}
		if n++; strings.Contains(l.Text, skillFile) {
			told = n
		}
		if n-told < farLines && !strings.HasPrefix(l.Text, "@") ||
			!l.Code && !strings.Contains(l.Text, "/") && !strings.Contains(l.Text, ".md") ||
			l.Code && !words("shells")[cmp.Or(language, "sh")] && !expr("commented").MatchString(l.Text) {
			continue
		}
		found := findAll("ownFile", l.Text, -1)
		named := len(found) // later matches can only be files of the skill
		if l.Code && p.rel == skillFile {
			found = append(found, slices.DeleteFunc(findAll("bareScript", l.Text, -1), func(m []int) bool {
				return !slices.ContainsFunc(s.Files, func(f string) bool { return wording.Alike(path.Base(f), l.Text[m[4]:m[5]]) })
			})...)
		}
		found = append(found, findAll("rootedFile", l.Text, -1)...)
		if !l.Code {
			found = append(found, findAll("seenFile", l.Text, -1)...)
		}
		beside := len(found) // matches from here on count if the page names another file of their folder
		if !l.Code && strings.Contains(l.Text, "`") {
			found = append(found, findAll("pageInFolder", l.Text, -1)...)
		}
		if len(found) == 0 || !strings.Contains(l.Text, "@${CLAUDE_") && expr("usersFile").MatchString(l.Text) {
			continue
		}
		for i, m := range found {
			target, ok := localTarget(l.Text[m[4]:m[5]])
			root, before, after := "", nearBefore(l.Text, m[4]), nearAfter(l.Text, m[5])
			if m[2] >= 0 {
				root = l.Text[m[2]:m[3]]
			}
			imported := root != "" && strings.HasSuffix(l.Text[:m[2]], "@")
			near := ok && (s.misspelt(p, target) != "" || root == "" && p.rel == skillFile &&
				words("ownFolders")[path.Dir(target)] && !s.Has(target) && s.nearFile(target) != "")
			if !ok || path.Ext(target) == "" || target[0] == '.' && !strings.HasPrefix(target, ".claude/") ||
				!near && root == "" && (s.part != "" && i < beside || strings.HasPrefix(target, ".claude/")) &&
					!s.inProject(target) ||
				l.Code && s.part == pagePart || strings.Contains(root, "PROJECT_DIR") && p.until > s.Front.Body ||
				root == "" && l.Code && (p.rel != skillFile && !near || strings.HasPrefix(target, "examples/")) ||
				hasAnyPrefix(after, "](", "*", "<", "{", "/", "(", "-") ||
				l.Code && (strings.HasPrefix(strings.TrimSpace(root), "@") || expr("lineNumber").MatchString(after)) ||
				strings.Contains(root, "PLUGIN") && expr("sessionPage").MatchString(s.Path) ||
				strings.Contains(root, ".claude/skills/") && path.Base(root) != s.Name && path.Base(root) != path.Base(s.Folder) ||
				!imported && expr("exampleBefore").MatchString(before) || expr("madeAfter").MatchString(after) ||
				l.Code && expr("optionBefore").MatchString(before) ||
				written(before) || p.makes(target, made) ||
				i >= beside && (!near && !s.namesBeside(p, target) || expr("gone").MatchString(l.Text)) ||
				expr("notRead").MatchString(before) || expr("ofOthers").MatchString(after) || cloned ||
				strings.Contains(l.Text, "Bash(") && strings.HasPrefix(strings.TrimSpace(l.Text), "|") ||
				expr("listedImport").MatchString(root) && s.part == "" && strings.Contains(target, "/") ||
				!imported && strings.Contains(l.Text, "@${CLAUDE_") && expr("usersFile").MatchString(l.Text) ||
				expr("placeholder").MatchString(target) || expr("projectFile").MatchString(target) ||
				strings.Contains(l.Text, path.Dir(target)+"/<") || expr("builtFolder").MatchString(target) || s.aboveHas(target) ||
				slices.ContainsFunc(s.Files, func(f string) bool {
					return strings.HasSuffix(f, "/"+target) || strings.HasSuffix(f, "executable_"+target) // as chezmoi names it
				}) {
				continue
			}
			first, _, _ := strings.Cut(target, "/")
			lead, pages := before[max(0, len(before)-80):], expr("pageFolder").MatchString(target)
			says := expr("toldBefore").MatchString(lead) || expr("toldAfter").MatchString(after)
			read := near || strings.ContainsAny(root, "$<{~@") || strings.Contains(lead, "${CLAUDE_") ||
				says && (pages || p.until <= s.Front.Body || s.hasKind(p, target) || s.inProject(target)) ||
				expr("entry").MatchString(before) && (pages && (p.rel == skillFile || s.Has(first)) ||
					i >= beside && s.part == "" && s.Has(path.Dir(target))) ||
				i < beside && s.namesBeside(p, target)
			out = append(out, link{target: target, anchor: strings.TrimPrefix(expr("afterPath").FindString(after), "#"),
				start: l.Start + m[4], end: l.Start + m[5], mention: i < named, read: read})
		}
	}
	return out
}

// namesBeside reports whether the page names an existing file of target's folder, or that is a known subfolder.
func (s *Skill) namesBeside(p document, target string) bool {
	dir := path.Dir(target)
	if strings.Contains(dir, "/") && words("ownFolders")[path.Base(dir)] && (s.Has(dir) || s.aboveHas(dir)) {
		return true
	}
	seen := set{target: true}
	return source.AnyOccurrence(p.src.Text, "`"+path.Dir(target)+"/", func(at int) bool {
		other, _, _ := strings.Cut(nearAfter(p.src.Text, at+1), "`")
		return path.Ext(other) == path.Ext(target) && len(seen) < mostNamed && seen.add(other) &&
			(s.Has(other) || s.aboveHas(other))
	})
}

// misspelt returns a hint to an existing file in target's folder, of the skill or its project, whose name is almost
// target's, or "".
func (s *Skill) misspelt(p document, target string) string {
	stem := strings.TrimSuffix(path.Base(target), path.Ext(target))
	if len(stem) < 7 || !strings.Contains(target, "/") || s.find(p, target) != "" {
		return ""
	}
	for _, top := range []string{s.Dir, cmp.Or(s.Reach, s.Dir)} {
		for _, e := range s.outside.list(filepath.Join(top, filepath.FromSlash(path.Dir(target)))) {
			if got, ok := strings.CutSuffix(e.Name(), path.Ext(target)); ok && wording.Alike(got, stem) && !s.aboveHas(target) {
				return fmt.Sprintf("did you mean %s?", path.Join(path.Dir(target), e.Name()))
			}
		}
	}
	return ""
}

// hasKind reports whether target's folder has other files with target's extension.
func (s *Skill) hasKind(p document, target string) bool {
	dir, deep := path.Dir(target), strings.Contains(target, "/")
	return (deep || p.rel == skillFile) && slices.ContainsFunc(s.Files, func(f string) bool {
		return path.Ext(f) == path.Ext(target) && f != skillFile &&
			(path.Dir(f) == dir || path.Dir(f) == path.Join(path.Dir(p.rel), dir))
	})
}

// inProject reports whether s belongs to a project that has files with target's extension in target's folder, or where
// target is a file for its agents.
func (s *Skill) inProject(target string) bool {
	rel, below := strings.CutPrefix(s.Path, s.Reach)
	return s.Reach != "" && below && strings.Contains(target, "/") && expr("ofProject").MatchString(rel) &&
		(expr("ownTools").MatchString(target) && s.nearFile(target) == "" ||
			slices.ContainsFunc(s.outside.list(filepath.Join(s.Reach, filepath.FromSlash(path.Dir(target)))),
				func(e os.DirEntry) bool { return path.Ext(e.Name()) == path.Ext(target) }))
}

func (s *Skill) aboutSkills() bool {
	return expr("onSkills").MatchString(s.Name + " " + path.Base(s.Folder))
}

// makes reports whether the page says that it creates target or that target may not exist. It caches answers in made.
func (p document) makes(target string, made map[string]bool) bool {
	name := path.Base(target)
	if yes, ok := made[name]; ok {
		return yes
	}
	made[name] = source.AnyOccurrence(p.src.Text, name, func(at int) bool {
		before := nearBefore(p.src.Text, at)
		return written(before[strings.LastIndexByte(before, '\n')+1:]) ||
			expr("ifThere").MatchString(nearAfter(p.src.Text, at+len(name)))
	})
	return made[name]
}

// nearText is the number of bytes tested before and after a match. It keeps long lines with many matches cheap.
const nearText = 400

func nearBefore(text string, at int) string { return text[max(0, at-nearText):at] }
func nearAfter(text string, at int) string  { return text[at:min(len(text), at+nearText)] }

func written(before string) bool {
	m := expr("making").FindString(before)
	return expr("heads").MatchString(before) || m != "" && !expr("reading").MatchString(m)
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// farLines is the number of lines after a mention of SKILL.md in which paths are taken for examples.
const farLines = 12
const mostNamed = 60 // number of other paths on a page that are looked for

func (s *Skill) aboveHas(target string) bool {
	dir := s.Dir
	for range maxAbove {
		if dir = filepath.Dir(dir); dir == s.Reach || !Below(dir, s.top) {
			break
		}
		if s.outside.exists(filepath.Join(dir, filepath.FromSlash(target))) {
			return true
		}
	}
	return s.Reach != "" && s.outside.exists(filepath.Join(s.Reach, filepath.FromSlash(target)))
}

func (l *Library) otherHas(s *Skill, p document, to link) bool {
	n := p.src.LineAt(to.start)
	around := ""
	for i := max(1, n-2); i <= min(n+1, p.src.Lines()); i++ {
		around += p.src.LineText(i) + "\n"
	}
	around = strings.ReplaceAll(around, path.Base(to.target), "")
	return slices.ContainsFunc(l.Skills, func(x *Skill) bool {
		return x != s && x.Path != "" && x.Folder != "" &&
			(strings.Contains(around, path.Base(x.Folder)) || strings.HasPrefix(s.Name, x.Name+"-")) &&
			s.outside.exists(filepath.Join(filepath.Dir(x.Path), filepath.FromSlash(to.target)))
	})
}

func (s *Skill) nearFile(target string) string {
	for _, f := range s.Files {
		if strings.EqualFold(path.Base(f), path.Base(target)) {
			return fmt.Sprintf("did you mean %s?", f)
		}
	}
	for dir, n := s.Dir, 0; n < maxAbove && Below(dir, s.top); dir, n = filepath.Dir(dir), n+1 {
		for _, e := range s.outside.list(dir) {
			if file := filepath.Join(dir, e.Name(), path.Base(target)); e.IsDir() && s.outside.exists(file) {
				rel, _ := filepath.Rel(s.Dir, file)
				return fmt.Sprintf("did you mean %s?", filepath.ToSlash(rel))
			}
		}
	}
	return ""
}

var sg129 = &Rule{ID: "SG129", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	if s.Dir == "" {
		return
	}
	seen, p := set{}, s.page()
	for _, to := range s.machineFiles(p) {
		if !p.templated(to.start) && seen.add(to.target) {
			report(Problem{At: s.Src.Span(to.start, to.end), Text: to.target + " may not exist on other machines",
				// Other paths are examples, or belong to the machine that the library or page is for.
				Severity: Info.when(!expr("partFolder").MatchString(to.target) || s.part == pagePart)})
		}
	}
	for _, to := range append(p.links(), s.siblingFiles(p)...) {
		// An absolute path may be a page of a site, and ~ means the user's home folder.
		if !leaves(to.target) || path.IsAbs(to.target) && !expr("machinePath").MatchString(to.target) ||
			to.target[0] == '~' || to.mention && !s.ofSibling(to) || p.templated(to.start) || !seen.add(to.target) ||
			strings.HasPrefix(s.Src.Text[to.start:], ".claude/") && // a folder of the user's project
				(l.pluginOf(s.Path) != nil || len(l.ByName(path.Base(path.Dir(to.target)))) > 0) {
			continue
		}
		p, said := Problem{At: s.Src.Span(to.start, to.end)}, s.Src.Text[to.start:to.end]
		switch file := filepath.Join(s.Dir, filepath.FromSlash(to.target)); {
		case path.IsAbs(to.target):
			p.Text = said + " may not exist on other machines"
		case s.Reach == "" || Below(file, s.Reach):
			if s.outside.exists(file) {
				continue
			}
			p.Text, p.Cause = said+" does not exist", s.firstMissing(file)
			if path.Base(file) == skillFile {
				name := filepath.Base(filepath.Dir(file))
				p.Text += fmt.Sprintf(", and no skill is named %q", name)
				if found := l.ByName(name); len(found) > 0 {
					p.Text = said + " does not exist"
					p.Hint = "the skill is at " + found[0].Src.Path
				} else {
					p.Hint = l.perhaps(s, name)
				}
			}
		default:
			p.Text, p.Cause = said+" is outside the repository", strings.Split(strings.TrimLeft(to.target, "./"), "/")[0]
			p.Severity = Info.when(strings.HasPrefix(said, "skills/") || s.part == pagePart)
		}
		report(p)
	}
}}

// firstMissing returns the topmost missing folder on the path of a missing file, or the file itself.
func (s *Skill) firstMissing(file string) string {
	for dir := filepath.Dir(file); Below(dir, s.top) && !s.outside.exists(dir); dir = filepath.Dir(dir) {
		file = dir
	}
	return file
}

// Below reports whether file is dir or inside it. Both are clean paths.
func Below(file, dir string) bool {
	rest, ok := strings.CutPrefix(file, dir)
	return ok && dir != "" && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}

var sg145 = &Rule{ID: "SG145", Severity: Warning, NeedsAll: true, Within: func(l *Library, s *Skill, report Report) {
	for _, n := range s.needs() {
		if l.isAbsent(n.name) && (s.part == "" || l.isAbsent(path.Base(n.name))) {
			report.at(s.In(n.in, n.name), "%s: no skill is named %q", n.key, n.name)
		}
	}
	if chain := l.circle(s, nil); chain != nil {
		report.at(s.Src.Line(1), "circular dependency between skills: %s", strings.Join(chain, " → "))
	}
	seen, page := set{}, s.page()
	if agent, _ := s.Front.Scalar("agent"); agent != "" && !l.hasAgent(agent) && s.Front.hasValue("context", "fork") {
		report.at(s.In("agent", agent), "no agent is named %q", agent)
	}
	if !s.aboutSkills() {
		low := strings.ToLower(s.Src.Text)
		for _, p := range s.pages() {
			for _, to := range p.handedTo(p.rel == skillFile) {
				if (to.read || !p.templated(to.start)) && !l.hasAgent(to.target) &&
					!strings.Contains(low, "# "+to.target) && // a role that the skill describes
					len(l.ByName("agent-"+to.target)) == 0 && seen.add("agent "+to.target) {
					report.at(p.src.Span(to.start, to.end), "no agent is named %q", to.target)
				}
			}
		}
	}
	l.checkNames(s, seen, report)
	for _, m := range findAll("installed", s.Src.Text, 50) {
		name := s.Src.Text[m[2]:m[3]]
		for _, market := range l.markets {
			if market.name == s.Src.Text[m[4]:m[5]] && !market.plugins[name] && !expr("placeholder").MatchString(name+".x") {
				report.at(s.Src.Span(m[2], m[3]), "the marketplace %s has no plugin %q", market.name, name)
			}
		}
	}
	optional := expr("optionalSkills").MatchString(s.Src.Text)
	for _, r := range s.handovers() {
		if page.templated(r.start) || !seen.add(r.target) || r.target == s.Name && s.part == commandPart {
			continue
		}
		found := l.ByName(r.target)
		p := Problem{At: s.Src.Span(r.start, r.end)}
		switch {
		case strings.Contains(r.target, ":"):
			if plugin, _, _ := strings.Cut(r.target, ":"); !l.isAbsent(r.target) || l.things(plugin) < 2 ||
				slices.ContainsFunc(l.Skills, func(x *Skill) bool {
					return strings.Contains(x.Src.Text, "# /"+r.target) || strings.Contains(x.Src.Text, "# `/"+r.target)
				}) {
				continue
			}
			p.Text = fmt.Sprintf("no skill or command is named %q", r.target)
		case len(found) == 0 && (!r.mention || l.noCommand(r.target)) && !words("hostCommands")[r.target] &&
			!l.reaches(r.target) && !optional && !s.noSkill(r.target) && !s.requires(r.target):
			p.Text, p.Hint = fmt.Sprintf("no skill is named %q", r.target), l.perhaps(s, r.target)
			family, ok := strings.CutSuffix(p.Hint, "-"+r.target+"?") // the page uses short names
			p.Severity = Info.when(ok && strings.HasPrefix("did you mean "+s.Name, family+"-") ||
				strings.HasSuffix(s.Name, "-"+r.target))
		case len(found) > 0 && !r.read && !slices.ContainsFunc(found, func(x *Skill) bool {
			return !x.Front.hasValue("disable-model-invocation", "trueWords") || x == s
		}):
			p.Text = fmt.Sprintf("the model cannot load %q, because that skill sets disable-model-invocation", r.target)
			p.Hint = "tell the user to run that skill, or remove the field from it"
			p.Severity = Info.when(r.mention) // /NAME may be meant for the user
		default:
			continue
		}
		report(p)
	}
}}

// requires reports whether the skill says that another skill must be installed or may be missing.
func (s *Skill) requires(name string) bool {
	return source.AnyOccurrence(s.Src.Text, name, func(at int) bool {
		before := nearBefore(s.Src.Text, at)
		line, _, _ := strings.Cut(nearAfter(s.Src.Text, at), "\n")
		return expr("required").MatchString(before[strings.LastIndexByte(before, '\n')+1:] + line)
	})
}

// checkNames checks names next to the words skill and agent that resemble existing ones, and names with a plugin.
func (l *Library) checkNames(s *Skill, seen set, report Report) {
	for _, found := range s.namesInProse(len(l.plugins) > 0) {
		name := strings.TrimPrefix(found.target, "/")
		last := name[strings.LastIndexByte(name, ':')+1:]
		at, skills := s.Src.Span(found.start, found.end), l.ByName(name)
		p := Problem{At: at, Text: fmt.Sprintf("no skill, command or agent is named %q", name)}
		switch {
		case seen[name] || s.aboutSkills() || expr("madeUpSkill").MatchString(last) || expr("gone").MatchString(at.Excerpt) ||
			expr("usersFile").MatchString(at.Excerpt) || strings.Contains(at.Excerpt, "if exists") ||
			strings.Contains(at.Excerpt, "<!--") || found.read && found.target == name && strings.Contains(at.Excerpt, "/"+name):
			continue
		case last != name:
			plugin, _, _ := strings.Cut(name, ":")
			command := found.target != name
			if !command && (strings.Contains(s.Src.Text, "| Event") || strings.Contains(s.Src.Text, "'"+name+"'")) {
				continue
			}
			if !l.isAbsent(name) || l.things(plugin) < 2 || !command && !strings.Contains(last, "-") ||
				strings.Contains(at.Excerpt, plugin+" "+last) {
				continue
			}
		case len(skills) > 0 && s.part == agentPart && !slices.ContainsFunc(skills, (*Skill).offered):
			p.Text = fmt.Sprintf("the model cannot load %q, because that skill sets disable-model-invocation", name)
			p.Hint = "remove the field from that skill"
		case l.reaches(name) || l.hasAgent(name) || words("wellKnownSkills")[name] || words("hostCommands")[name] ||
			found.read && !l.listsSkills(s), !found.read && l.similar(name) == "":
			continue
		}
		seen[name] = true
		p.Hint = cmp.Or(p.Hint, l.similar(last))
		report(p)
	}
}

func (s *Skill) namesInProse(ofPlugins bool) []link {
	var out []link
	for l := range s.page().said("notBuilt", "candidates") {
		for _, re := range []string{"besideKind", "inPlugin", "afterArrow", "pageOfSkill"} {
			if l.Code || l.Fence || re == "inPlugin" && !ofPlugins {
				continue
			}
			for _, m := range findNames(re, l.Text, -1) {
				out = append(out, link{target: l.Text[m[2]:m[3]], start: l.Start + m[2], end: l.Start + m[3],
					read: re == "afterArrow"})
			}
		}
	}
	return out
}

// listsSkills reports whether most names at the ends of the page's list items and table rows are those of skills.
func (l *Library) listsSkills(s *Skill) bool {
	all := findNames("afterArrow", s.Src.Text, 50)
	named := count(all, func(m []int) bool { return len(l.ByName(s.Src.Text[m[2]:m[3]])) > 0 })
	return named > 1 && named > 3*(len(all)-named)
}

// things returns the number of skills, commands and agents of the plugin, or commands in the folder, with that name.
func (l *Library) things(name string) int {
	return count(slices.Concat(l.Skills, l.parts), func(s *Skill) bool {
		p := l.pluginOf(s.Path)
		return p != nil && slices.Contains(p.names, name) && (s.part == "" || s.part == agentPart || s.part == commandPart) ||
			s.part == commandPart && strings.EqualFold(filepath.Base(s.Dir), name)
	})
}

func (s *Skill) offered() bool { return !s.Front.hasValue("disable-model-invocation", "trueWords") }

// similar returns a hint to a name with as many words, of which all but one are the same or alike, or "".
func (l *Library) similar(name string) string {
	parts := strings.Split(name, "-")
	for _, other := range slices.Concat(l.sorted(), sortedNames(l.helpers().agents), sortedNames(l.helpers().commands)) {
		have := strings.Split(other, "-")
		same := count(parts, func(part string) bool { return slices.Contains(have, part) })
		if other != name && len(have) == len(parts) &&
			(same >= max(2, len(parts)-1) || len(name) > 6 && wording.Alike(name, other)) {
			return fmt.Sprintf("did you mean %s?", other)
		}
	}
	return ""
}

type need struct{ key, in, name string } // in is the top-level key that contains key

func (s *Skill) needs() []need {
	var out []need
	for _, k := range s.Front.Keys {
		nodes := map[string]*yaml.Node{k.Name: k.Node}
		if k.Name == "metadata" && k.Node != nil && k.Node.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(k.Node.Content); i += 2 {
				nodes[k.Node.Content[i].Value] = k.Node.Content[i+1]
			}
		}
		for _, key := range sortedNames(nodes) {
			if expr("neededSkills").MatchString(key) || key == "skills" && (s.part == agentPart || s.part == commandPart) {
				for _, name := range namesIn(nodes[key]) {
					if !words("noNeed")[strings.ToLower(name)] {
						out = append(out, need{key, k.Name, name})
					}
				}
			}
		}
	}
	return out
}

// circle returns the names along a dependency cycle through s, or nil. Only the first skill of a cycle reports it.
func (l *Library) circle(s *Skill, chain []*Skill) []string {
	from := s
	if len(chain) > 0 {
		from = chain[len(chain)-1]
	}
	for _, n := range from.needs() {
		for _, next := range l.ByName(n.name) {
			switch {
			case next == s && len(chain) > 0:
				out := []string{s.Name}
				for _, c := range append(chain, s) {
					if c.order < s.order {
						return nil
					}
					out = append(out, c.Name)
				}
				return out
			case next != s && !slices.Contains(chain, next):
				if out := l.circle(s, append(slices.Clone(chain), next)); out != nil {
					return out
				}
			}
		}
	}
	return nil
}

func (l *Library) ownPlugin(name string) bool {
	return slices.ContainsFunc(l.plugins, func(p *plugin) bool { return slices.Contains(p.names, name) })
}

// isAbsent reports whether name can only mean a skill of this collection, but the collection has no such skill.
func (l *Library) isAbsent(name string) bool {
	in, last, qualified := strings.Cut(name, ":")
	if lower := strings.ToLower(name); !qualified || len(l.ByName(lower)) > 0 {
		return len(l.ByName(lower)) == 0 && !words("wellKnownSkills")[lower] && !l.helpers().commands[lower]
	}
	last = last[strings.LastIndexByte(last, ':')+1:]
	h := l.helpers()
	return (l.ownPlugin(strings.ToLower(in)) || l.things(in) > 1) && len(l.ByName(last)) == 0 &&
		!h.commands[strings.ToLower(last)] && !h.agents[strings.ToLower(last)]
}

func namesIn(n *yaml.Node) []string {
	var out []string
	switch {
	case n == nil:
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			out = append(out, namesIn(c)...)
		}
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null" && n.Tag != "!!bool":
		out = strings.FieldsFunc(n.Value, func(r rune) bool { return strings.ContainsRune(" ,\n\t", r) })
	}
	return out
}

func (s *Skill) handovers() []link {
	if s.aboutSkills() {
		return nil // a skill about skills names others as examples
	}
	var out []link
	for l := range s.page().said("notBuilt", "candidates") {
		before := len(out)
		for _, re := range []string{"skillCall", "handover", "handoverAfter", "inBackquotes", "slashCommand"} {
			if l.Fence || l.Code && re != "skillCall" {
				break
			}
			for _, m := range findNames(re, l.Text, -1) {
				name := strings.TrimPrefix(l.Text[m[2]:m[3]], "/")
				after := l.Text[m[3]:]
				if hasAnyPrefix(after, "$", "-$", "{", "-{", "-<", "-*") || re == "slashCommand" &&
					(!hasAnyPrefix(after, "`", " ") || expr("notCommand").MatchString(after)) ||
					words("wellKnownSkills")[name] || expr("kindOfSkill").MatchString(name) {
					continue
				}
				out = append(out, link{target: name, start: l.Start + m[2], end: l.Start + m[3], mention: re == "slashCommand",
					read: re == "inBackquotes"})
			}
		}
		out = append(out[:before], slices.DeleteFunc(out[before:], func(to link) bool {
			lead := nearBefore(l.Text, to.start-l.Start)
			from := max(0, strings.LastIndex(lead, ". "), strings.LastIndex(lead, ", then "))
			rest, _, _ := strings.Cut(nearAfter(l.Text, to.start-l.Start), ". ")
			quoted := strings.Count(lead, `"`)%2 == 1 && !strings.HasSuffix(lead, `"`)
			return quoted && strings.Contains(rest, `"`) || expr("unsure").MatchString(lead[from:]+rest)
		})...)
	}
	return out
}
