package lint

import (
	"iter"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/clip"
)

// Source is the text of one file and where its lines begin.
type Source struct {
	Path  string // as findings name it
	Text  string
	lines []int32 // offset of each line's first byte
}

// NewSource indexes the lines of text.
func NewSource(path, text string) *Source {
	lines := make([]int32, 1, strings.Count(text, "\n")+1)
	for at := range occurrences(text, "\n") {
		lines = append(lines, int32(at+1))
	}
	return &Source{path, text, lines}
}

func occurrences(text, part string) iter.Seq[int] {
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

// Place is where a problem is.
type Place struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`                 // 1-based; 0 for the whole file
	Col     int    `json:"column,omitempty"`     // 1-based, in characters; 0 for the whole line
	EndCol  int    `json:"end_column,omitempty"` // one past the last character on that line
	Excerpt string `json:"excerpt,omitempty"`    // the line, shortened
}

// Whole is the file without a line.
func (s *Source) Whole() Place { return Place{Path: s.Path} }

// Span is the place of the bytes from start up to end; what lies on further
// lines is left out.
func (s *Source) Span(start, end int) Place {
	start = min(max(start, 0), len(s.Text))
	n := s.lineAt(start)
	from, line := int(s.lines[n-1]), s.line(n)
	end = min(max(end, start), from+len(line))
	p := Place{Path: s.Path, Line: n}
	p.Col = utf8.RuneCountInString(s.Text[from:start]) + 1
	p.EndCol = p.Col + utf8.RuneCountInString(s.Text[start:max(end, start)])
	p.Excerpt = excerpt(line)
	return p
}

// Line is the place of a whole line, 1-based.
func (s *Source) Line(n int) Place {
	if n < 1 || n > len(s.lines) {
		return s.Whole()
	}
	return Place{Path: s.Path, Line: n, Excerpt: excerpt(s.line(n))}
}

// positions returns a function that says where the byte at an offset stands. It
// is fast for ascending offsets, however long their line.
func (s *Source) positions() func(offset int) Position {
	last, at := 0, Position{1, 1}
	return func(offset int) Position {
		offset = min(max(offset, 0), len(s.Text))
		if n := s.lineAt(offset); n != at.Line || offset < last {
			last, at = int(s.lines[n-1]), Position{n, 1}
		}
		at.Col += utf8.RuneCountInString(s.Text[last:offset])
		last = offset
		return at
	}
}

func (s *Source) lineAt(offset int) int {
	return sort.Search(len(s.lines), func(i int) bool { return int(s.lines[i]) > offset })
}

func (s *Source) line(n int) string {
	from, to := int(s.lines[n-1]), len(s.Text)
	if n < len(s.lines) {
		to = int(s.lines[n])
	}
	return strings.TrimRight(s.Text[from:to], "\r\n")
}

const maxExcerpt = 400 // characters of a line that are kept; people read far less

func excerpt(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || r == utf8.RuneError || hidden(r):
			return '�'
		}
		return r
	}, clip.Chars(line, maxExcerpt))
}

func (s *Source) find(phrase string, from, to int) (start, end int, ok bool) {
	words := strings.Fields(phrase)
	if len(words) == 0 || from < 0 || to > len(s.Text) || from > to {
		return 0, 0, false
	}
	text := s.Text[:to]
	for at := from; ; {
		i := strings.Index(text[at:], words[0])
		if i < 0 {
			return 0, 0, false
		}
		start = at + i
		end = start + len(words[0])
		if end, ok = follow(text, end, words[1:]); ok {
			return start, end, true
		}
		at = start + 1
	}
}

func follow(text string, end int, words []string) (int, bool) {
	for _, w := range words {
		i := end
		for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
			i++
		}
		if i == end || !strings.HasPrefix(text[i:], w) {
			return end, false
		}
		end = i + len(w)
	}
	return end, true
}
