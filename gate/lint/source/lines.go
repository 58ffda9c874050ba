package source

import (
	"iter"
	"strings"
)

// Line is a line of a Markdown text. Text does not include the line break.
type Line struct {
	Text  string
	Start int  // offset in the text
	Code  bool // inside a code fence
	Fence bool // opens or closes a code fence
}

// EachLine yields the lines of text, starting at offset at.
func EachLine(text string, at int) iter.Seq[Line] {
	return func(yield func(Line) bool) { eachLine(text, at, yield) }
}

func eachLine(text string, at int, yield func(l Line) bool) {
	fence := ""
	for at < len(text) {
		line, _, _ := strings.Cut(text[at:], "\n")
		l := Line{Text: strings.TrimSuffix(line, "\r"), Start: at, Code: fence != ""}
		if mark := FenceMark(l.Text); mark != "" {
			rest := strings.TrimLeft(strings.TrimSpace(l.Text), mark[:1])
			switch {
			case fence == "" && !(mark[0] == '`' && strings.Contains(rest, "`")):
				fence, l.Fence = mark, true
			case strings.HasPrefix(mark, fence) && fence != "" && strings.TrimSpace(rest) == "":
				fence, l.Fence, l.Code = "", true, false
			}
		}
		if !yield(l) {
			return
		}
		at += len(line) + 1
	}
}

// FenceMark returns the three or more backquotes or tildes at the start of line, after any blanks, or "".
func FenceMark(line string) string {
	s := strings.TrimLeft(line, " \t")
	for _, mark := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, mark)); n >= 3 {
			return s[:n]
		}
	}
	return ""
}
