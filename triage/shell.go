package triage

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// refOnly as the number of bare words allows names of branches and no others.
const refOnly = -1

// maxShell is the length of the longest text that is tried as shell lines.
const maxShell = 1000

// shellLines reports a text each line of which is a shell command without a
// word of natural language, as in "cd api && npm test". A prompt, backquotes
// and a fence around the lines are fine, and so is a plain "run" before or
// "실행해줘" behind a single line.
func shellLines(text string) bool {
	if len(text) > maxShell {
		return false
	}
	text = unfence(text)
	lines := 0
	for rest := text; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' && lines > 0 {
			continue
		}
		if lines++; lines > 20 || !shellLine(line) {
			return lines == 1 && strings.TrimSpace(rest) == "" && shellLine(bareLine(line))
		}
	}
	return lines > 0
}

// unfence takes backquotes and code fences off a text that is nothing else.
func unfence(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "```") && strings.HasSuffix(s, "```") && len(s) > 6 {
		s = s[3 : len(s)-3]
		if info, body, ok := strings.Cut(s, "\n"); ok && len(info) < 12 {
			s = body
		}
		if strings.Contains(s, "```") {
			return ""
		}
		return s
	}
	if len(s) > 2 && s[0] == '`' && s[len(s)-1] == '`' && strings.Count(s, "`") == 2 {
		return s[1 : len(s)-1]
	}
	return s
}

// bareLine takes a plain order to run off a line; it returns "" when there is
// none.
func bareLine(line string) string {
	if rest, ok := vocab.RunBefore.CutPrefix(line); ok {
		rest = strings.TrimRight(rest, ".! ")
		for w := range vocab.RunTail.All() {
			rest = strings.TrimSuffix(rest, w)
		}
		return unfence(rest)
	}
	line = strings.TrimRightFunc(line, func(r rune) bool {
		return strings.ContainsRune(".!~ 。！", r) || vocab.Laugh.Is(r)
	})
	head, ok := cutRunWord(line)
	if !ok {
		return ""
	}
	for more := range vocab.RunMore.All() {
		head = strings.TrimSuffix(head, more)
	}
	if strings.HasPrefix(head, "git commit") || strings.HasPrefix(head, "gh pr create") {
		return "" // writing the message is work
	}
	return unfence(head)
}

// cutRunWord takes the order to run off the end of a line.
func cutRunWord(line string) (head string, ok bool) {
	for w := range vocab.RunWord.All() {
		head, ok := strings.CutSuffix(line, w)
		if ok && (strings.HasSuffix(head, " ") || lang.Of(w).Spaceless) {
			return strings.TrimSpace(head), true
		}
	}
	return "", false
}

// shellLine reports one command line.
func shellLine(line string) bool {
	line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "$ "), "> "), "% ")
	words, ok := shellWords(line)
	if !ok || len(words) == 0 {
		return false
	}
	joined := slices.ContainsFunc(words, func(w shellWord) bool { return w.operator })
	start, file := 0, false // file: a redirection wants its target
	for i := 0; i <= len(words); i++ {
		if i < len(words) && !words[i].operator {
			continue
		}
		part := words[start:i]
		switch {
		case file && len(part) != 1:
			return false
		case file:
		case len(part) == 0:
			return start > 0 && start == len(words) && (words[start-1].text == "&" || words[start-1].text == ";")
		case !simpleCommand(part, joined):
			return false
		}
		if start = i + 1; i < len(words) {
			file = strings.ContainsAny(words[i].text, "<>")
		}
	}
	return true
}

// shellWord is a word of a command line.
type shellWord struct {
	text     string
	quoted   bool // wholly or partly in quotes
	operator bool // | || & && ; > >> <
}

// shellWords splits a command line as a shell does, without expanding anything.
// It returns false for an unclosed quote and for other letters than ASCII outside quotes.
func shellWords(line string) ([]shellWord, bool) {
	words := make([]shellWord, 0, 8)
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '|' || c == '&' || c == ';' || c == '>' || c == '<':
			j := i + 1
			for j < len(line) && strings.IndexByte("|&>", line[j]) >= 0 {
				j++
			}
			words = append(words, shellWord{text: line[i:j], operator: true})
			i = j
			continue
		}
		w := shellWord{}
		j := i
	word:
		for j < len(line) {
			switch c := line[j]; c {
			case ' ', '\t', '|', ';', '&', '>', '<':
				if j == i+1 && line[i] == '2' && c == '>' { // 2>&1
					j++
					for j < len(line) && line[j] != ' ' {
						j++
					}
				}
				break word
			case '"', '\'':
				end := strings.IndexByte(line[j+1:], c)
				if end < 0 {
					return nil, false
				}
				w.quoted = true
				j += end + 2
			case '\\':
				j = min(j+2, len(line))
			default:
				if c >= 0x80 {
					return nil, false
				}
				j++
			}
		}
		w.text = line[i:j]
		words = append(words, w)
		i = j
	}
	return words, true
}

// simpleCommand reports a command with arguments that fit it. Joined says that
// operators join it to others, which natural language does not have.
func simpleCommand(words []shellWord, joined bool) bool {
	runner := false // of packages: what follows may be any name
	for len(words) > 1 && (assignment(words[0].text) || prefixCommand(words[0].text)) {
		runner = words[0].text == "npx" || words[0].text == "bunx" || words[0].text == "uvx" || words[0].text == "pnpx"
		words = words[1:]
	}
	cmd, args := words[0].text, words[1:]
	if runner && codeLike(cmd) {
		return argsOf(args, 2, joined)
	}
	if words[0].quoted {
		return false
	}
	if isScript(cmd) {
		return argsOf(args, 3, joined)
	}
	value, ok := vocab.Commands.Value(cmd)
	if !ok {
		return false
	}
	rule := vocab.Command(value)
	if len(args) == 0 {
		return rule&vocab.Bare != 0 || joined
	}
	if rule&vocab.Code != 0 && !args[0].quoted && !codeLike(args[0].text) {
		return false
	}
	if rule.Family() != "" {
		return subcommand(rule, args, joined)
	}
	switch {
	case rule&vocab.OneWord != 0:
		return argsOf(args, 1, joined)
	case rule&vocab.TwoWords != 0:
		return argsOf(args, 2, joined)
	}
	return argsOf(args, 0, joined)
}

// subcommand reports arguments that begin with a subcommand of the command's
// family and fit it.
func subcommand(rule vocab.Command, args []shellWord, joined bool) bool {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") { // git -C dir status
		n := 1
		if len(args) > 2 && takesValue(args[0].text) {
			n = 2
		}
		args = args[n:]
	}
	if len(args) == 0 {
		return true
	}
	sub := args[0].text
	words, ok := vocab.Subcommands.Value(rule.Family() + " " + sub)
	if !ok && !(rule&vocab.TakesPath != 0 && codeLike(sub)) && !(rule&vocab.TakesFlag != 0 && len(sub) > 1 &&
		sub[0] == '-') {
		return false
	}
	args = args[1:]
	switch words {
	case vocab.NeedVerb:
		return hasVerb(args) && argsOf(args, 3, joined)
	case vocab.Refs:
		return argsOf(args, refOnly, joined)
	}
	return argsOf(args, int(words), joined)
}

// takesValue reports flags before a subcommand whose value is the next word.
func takesValue(flag string) bool {
	switch flag {
	case "-C", "-n", "-f", "--prefix", "--namespace", "--filter", "--profile", "--context":
		return true
	}
	return false
}

// hasVerb reports whether the words after a noun such as "docker image" say
// what to do with it.
func hasVerb(args []shellWord) bool {
	for _, a := range args {
		if codeLike(a.text) || verbOf(a.text) {
			return true
		}
	}
	return false
}

func verbOf(w string) bool { return vocab.SubVerb.Has(w) }

// argsOf reports arguments among which at most max are bare words that could
// be natural language. Max refOnly allows only the usual names of branches.
func argsOf(args []shellWord, max int, joined bool) bool {
	bare := 0
	for i, a := range args {
		switch {
		case a.quoted, codeLike(a.text):
		case strings.HasSuffix(a.text, ",") || strings.HasSuffix(a.text, "?"):
			return false
		case functionWord(strings.ToLower(a.text)):
			return false
		case i > 0 && args[i-1].text[0] == '-': // the value of a flag
		case max == refOnly:
			if !refName(a.text) {
				return false
			}
		default:
			bare++
		}
	}
	if joined && max >= 0 {
		max += 2
	}
	return bare <= max || max == refOnly
}

// codeLike reports an argument that no sentence has: a flag, a path, a number,
// a pattern, a name with an inner joint.
func codeLike(w string) bool {
	if w == "-" || w == "--" || w == "." || w == ".." {
		return true
	}
	if w[0] == '-' && len(w) > 1 {
		return true
	}
	if strings.ContainsAny(w, "/*~$@=:{}[]_^%+\\") {
		return true
	}
	if i := strings.IndexByte(w, '.'); i >= 0 && i+1 < len(w) {
		return true
	}
	if strings.ContainsAny(w, "0123456789") {
		return true
	}
	return strings.IndexByte(w[1:], '-') >= 0
}

// assignment reports NAME=value before a command.
func assignment(w string) bool {
	i := strings.IndexByte(w, '=')
	if i <= 0 {
		return false
	}
	for _, c := range []byte(w[:i]) {
		if !('A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_') {
			return false
		}
	}
	return true
}

func prefixCommand(w string) bool { return vocab.CommandPrefix.Has(w) }

// isScript reports a command given by its path: ./run.sh, scripts/build.py.
func isScript(w string) bool {
	if strings.HasPrefix(w, "./") || strings.HasPrefix(w, "../") || strings.HasPrefix(w, "~/") {
		return len(w) > 3
	}
	return strings.Contains(w, "/bin/") && !strings.Contains(w, "//")
}

// functionWord reports the words that make a line a sentence.
func functionWord(w string) bool { return vocab.Function.Has(w) }

// refName reports the usual names of branches and remotes.
func refName(w string) bool {
	return vocab.Branch.Has(w) || len(w) >= 7 && strings.Trim(w, "0123456789abcdef") == ""
}
