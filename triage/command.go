package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// typedCommand reports whether the host treats the prompt as a command: /name with arguments, !shell or #memory. For
// /name it returns the name.
func typedCommand(s string) (name string, ok bool) {
	switch s[0] {
	case '/':
		return slashCommand(s)
	case '!':
		rest := strings.TrimLeft(s[1:], " ")
		return "", rest != "" &&
			(isWord(rune(rest[0])) && rest[0] < utf8.RuneSelf || strings.IndexByte("./~$\"'([{", rest[0]) >= 0)
	case '#':
		return "", memoryNote(s)
	}
	return "", false
}

func slashCommand(s string) (string, bool) {
	end := 1 + runLen(s[1:], func(r rune) bool { return isWord(r) || r == '-' || r == '_' || r == ':' })
	name := s[1:end]
	if name == "" || strings.Trim(name, "-_:") == "" {
		return "", false
	}
	if end < len(s) && s[end] != ' ' && s[end] != '\n' && s[end] != '\t' {
		return "", false
	}
	if vocab.SystemFolder.Has(name) {
		return "", false
	}
	return name, true
}

// memoryNote reports whether s is a line for the host's memory, such as "# always use pnpm", and not a heading, an
// issue number or a channel.
func memoryNote(s string) bool {
	if len(s) < 3 || strings.IndexByte(s, '\n') >= 0 {
		return false
	}
	if s[1] == ' ' {
		return true
	}
	return vocab.Memory.Has(strings.ToLower(s[1 : 1+runLen(s[1:], isWord)]))
}
