package triage

import (
	"strings"
	"unicode"
	"unicode/utf8"
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

const longestName = 512 // bytes of a file's name and what follows it without a blank

// fileName returns the file that text points at where it starts with one, with a Korean
// particle behind its type. What else follows without a blank, as in Japanese, is not its.
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
			continue // a full stop
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
