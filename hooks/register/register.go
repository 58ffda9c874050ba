// Package register adds skillgate's handlers to the settings file of a host, finds
// them there and removes them again.
//
// A settings file belongs to its user. An edit therefore splices its text: keys,
// order, comments, indentation, line ends and a byte order mark stay as they are,
// and new text has the style of the text around it. A handler is skillgate's
// if the base name of its program is "skillgate" and its first argument is "hook"
// or "observe", in exec form (command and args) or shell form (one string):
//
//	{"hooks": {"UserPromptSubmit": [{"hooks": [
//	  {"type": "command", "command": "/home/ann/bin/skillgate", "args": ["hook"], "timeout": 5}
//	]}]}}
//
// Some hosts run a shell script or load a JavaScript module instead; see hooks.Kind.
//
// Install is idempotent: it adds missing handlers, updates outdated ones in place
// and removes duplicates. Uninstall removes exactly these handlers and the
// containers that become empty. Given the text before Install, it returns that
// text if nothing else has changed since.
//
// Claude Code 2.1.197 silently ignores a whole settings file that has a comment, a
// trailing comma or one handler that it does not understand. Plain detects comments
// and trailing commas.
package register

import (
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/hooks"
)

// Found is one of skillgate's handlers in a settings file.
type Found struct {
	hooks.Handler
	If      string // member "if"; a handler that has it never runs for prompts
	Line    int    // 1-based line in the file
	Element string // command as written in the file

	event, group, index int  // indexes: event in the file, group in the event, handler in the group
	bare                bool // the handler is not in a group, so Claude Code ignores the file
}

func (f Found) placed(want hooks.Handler) bool { return f.Matcher == want.Matcher && !f.bare }

// upToDate reports whether f runs the same command as want in the same way. It ignores the length of the
// timeout, which the user may choose.
func (f Found) upToDate(want hooks.Handler) bool {
	return f.Same(want) && f.Async == want.Async && f.Lenient == want.Lenient && f.If == "" &&
		(f.Timeout > 0) == (want.Timeout > 0)
}

// ours reports whether words begin with a program named skillgate and one of its hook commands.
func ours(words []string) bool {
	if len(words) < 2 {
		return false
	}
	base := filepath.Base(strings.ReplaceAll(words[0], `\`, "/"))
	return strings.TrimSuffix(base, ".exe") == "skillgate" && (words[1] == "hook" || words[1] == "observe")
}

// shellWords splits the first command of a shell line into words. It understands quotes and backslashes and
// leaves out variable assignments and "exec" before the program. An operator or a redirection ends the command.
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
