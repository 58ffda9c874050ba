package triage

import (
	"strings"
	"unicode"
)

const longestExt = 4 // of a file's type, in letters: "xlsx"; "@app.route" is code

// withoutFiles returns text with the types of the files that it points at ("@notes/july.xlsx")
// in place of their names, which say what the files are about and not what is wanted. A
// plain text's type says nothing either. Where nothing else is left, it returns text.
func withoutFiles(text string) string {
	var b strings.Builder
	rest := text
	for {
		at := strings.IndexByte(rest, '@')
		if at < 0 {
			break
		}
		name := rest[at:]
		if end := strings.IndexFunc(name, unicode.IsSpace); end >= 0 {
			name = name[:end]
		}
		ext := extension(name)
		if ext == "" || at > 0 && !strings.ContainsRune(" \t\n(\"'", rune(rest[at-1])) {
			b.WriteString(rest[:at+1])
			rest = rest[at+1:]
			continue
		}
		b.WriteString(rest[:at])
		if ext != "md" && ext != "txt" {
			b.WriteString(ext)
		}
		rest = rest[at+len(strings.TrimRight(name, ".,;:!?)\"'")):]
	}
	if len(rest) == len(text) {
		return text
	}
	b.WriteString(rest)
	if out := strings.TrimSpace(b.String()); wordy(out) {
		return out
	}
	return text
}

// extension returns the type of the file that name, a word, points at, in lower case, "" where
// it has none. A particle or a full stop may follow it.
func extension(name string) string {
	name = strings.TrimRightFunc(name, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsPunct(r) })
	dot := strings.LastIndexByte(name, '.')
	ext := strings.ToLower(name[dot+1:])
	if dot < 2 || ext == "" || len(ext) > longestExt || strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") != "" ||
		strings.Trim(ext, "0123456789") == "" {
		return ""
	}
	return ext
}
