// Package register puts skillgate's handlers into a host's settings file, finds
// them there and takes them out again.
//
// A settings file belongs to its user. Edits are splices into its text: keys,
// order, comments, indentation, line ends and a byte order mark stay as they are,
// and what is added is written in the style around it. A handler is skillgate's
// when its program's base name is "skillgate" and its first argument "hook" or
// "observe", in exec form (command and args) or shell form (one string):
//
//	{"hooks": {"UserPromptSubmit": [{"hooks": [
//	  {"type": "command", "command": "/home/ann/bin/skillgate", "args": ["hook"], "timeout": 5}
//	]}]}}
//
// Other hosts have no groups, another name at the top, a file that is a shell script, or, in a
// file mcp.json, a server in an event's place; see hooks.Form.
//
// Install is idempotent: it adds what is missing, updates in place what is out of
// date and removes what is double. Uninstall removes exactly these handlers and
// the containers that become empty; given the text before Install, it returns
// that text when nothing else has changed since.
//
// Claude Code 2.1.197 ignores the whole of a settings file that has a comment, a
// trailing comma or one handler it does not understand, without a word; Plain
// tells such files apart.
package register

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/hooks"
)

// Found is a handler of skillgate in a settings file.
type Found struct {
	hooks.Handler
	If      string // a condition, which on most events keeps the handler from ever running
	Line    int    // 1-based
	Element string // the command as written, for messages and for running it as the host would

	under               string // member at the top that holds it
	event, group, index int    // position: member of that, element of it, element of its hooks
}

// placed reports whether f is where want belongs, in the form that its host reads.
func (f Found) placed(want hooks.Handler) bool {
	return f.Matcher == want.Matcher && f.Form.Kind == want.Form.Kind && f.Form.Under == want.Form.Under
}

// upToDate reports whether f does what want asks. A timeout of the user's own stays, and all of a
// server but its command.
func (f Found) upToDate(want hooks.Handler) bool {
	return f.Same(want) &&
		(f.Form.Kind == hooks.Server || f.Async == want.Async && f.Lenient == want.Lenient && f.If == "" &&
			(f.Timeout > 0) == (want.Timeout > 0))
}

// ours returns program and arguments when they are skillgate's.
func ours(words []string) bool {
	if len(words) < 2 {
		return false
	}
	base := filepath.Base(strings.ReplaceAll(words[0], `\`, "/"))
	return strings.TrimSuffix(base, ".exe") == "skillgate" && slices.Contains([]string{"hook", "observe", "mcp"}, words[1])
}

// shellWords splits the first command of a shell line into words: quotes and
// backslashes are understood, variable assignments and "exec" before the program
// are left out, an operator or a redirection ends the command.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	started := false
	flush := func() {
		if !started {
			return
		}
		w := word.String()
		word.Reset()
		started = false
		if len(words) == 0 && (w == "exec" || isAssignment(w)) {
			return
		}
		words = append(words, w)
	}
	quote := rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, started = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, started = r, true
		case r == ' ' || r == '\t' || r == '\n':
			flush()
		case strings.ContainsRune(";|&<>", r):
			flush()
			return words
		default:
			word.WriteRune(r)
			started = true
		}
	}
	flush()
	return words
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/.- ")
}
