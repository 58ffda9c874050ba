package triage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const longestExt = 4 // maximum number of letters in a file extension, as in xlsx; "@app.route" is code

// withoutFiles replaces the files that text refers to ("@notes/july.xlsx") by their extensions, because their names
// say what the files are about and not what is wanted. The extensions md and txt are left out too. If no other word
// would be left, withoutFiles returns text unchanged.
func withoutFiles(text string) string {
	var b strings.Builder
	rest := text
	for {
		at := strings.IndexByte(rest, '@')
		if at < 0 {
			break
		}
		name := ""
		if at == 0 || strings.IndexByte(" \t\n(\"'", rest[at-1]) >= 0 {
			name = fileName(rest[at:])
		}
		ext := extension(name)
		if ext == "" {
			b.WriteString(rest[:at+1])
			rest = rest[at+1:]
			continue
		}
		b.WriteString(rest[:at])
		if ext != "md" && ext != "txt" {
			b.WriteString(ext)
		}
		rest = rest[at+len(name):]
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

const longestName = 512 // maximum bytes from the start of a file's name to the next blank

// fileName returns the file name at the start of text, including a Korean particle after its extension. Letters of
// other scripts after the extension, such as Japanese, are left out.
func fileName(text string) string {
	end := strings.IndexFunc(text[:min(len(text), longestName)], unicode.IsSpace)
	if end < 0 {
		if end = len(text); end > longestName {
			return ""
		}
	}
	for dot := strings.LastIndexByte(text[:end], '.'); dot > 0; dot = strings.LastIndexByte(text[:dot], '.') {
		last := dot + 1
		for last < end && (text[last]|0x20 >= 'a' && text[last]|0x20 <= 'z' || text[last] >= '0' && text[last] <= '9') {
			last++
		}
		if last == dot+1 {
			continue // the dot is a full stop
		}
		for last < end {
			r, size := utf8.DecodeRuneInString(text[last:end])
			if !unicode.Is(unicode.Hangul, r) {
				break
			}
			last += size
		}
		return text[:last]
	}
	return ""
}

func extension(name string) string {
	name = strings.TrimRightFunc(name, func(r rune) bool { return r > unicode.MaxASCII })
	dot := strings.LastIndexByte(name, '.')
	ext := strings.ToLower(name[dot+1:])
	if dot < 2 || ext == "" || len(ext) > longestExt || strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") != "" ||
		strings.Trim(ext, "0123456789") == "" {
		return ""
	}
	return ext
}
