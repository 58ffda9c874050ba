package safety

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
)

func isWarnedAgainst(s *Skill, h hit) bool {
	line := strings.TrimSpace(h.line)
	before := leadIn(h.line, h.from)
	quoted := expr("quotedLine").MatchString(line) && !strings.HasSuffix(h.t.src.Path, ".json")
	if h.t.script {
		// Comments do not run, and scanners contain the patterns that they search for.
		if expr("startsComment").MatchString(line) || h.t.shell() && strings.HasPrefix(line, "- ") ||
			expr("searched").MatchString(before) && !expr("redirected").MatchString(h.line[h.to:]) || h.isData() ||
			expr("guard").MatchString(h.t.src.Path) && !expr("commandBegins").MatchString(h.line[:h.from]) ||
			h.inTest(s) && (h.t.shell() || h.quoted() && !h.flowsTo("executes")) {
			return true
		}
	}
	return quoted || !h.t.script && inCode(h.t.src, h.n) && h.inComment() || h.onlyPassed() || s.means(h) ||
		inListOfStrings(h.line, h.from) || inListOfCode(h) && s.onSecurity() ||
		s.isAbout(h.text()) || expr("warnsBefore").MatchString(before) || expr("warnsAfter").MatchString(h.line[h.to:]) ||
		strings.ContainsAny(h.line, "❌🚫⛔") || !h.t.script && expr("neverRun").MatchString(line) && !inCode(h.t.src, h.n) ||
		strings.Contains(h.text(), "/path/to/") || s.labelled(h.t, h.n, h.from)
}

// onlyPassed reports whether a match is the input of a check: of a hook in JSON on a page, or of the script that an
// echo is piped to. In a script, what an echo only prints counts, too.
func (h hit) onlyPassed() bool {
	after := h.line[h.to:]
	return !h.t.script && h.n > 1 && expr("commandKey").MatchString(h.line) &&
		expr("toolInput").MatchString(h.t.src.LineText(h.n-1)) ||
		expr("echoed").MatchString(h.line[:h.from]) && !expr("redirected").MatchString(after) &&
			(expr("onlyChecked").MatchString(after) || h.t.script && expr("onlyPrinted").MatchString(after))
}

// inComment reports whether a match is in a comment after other code that says nothing of running it.
func (h hit) inComment() bool {
	code := len(withoutComment(h.line))
	return h.from >= code && strings.Contains(h.line[:h.from], " # ") &&
		!expr("commentGoesOn").MatchString(h.line[code:h.from])
}

// means reports whether a skill is open about a match: it only mentions the command, or speaks of its option elsewhere.
func (s *Skill) means(h hit) bool {
	if h.p == nil || !h.p.Open && !strings.HasPrefix(h.p.ID, "rm-") {
		return false
	}
	options := expr("longOption").FindAllString(h.text(), -1)
	unsaid := func(w string) bool { return !s.speaksOf(w, h.line, 1) }
	word := func(w string) bool {
		return strings.Contains(strings.ToLower(h.text()), w) && !strings.HasPrefix(w, "git ") && s.speaksOf(w, h.line, 2)
	}
	return h.mentioned() || h.p.Open && !strings.HasSuffix(h.t.src.Path, ".json") &&
		(len(options) > 0 && !slices.ContainsFunc(options, unsaid) || slices.ContainsFunc(h.p.Keywords, word))
}

// speaksOf reports whether at least wanted lines of a skill's files, other than line and without URLs, contain a word
// in lower case. An attacker adds one line to a skill about something else.
func (s *Skill) speaksOf(word, line string, wanted int) bool {
	n := 0
	for _, t := range s.texts() {
		last := 0
		for at := range source.Occurrences(t.low, word) {
			end, i := at+len(word), t.src.LineAt(at)
			other := t.src.LineText(i)
			if i == last || at > 0 && letter(rune(t.low[at-1])) && letter(rune(word[0])) ||
				end < len(t.low) && letter(rune(t.low[end])) || strings.Contains(other, "://") ||
				strings.Contains(line, strings.TrimSpace(other)) {
				continue
			}
			last = i
			if n++; n == wanted {
				return true
			}
		}
	}
	return false
}

func (s *Skill) isAbout(command string) bool {
	return slices.ContainsFunc(strings.Fields(command), func(word string) bool {
		return expr("dangerousOption").MatchString(word) && strings.Contains(s.Description, word)
	})
}

// isData reports whether a match is in a string on a line that runs nothing, in a script that is not for a shell.
func (h hit) isData() bool {
	return !h.t.shell() && h.line == h.t.src.LineText(h.n) && insideQuotes(h.line, h.from) &&
		(strings.HasSuffix(h.t.src.Path, ".json") || !expr("runner").MatchString(h.line))
}

// quoted reports whether a match is inside a string, which may have several lines.
func (h hit) quoted() bool {
	return insideQuotes(h.line, h.from) || strings.Count(h.t.src.Text[:h.t.src.LineStart(h.n)], "`")%2 == 1
}

// mentioned reports whether a page only mentions a command: it is in backquotes, and nothing before it says to run it.
func (h hit) mentioned() bool {
	before := h.line[:h.from]
	lead := before[:strings.LastIndexByte(before, '`')+1]
	return !h.t.script && strings.Count(before, "`")%2 == 1 && !expr("onlyCommand").MatchString(h.line) &&
		!expr("saysToRun").MatchString(lead[max(0, len(lead)-40):]) &&
		!expr("saysToRun").MatchString(before[max(0, h.from-40):])
}

func (t *textFile) data() bool  { return strings.HasSuffix(t.src.Path, ".json") && !t.shell() }
func (t *textFile) shell() bool { return expr("runsText").MatchString(t.src.Path) }

func leadIn(line string, from int) string {
	before := line[:from]
	for _, end := range []string{". ", "! ", "? ", "。", "다. ", "; ", "|| ", "&& "} {
		if i := strings.LastIndex(before, end); i >= 0 {
			before = before[i+len(end):]
		}
	}
	return before
}

func inListOfStrings(line string, from int) bool {
	head := strings.TrimRight(line[:from], " ")
	if head == "" || !strings.Contains("\"'`", head[len(head)-1:]) {
		return false
	}
	_, tail, _ := strings.Cut(line[from:], head[len(head)-1:])
	tail, head = strings.TrimLeft(tail, " \t"), strings.TrimRight(strings.TrimSuffix(head[:len(head)-1], "r"), " \t")
	return (head == "" || strings.HasSuffix(head, ",") || strings.HasSuffix(head, "[")) &&
		(strings.HasPrefix(tail, ",") || strings.HasPrefix(tail, "]")) && !expr("shellOption").MatchString(head)
}

func inListOfCode(h hit) bool {
	const pieces = 3
	return !h.t.script && strings.Count(h.line, "`") >= 2*pieces && strings.Count(h.line[:h.from], "`")%2 == 1
}

// labelled reports whether a label or heading above line n, or the header of the table column at byte from, warns of
// the text after it. Weaker warnings count only in skills about attacks.
func (s *Skill) labelled(t *textFile, n, from int) bool {
	warns := func(label string) bool {
		return expr("labelWarns").MatchString(label) && !expr("condition").MatchString(label) ||
			expr("labelSpeaks").MatchString(label) && s.onSecurity()
	}
	indent := indentation(t.src.LineText(n))
	label := false
	row := !t.script && tableRow(t.src.LineText(n))
	far, list := maxLabel, strings.HasSuffix(t.src.Path, ".json")
	if list {
		far = maxList
	}
	for i := n - 1; i >= max(1, n-far); i-- {
		line := t.src.LineText(i)
		trimmed := strings.TrimSpace(line)
		if above := tableRow(line); row && !above {
			row = false
			if warns(cell(t.src.LineText(i+1), columnAt(t.src.LineText(n), from))) {
				return true
			}
		}
		opens := strings.HasSuffix(trimmed, "[") || strings.HasSuffix(trimmed, "{")
		switch {
		case trimmed == "" || source.FenceMark(line) != "":
			continue
		case !t.script && expr("headingLine").MatchString(trimmed) && !inCode(t.src, i):
			return warns(trimmed)
		case !label && (opens || strings.HasSuffix(strings.TrimSuffix(trimmed, "**"), ":")) && indentation(line) <= indent:
			if warns(trimmed) {
				return true
			}
			label = list || !t.script && !opens
		case i >= n-3 && expr("commentLine").MatchString(trimmed) && warns(trimmed):
			return true
		}
	}
	return false
}

func tableRow(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

func columnAt(row string, at int) int {
	before := row[:min(at, len(row))]
	return strings.Count(before, "|") - strings.Count(before, `\|`)
}

func cell(row string, column int) string {
	cells := strings.Split(strings.ReplaceAll(row, `\|`, " "), "|")
	if column >= len(cells) {
		return ""
	}
	return cells[column]
}

const maxLabel = 40 // maximum number of lines between a label and a match
const maxList = 400 // the same for the key of a list in JSON

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func insideQuotes(line string, at int) bool {
	var open rune
	last, before := ' ', ' '
	for i, r := range line {
		if i >= at {
			break
		}
		switch {
		case open != 0:
			if r == open && last != '\\' {
				open = 0
			}
		case r == '“':
			open = '”'
		case r == '「':
			open = '」'
		case r == '"' || r == '`':
			open = r
		case r == '\'' && (!letter(last) || !letter(before) && strings.ContainsRune("rbfu", last)): // not an apostrophe
			open = r
		}
		last, before = r, last
	}
	return open != 0
}

func letter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= utf8.RuneSelf
}

// onSecurity reports whether a skill is about attacks: its name or description names one, or the description has two
// different words of security.
func (s *Skill) onSecurity() bool {
	topic := expr("securityTopic")
	said := topic.FindAllString(strings.ToLower(s.Description), -1)
	return topic.MatchString(s.Name+" "+s.Folder) || expr("attackTopic").MatchString(s.Description) ||
		len(said) > 1 && slices.Max(said) != slices.Min(said)
}

func (s *Skill) about() string { return s.Name + " " + s.Folder + " " + s.Description }

func onlyMadeUp(text string) bool {
	found := false
	for _, line := range strings.Split(text, "\n") {
		if _, all := madeUpHosts(line); !all { // the whole line, because an apparent comment may be code
			return false
		}
		some, _ := madeUpHosts(withoutComment(line))
		found = found || some
	}
	return found
}

func madeUpHosts(line string) (some, all bool) {
	line = expr("placeholderHost").ReplaceAllString(line, "attacker.test")
	line = strings.NewReplacer("/dev/tcp/", " tcp://", "/dev/udp/", " udp://").Replace(line)
	for _, m := range expr("hostToken").FindAllString(line, -1) {
		if host, ok := hostOf(m); ok && !madeUpHost(host) {
			return some, false
		} else if ok {
			some = true
		}
	}
	return some, true
}

func hostOf(word string) (string, bool) {
	scheme, host, ok := strings.Cut(word, "://")
	if !ok {
		host = scheme
	}
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if strings.HasSuffix(host, "(") && !ok || host == "$(" {
		return "", false
	}
	if name, _, more := strings.Cut(host, ":"); more && !strings.HasPrefix(host, "[") {
		host = name
	}
	host = strings.ToLower(strings.TrimRight(host, ".("))
	if addr, is := address(host); is {
		return host, !ordinary(addr)
	}
	return host, ok || expr("bareHost").MatchString(host) || strings.Contains(host, "$") && host != "$"
}

func madeUpHost(host string) bool {
	if expr("reserved").MatchString(host) {
		return true
	}
	name := registered(host)
	if name == "example.com" || name == "example.net" || name == "example.org" {
		name = host
	}
	return expr("attackersName").MatchString(name)
}

func withoutComment(line string) string {
	for _, m := range expr("commentBegins").FindAllStringIndex(line, -1) {
		if !insideQuotes(line, m[0]) {
			return line[:m[0]]
		}
	}
	return line
}
