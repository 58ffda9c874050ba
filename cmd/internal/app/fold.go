package app

import (
	"io"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/wording"
)

type folded struct {
	io.Writer
	width  int
	column int // width of the current, unfinished line
}

func (w *folded) Unwrap() io.Writer { return w.Writer }

// Write writes p, folded to the width. A line may be written in several calls, each with whole words.
func (w *folded) Write(p []byte) (int, error) {
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text, end := strings.CutSuffix(line, "\n")
		text, w.column = fold(text, w.width, w.column)
		b.WriteString(text)
		if end {
			b.WriteByte('\n')
			w.column = 0
		}
	}
	if _, err := io.WriteString(w.Writer, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// fold breaks line, which starts at column, into lines of at most width cells. Each new line is indented like
// the text of the first. It returns the column at the end.
func fold(line string, width, column int) (string, int) {
	if end := column + wording.Width(line); end <= width {
		return line, end
	}
	indent := 0
	if column == 0 {
		indent = hang(line, width/2)
	}
	var b strings.Builder
	for _, word := range words(line, width-indent) {
		if column > indent && column+wording.Width(word) > width {
			word = strings.TrimLeft(word, " ")
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		}
		b.WriteString(word)
		column += wording.Width(word)
	}
	return b.String(), column
}

// hang returns the column at which the text of a line starts: after the last gap of two or more blanks that ends at or
// before the column most, or after the mark of a list item. The result is at most most.
func hang(line string, most int) int {
	text := strings.TrimLeft(line, " ")
	at := len(line) - len(text)
	if mark, _, ok := strings.Cut(text, " "); ok && (mark == "-" || strings.TrimFunc(mark, unicode.IsDigit) == ".") {
		at += len(mark) + 1
	}
	for i := range len(line) {
		if strings.HasPrefix(line[i:], "  ") && !strings.HasPrefix(line[i+2:], " ") {
			if end := wording.Width(line[:i+2]); end <= most {
				at = max(at, end)
			}
		}
	}
	return min(at, most)
}

// words splits line into words with their leading blanks. Text between backquotes, which people copy, is one
// word if it fits in width.
func words(line string, width int) []string {
	var parts []string
	for rest := line; rest != ""; {
		end := len(rest) - len(strings.TrimLeft(rest, " "))
		for end < len(rest) && rest[end] != ' ' {
			if rest[end] == '`' {
				if n := strings.IndexByte(rest[end+1:], '`'); n >= 0 && n+2 <= width {
					end += n + 1
				}
			}
			end++
		}
		parts = append(parts, rest[:end])
		rest = rest[end:]
	}
	return parts
}

func (a *App) foldLines() {
	if width := columns(a.Stdout); width > 0 {
		a.Stdout = &folded{Writer: a.Stdout, width: width}
	}
	if width := columns(a.Stderr); width > 0 {
		a.Stderr = &folded{Writer: a.Stderr, width: width}
	}
}

// Data returns standard output without folding, for text that is copied or read by programs.
func (a *App) Data() io.Writer {
	if f, ok := a.Stdout.(*folded); ok {
		return f.Writer
	}
	return a.Stdout
}
