package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

const maxShell = 1000

// shellLines reports whether each line of text is a shell command without prose, as in "cd api && npm test". The
// lines may be in one pair of backquotes or a fence.
func shellLines(text string) bool {
	if len(text) > maxShell || strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		return false
	}
	text = strings.Trim(text, "`")
	lines := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' && lines > 0 {
			continue
		}
		if lines++; !shellLine(line) {
			return false
		}
	}
	return lines > 0
}

// shellLine reports whether line consists of commands. It must contain a word that does not occur in prose, such as a
// flag or a path, at most two plain words per command, and no prose. A command that is also an English verb, such as
// make or find, needs a flag or an operator.
func shellLine(line string) bool {
	signs, flags, bare, verb := 0, 0, 0, false
	starts := true // the next word is a command
	for w := range strings.FieldsSeq(strings.TrimPrefix(line, "$ ")) {
		operator := strings.Trim(w, "|&;<>") == ""
		switch {
		case operator && starts:
			return false
		case operator:
			flags++
			bare, starts = 0, !strings.ContainsAny(w, "<>")
		case starts:
			isVerb := vocab.CommandVerb.Has(w)
			if !isVerb && !vocab.Commands.Has(w) && (flags == 0 || !strings.Contains(w, "/")) {
				return false
			}
			verb, starts = verb || isVerb, false
		case vocab.Prose.Has(strings.ToLower(w)), strings.HasSuffix(w, ","), strings.HasSuffix(w, "?"):
			return false
		case strings.HasPrefix(w, "-") && len(w) > 1:
			flags++
		case codeLike(w):
			signs++
		default:
			bare++
		}
		if bare > 2 {
			return false
		}
	}
	return flags > 0 || !verb && signs > 0
}

// codeLike reports whether the word occurs in code but not in sentences: a path, a number, a pattern, a name with
// punctuation inside, or the usual name of a branch or script.
func codeLike(w string) bool {
	dot := strings.IndexByte(w, '.')
	return strings.ContainsAny(w, "/*~$@=:{}[]_^%+\\\"'0123456789") || dot >= 0 && dot+1 < len(w) ||
		strings.IndexByte(w[1:], '-') >= 0 || w == "." || vocab.CommandWord.Has(w)
}
