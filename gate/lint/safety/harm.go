package safety

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/wording"
)

func (h hit) finding() Finding {
	return Finding{At: h.t.src.Span(h.start, h.end), Risk: h.p.Risk, Usual: h.p.Usual,
		Text: fmt.Sprintf("%s: %q", h.p.What, source.Short(strings.TrimSpace(h.text())))}
}

// Leaks reports commands and code that send secrets away.
func Leaks(s *Skill, report func(Finding)) {
	seen := map[int]bool{} // reported lines of SKILL.md
	add := func(f Finding, body bool) {
		if !body || !seen[f.At.Line] {
			seen[f.At.Line] = seen[f.At.Line] || body
			report(f)
		}
	}
	scanLines(s, "SG505", isWarnedAgainstOrMadeUp, func(h hit) { add(h.finding(), h.t.src == s.Page) })
	scanProse(s, "SG505", quotesAttack, func(h hit) {
		if !h.t.script {
			add(s.inProse(h), true)
		}
	})
	for _, t := range s.texts() {
		if t.script && strings.Contains(t.src.Text, `"mcpServers"`) {
			foreignTokens(t, report)
		}
		if t.script && (strings.Contains(t.src.Path, "hooks/") || strings.Contains(t.low, "hook_event")) &&
			expr("readsEvent").MatchString(t.src.Text) {
			s.sentPrompts(t, report)
		}
		if t.data() {
			continue
		}
		eachCode(t, func(from, to int) {
			start, end, ok := readThenSent(t, from, to)
			if h := t.hitAt(start, end); ok && !s.labelled(t, h.n, h.from) {
				add(Finding{At: t.src.Span(start, end), Usual: true, Text: fmt.Sprintf(
					"reads a secret and sends data a few lines later: %q", source.Short(t.src.Text[start:end]))}, t.src == s.Page)
			}
		})
	}
}

func (s *Skill) sentPrompts(t *textFile, report func(Finding)) {
	for _, at := range expr("promptSent").FindAllStringIndex(t.src.Text, 5) {
		m := expr("promptHost").FindStringSubmatch(t.src.Text[at[0]:at[1]])
		if m != nil && !slices.Contains(wordList("knownHosts"), registered(strings.ToLower(m[1]))) {
			report(finding(t.src.Span(at[0], at[1]), "the hook sends the user's prompt or files to %s", m[1]))
		}
	}
}

// foreignTokens reports MCP servers that get a token of GitHub, npm or the like although their host is not known.
func foreignTokens(t *textFile, report func(Finding)) {
	for _, m := range expr("vendorToken").FindAllStringSubmatchIndex(t.src.Text, 20) {
		entry := t.src.Text[max(0, m[0]-400):m[0]]
		urls := expr("serverURL").FindAllString(entry[strings.LastIndexByte(entry, '}')+1:], -1)
		if len(urls) == 0 {
			urls = append(urls, expr("serverURL").FindString(t.src.Text[m[0]:min(len(t.src.Text), m[0]+400)]))
		}
		host, _ := hostOf(strings.Trim(urls[len(urls)-1], `"`))
		vendor, _, _ := strings.Cut(strings.ToLower(t.src.Text[m[2]:m[3]]), "_")
		if host != "" && !known(registered(host)) && !madeUpHost(host) && !strings.HasPrefix(registered(host), vendor) {
			report(finding(t.src.Span(m[2], m[3]), "sends %s to %s", t.src.Text[m[2]:m[3]], host))
		}
	}
}

func isWarnedAgainstOrMadeUp(s *Skill, h hit) bool {
	return isWarnedAgainst(s, h) || onlyMadeUp(h.line)
}

func eachCode(t *textFile, f func(from, to int)) {
	if t.script {
		f(0, len(t.src.Text))
		return
	}
	from := -1
	for l := range source.EachLine(t.src.Text, 0) {
		switch {
		case l.Code && from < 0:
			from = l.Start
		case !l.Code && from >= 0:
			f(from, l.Start)
			from = -1
		}
	}
	if from >= 0 {
		f(from, len(t.src.Text))
	}
}

func literalAt(text string, at int) string {
	from := strings.LastIndexAny(text[:at], "\"'`\n") + 1
	if end := strings.IndexAny(text[at:], "\"'`\n"); end >= 0 {
		return text[from : at+end]
	}
	return text[from:]
}

func readThenSent(t *textFile, from, to int) (start, end int, ok bool) {
	low := t.low[from:to]
	if !hasAny(low, wordList("secretWords")) || !hasAny(low, wordList("uploadWords")) {
		return 0, 0, false
	}
	text := t.src.Text[from:to]
	for _, m := range expr("readsSecret").FindAllStringIndex(text, 10) {
		at := strings.LastIndexByte(text[:m[0]], '\n') + 1
		line, _, _ := strings.Cut(text[at:], "\n")
		_, rest, more := strings.Cut(text[m[1]:], "\n")
		whole := expr("wholeEnvironment").MatchString(text[m[0]:m[1]])
		trimmed := strings.TrimSpace(line)
		if !more || strings.Contains(line, ".pub") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") ||
			expr("exists").MatchString(line) || expr("expressionText").MatchString(literalAt(text, m[1])) ||
			(whole || inListOfStrings(line, m[0]-at)) && expr("testName").MatchString(t.src.Path) {
			continue
		}
		if whole && !sentLater(text, rest) {
			before := text[max(0, m[0]-300):m[1]]
			ok = opensUpload(before) && !onlyMadeUp(before)
		} else {
			if !t.script {
				rest = firstLines(rest, 8)
			}
			u := expr("uploads").FindStringIndex(rest)
			ok = u != nil && !onlyMadeUp(firstLines(rest[u[0]:], 2))
		}
		if ok {
			return from + m[0], from + m[1], true
		}
	}
	return 0, 0, false
}

// opensUpload reports whether the last statement of some code is an upload that goes on.
func opensUpload(code string) bool {
	list := statements(code)
	last := list[len(list)-1]
	return opened(last) > 0 && expr("uploads").MatchString(last)
}

// sentLater reports whether rest sends the environment that script reads, rather than single variables of a copy.
func sentLater(script, rest string) bool {
	var f flow
	for _, m := range expr("environmentCopy").FindAllStringSubmatch(script, 20) {
		one := regexp.MustCompile(`\b` + m[1] + expr("lookup").String())
		script, rest = one.ReplaceAllString(script, "one"), one.ReplaceAllString(rest, "one")
	}
	for _, one := range statements(rest) {
		if !expr("uploads").MatchString(one) {
			continue
		}
		if f == nil {
			f = flowFrom(script, expr("wholeEnvironment"))
		}
		if f.in(one) {
			return true
		}
	}
	return false
}

func firstLines(text string, n int) string {
	lines := strings.SplitN(text, "\n", n+1)
	return strings.Join(lines[:min(len(lines), n)], "\n")
}

// Damage reports commands that destroy data or weaken a machine's security.
func Damage(s *Skill, report func(Finding)) {
	skip := func(s *Skill, h hit) bool {
		return isWarnedAgainst(s, h) || h.p.ID == "allows-every-tool" && strings.HasSuffix(h.t.src.Path, "sh") &&
			expr("decides").MatchString(h.t.src.Text) ||
			h.t.script && strings.HasSuffix(h.p.What, "without asking") && expr("asksBefore").MatchString(
				h.t.src.Text[max(0, h.t.src.LineStart(h.n)-600):h.t.src.LineStart(h.n)+h.from]) ||
			strings.HasPrefix(h.line, "permissionMode:") && expr("pluginAgent").MatchString(h.t.src.Path) // ignored there
	}
	scanLines(s, "SG506", skip, func(h hit) {
		image := h.p.ID == "overwrite-disk" && expr("diskImage").MatchString(h.text()) // writing disk images is legitimate
		_, name, _ := strings.Cut(h.text(), "$")
		name = strings.Trim(name, "{}\"/* \t;&|)`'\\")
		if !image && (h.p.ID != "rm-unset" || strings.Count(h.t.src.Text, name) == strings.Count(h.line, name)) {
			report(h.finding())
		}
	})
	for _, t := range s.texts() {
		if at := expr("checksOutFork").FindStringIndex(t.src.Text); at != nil && strings.Contains(t.src.Path, "workflows/") {
			report(finding(t.src.Span(at[0], at[0]+len("pull_request_target")),
				"runs code of a fork with the secrets of the repository: pull_request_target and a checkout of the head"))
		}
		if !t.script || !t.hasAny(wordList("allowingWords")) || expr("decides").MatchString(t.src.Text) {
			continue
		}
		if at := expr("allowsTool").FindStringIndex(t.src.Text); at != nil {
			report(finding(t.src.Span(at[0], at[1]), "lets commands run without asking: the hook allows every tool"))
		}
	}
}

// Downloads reports commands and code that run downloads, and reverse shells.
func Downloads(s *Skill, report func(Finding)) {
	scanLines(s, "SG507", runsNothing, func(h hit) {
		p := h.finding()
		p.Risk = networkRisk(h)
		p.Usual = p.Usual || h.t.script && expr("argumentURL").MatchString(h.text()) && !strings.Contains(h.t.src.Text, "://")
		report(p)
	})
	s.mistypedPackages(report)
	for _, t := range s.texts() {
		if start, end, ok := runsLater(t, expr("downloads")); ok && !expr("decoders").MatchString(t.src.Text) {
			report(Finding{At: t.src.Span(start, end),
				Text: "runs code that the file downloads: " + strings.TrimSpace(t.src.Text[start:end]), Risk: 0.4})
		}
	}
}

func runsNothing(s *Skill, h hit) bool {
	if isWarnedAgainstOrMadeUp(s, h) || h.p.ID != "exec-download" && s.installs(h.line) {
		return true
	}
	if h.p.ID != "save-and-run" {
		return false
	}
	m := expr("savedFile").FindStringSubmatch(h.line[h.from:])
	if m == nil {
		return true
	}
	run := regexp.QuoteMeta(strings.Trim(m[1]+m[2]+m[3], `"'`))
	later := ""
	_, last := joined(h.t.src, h.n)
	for n := last + 1; n <= min(last+3, h.t.src.Lines()); n++ {
		later += "; " + h.t.src.LineText(n)
	}
	const end = `["']?(?:\s|$|[;&)` + "`" + `"'])`
	again := regexp.MustCompile(`(?:&&|;)\s*(?:(?:sudo|nohup|exec|setsid)\s+)*(?:` + runners +
		`)?\s*(?:-\w+\s+)*["']?(?:\./)?` + run + end)
	if strings.Contains(run, "/") {
		return !again.MatchString(h.line[h.from:] + later)
	}
	// On a later line, a name without "./" or an interpreter may be prose.
	started := regexp.MustCompile(`(?:&&|;)\s*(?:sudo\s+)?` +
		`(?:(?:` + runners + `)\s+(?:-\w+\s+)*["']?(?:\./)?|["']?\./)` + run + end)
	return !again.MatchString(h.line[h.from:]) && !started.MatchString(later)
}

const runners = `(?:ba|z)?sh|python3?|node|perl|source|\.`

func (s *Skill) mistypedPackages(report func(Finding)) {
	for _, t := range s.texts() {
		var found [][]int
		npm := strings.HasSuffix(t.src.Path, "package.json")
		if npm {
			found = expr("listedDependency").FindAllStringSubmatchIndex(t.src.Text, 500)
		} else if expr("packageList").MatchString(t.src.Path) {
			found = append(expr("listedPackages").FindAllStringSubmatchIndex(t.src.Text, 500),
				expr("listedInline").FindAllStringSubmatchIndex(t.src.Text, 500)...)
		} else if t.hasAny(wordList("installCommands")) {
			found = expr("installsPackages").FindAllStringSubmatchIndex(t.src.Text, 50)
		}
		for _, m := range found {
			if isWarnedAgainst(s, t.hitAt(m[0], m[1])) {
				continue
			}
			known := wordList("pypiPackages")
			if npm || expr("installsFromNPM").MatchString(t.src.Text[m[0]:m[2]]) {
				known = wordList("npmPackages")
			}
			for _, word := range strings.Fields(t.src.Text[m[2]:m[3]]) {
				name, from, _ := strings.Cut(strings.ToLower(strings.Trim(word, "\"'(),;")), "@")
				if strings.HasPrefix(from, "npm:") {
					continue // another name for a package
				}
				if i := strings.IndexAny(name, "=<>~[;"); i >= 0 {
					name = name[:i]
				}
				i := slices.IndexFunc(known, func(k string) bool { return wording.OneLetter(name, k) })
				if i < 0 || slices.Contains(known, name) || slices.Contains(wordList("nearPackages"), name) {
					continue
				}
				report(Finding{At: t.src.Span(m[0], m[1]), Risk: 0.4,
					Text: fmt.Sprintf("installs %s, which differs by one letter from the well-known package %s", name, known[i])})
				break
			}
		}
	}
}

func (s *Skill) installs(line string) bool {
	about := strings.ToLower(s.Name + " " + s.Folder)
	found := false
	made := func(name string) bool { // name is that of a known installer or of the tool
		label, _, _ := strings.Cut(name, ".")
		return slices.Contains(wordList("installers"), name) || len(label) > 1 && !expr("pasteSite").MatchString(line) &&
			(s.speaksOf(label, line, 2) || len(label) > 3 && slices.Contains(strings.FieldsFunc(about, notLetter), label))
	}
	if m := expr("bareDownload").FindStringSubmatch(line); m != nil && !strings.Contains(line, "://") {
		return made(registered(strings.ToLower(m[1])))
	}
	for at := range source.Occurrences(line, "://") {
		start, end := hostAt(line, at+len("://"))
		if start != at+len("://") || !strings.HasSuffix(strings.ToLower(line[:at]), "https") {
			return false
		}
		name := registered(strings.ToLower(line[start:end]))
		if name == "githubusercontent.com" || name == "github.com" {
			owner, _, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(line[end:]), "/"), "/")
			maker, _, _ := strings.Cut(owner, "-")
			found = slices.Contains(wordList("installerOwners"), owner) || s.speaksOfOwner(line[end:], line) ||
				len(maker) > 3 && slices.Contains(strings.FieldsFunc(about, notLetter), maker)
		} else {
			found = made(name)
		}
		if !found {
			return false
		}
	}
	return found
}

// speaksOfOwner reports whether a skill speaks of the owner or the repository at the start of a path on GitHub.
func (s *Skill) speaksOfOwner(at, line string) bool {
	parts := strings.SplitN(strings.ToLower(strings.TrimPrefix(at, "/")), "/", 3)
	return slices.ContainsFunc(parts[:len(parts)-1], func(name string) bool {
		return len(name) > 2 && !slices.Contains(wordList("plainNames"), name) && s.speaksOf(name, line, 2)
	})
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func networkRisk(h hit) float64 {
	switch {
	case strings.HasPrefix(h.p.ID, "reverse-shell") && expr("madeUpAddress").MatchString(h.line):
		return 0 // such a line is typical of penetration testing courses
	case h.p.Risk != 0:
		return h.p.Risk
	case expr("pasteSite").MatchString(h.line):
		return 0.5
	}
	for at := range source.Occurrences(h.line, "://") {
		start, end := hostAt(h.line, at+len("://"))
		if addr, err := netip.ParseAddr(strings.Trim(h.line[start:end], "[]")); err == nil && !ordinary(addr) {
			return 0.6
		}
		if strings.HasSuffix(strings.ToLower(h.line[:at]), "http") {
			return 0.4
		}
	}
	return 0
}
