package triage

import (
	"strings"
	"unicode/utf8"
)

// typedCommand reports a prompt that the host itself takes as a command: /name
// with arguments, !shell, #memory. For /name it returns the name.
func typedCommand(s string) (name string, ok bool) {
	switch s[0] {
	case '/':
		return slashCommand(s)
	case '!':
		rest := strings.TrimLeft(s[1:], " ")
		return "", rest != "" && (isWord(rune(rest[0])) && rest[0] < utf8.RuneSelf || strings.IndexByte("./~$\"'([{", rest[0]) >= 0)
	case '#':
		return "", memoryNote(s)
	}
	return "", false
}

// slashCommand returns the name of the command that s types. A path such as
// /home/ann/notes.txt is none.
func slashCommand(s string) (string, bool) {
	end := 1 + runLen(s[1:], func(r rune) bool { return isWord(r) || r == '-' || r == '_' || r == ':' })
	name := s[1:end]
	if name == "" || strings.Trim(name, "-_:") == "" {
		return "", false
	}
	if end < len(s) && s[end] != ' ' && s[end] != '\n' && s[end] != '\t' {
		return "", false
	}
	switch name {
	case "home", "tmp", "etc", "usr", "var", "opt", "dev", "mnt", "media", "proc", "sys", "bin", "sbin", "lib", "root", "srv", "boot", "Users",
		"Applications", "Library", "Volumes", "System", "private", "data", "workspace", "app":
		return "", false
	}
	return name, true
}

// memoryNote reports a line for the host's memory: "# always use pnpm". A
// heading, an issue number and a channel are none.
func memoryNote(s string) bool {
	if len(s) < 3 || strings.IndexByte(s, '\n') >= 0 {
		return false
	}
	if s[1] == ' ' {
		return true
	}
	word := s[1 : 1+runLen(s[1:], isWord)]
	switch strings.ToLower(word) {
	case "always", "never", "remember", "note", "prefer", "use", "dont", "don", "memo", "항상", "절대", "기억", "기억해", "메모", "앞으로", "앞으로는":
		return true
	}
	return false
}
