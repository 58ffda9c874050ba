// Package source finds lines, code fences, invisible characters and the places of findings in the text of a file.
// Lines and columns are 1-based. Columns count characters; offsets count bytes.
package source

import (
	"iter"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/clip"
)

// File is the text of one file with its line index.
type File struct {
	Path  string // as shown in findings
	Text  string
	lines []int32 // offset of each line's first byte
}

// New returns a file with the given text. Findings show path as its name.
func New(path, text string) *File {
	lines := make([]int32, 1, strings.Count(text, "\n")+1)
	for at := range Occurrences(text, "\n") {
		lines = append(lines, int32(at+1))
	}
	return &File{path, text, lines}
}

// Occurrences yields the offsets of non-overlapping occurrences of part in text. part must not be empty.
func Occurrences(text, part string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(part) {
			i := strings.Index(text[at:], part)
			if i < 0 || !yield(at+i) {
				return
			}
			at += i
		}
	}
}

// AnyOccurrence reports whether is returns true for the offset of an occurrence of part in text.
func AnyOccurrence(text, part string, is func(at int) bool) bool {
	for at := range Occurrences(text, part) {
		if is(at) {
			return true
		}
	}
	return false
}

// Place is the location of a problem.
type Place struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`                 // 1-based; 0 for the whole file
	Col     int    `json:"column,omitempty"`     // 1-based, in characters; 0 for the whole line
	EndCol  int    `json:"end_column,omitempty"` // one past the last character on that line
	Excerpt string `json:"excerpt,omitempty"`    // the line, shortened
}

// Whole returns the place of the whole file.
func (s *File) Whole() Place { return Place{Path: s.Path} }

// Span returns the place of the bytes from start up to end, or up to the end of the line if that comes first.
func (s *File) Span(start, end int) Place {
	start = min(max(start, 0), len(s.Text))
	n := s.LineAt(start)
	from, line := int(s.lines[n-1]), s.LineText(n)
	end = min(max(end, start), from+len(line))
	p := Place{Path: s.Path, Line: n}
	p.Col = utf8.RuneCountInString(s.Text[from:start]) + 1
	p.EndCol = p.Col + utf8.RuneCountInString(s.Text[start:max(end, start)])
	p.Excerpt = excerpt(line)
	return p
}

// Line returns the place of line n, or of the whole file if there is no such line.
func (s *File) Line(n int) Place {
	if n < 1 || n > len(s.lines) {
		return s.Whole()
	}
	return Place{Path: s.Path, Line: n, Excerpt: excerpt(s.LineText(n))}
}

// Positions returns a function that converts a byte offset into a position. It is fast if the offsets ascend.
func (s *File) Positions() func(offset int) Position {
	last, at := 0, Position{1, 1}
	return func(offset int) Position {
		offset = min(max(offset, 0), len(s.Text))
		if n := s.LineAt(offset); n != at.Line || offset < last {
			last, at = int(s.lines[n-1]), Position{n, 1}
		}
		at.Col += utf8.RuneCountInString(s.Text[last:offset])
		last = offset
		return at
	}
}

// LineAt returns the number of the line that holds the byte at offset.
func (s *File) LineAt(offset int) int {
	return sort.Search(len(s.lines), func(i int) bool { return int(s.lines[i]) > offset })
}

// Lines returns the number of lines. If the text ends in a line break, the empty line after it counts.
func (s *File) Lines() int { return len(s.lines) }

// LineStart returns the offset of line n, from 1 to Lines.
func (s *File) LineStart(n int) int { return int(s.lines[n-1]) }

// LineText returns line n, from 1 to Lines, without its line break.
func (s *File) LineText(n int) string {
	from, to := int(s.lines[n-1]), len(s.Text)
	if n < len(s.lines) {
		to = int(s.lines[n])
	}
	return strings.TrimRight(s.Text[from:to], "\r\n")
}

const maxExcerpt = 400 // maximum length of an excerpt in characters

func excerpt(line string) string { return Printable(line, maxExcerpt) }

// Printable returns the first n characters of text on one line, with invisible characters replaced.
func Printable(text string, n int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < ' ' || r == 0x7f || r == utf8.RuneError || Hidden(r):
			return '�'
		}
		return r
	}, clip.Chars(text, n))
}

// Find returns the offsets of phrase's first occurrence between from and to, with any white space between its words.
func (s *File) Find(phrase string, from, to int) (start, end int, ok bool) {
	words := strings.Fields(phrase)
	if len(words) == 0 || from < 0 || to > len(s.Text) || from > to {
		return 0, 0, false
	}
	text := s.Text[:to]
	for start = from; ; start++ {
		i := strings.Index(text[start:], words[0])
		if i < 0 {
			return 0, 0, false
		}
		start += i
		if end, ok = follow(text, start+len(words[0]), words[1:]); ok {
			return start, end, true
		}
	}
}

func follow(text string, end int, words []string) (int, bool) {
	for _, w := range words {
		rest := strings.TrimLeft(text[end:], " \n\r\t")
		if end+len(rest) == len(text) || !strings.HasPrefix(rest, w) {
			return end, false
		}
		end = len(text) - len(rest) + len(w)
	}
	return end, true
}

// Offset returns the offset of a line and column. If the line or file is too short, Offset returns its end.
func (s *File) Offset(line, col int) int {
	if line < 1 || line > len(s.lines) {
		return len(s.Text)
	}
	at := int(s.lines[line-1])
	for i := range s.LineText(line) {
		if col--; col == 0 {
			return at + i
		}
	}
	return at + len(s.LineText(line))
}

// Position is a line and column in a file.
type Position struct {
	Line int `json:"line"`
	Col  int `json:"column"`
}

// Short returns s on one line, cut to 80 characters.
func Short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if short := clip.Chars(s, 80); short != s {
		return short + "…"
	}
	return s
}
