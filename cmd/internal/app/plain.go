package app

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Plain is a stream that shows foreign text without obeying it: names and texts of
// skills come from anyone. Control characters and marks that turn the direction of
// writing are written as \u escapes, which are right in JSON too, bytes that are not
// UTF-8 as U+FFFD, and what a CI runner would take for a command of a workflow is
// broken up. Colours of ours go to the stream below.
type Plain struct {
	under  io.Writer
	inside bool   // a line that has begun with something else than blanks
	hashes int    // written last
	rest   []byte // of a character or word that may go on
}

// NewPlain returns stream as a Plain, which it may be already.
func NewPlain(stream io.Writer) io.Writer {
	if p, ok := stream.(*Plain); ok {
		return p
	}
	return &Plain{under: stream}
}

// Raw returns the stream below, for text that is escaped in its own way.
func Raw(stream io.Writer) io.Writer {
	for {
		over, ok := stream.(interface{ Unwrap() io.Writer })
		if !ok {
			return stream
		}
		stream = over.Unwrap()
	}
}

// Unwrap returns the stream below.
func (w *Plain) Unwrap() io.Writer { return w.under }

// Terminal returns stream as a file where it is a terminal.
func Terminal(stream any) (*os.File, bool) {
	if w, ok := stream.(io.Writer); ok {
		stream = Raw(w)
	}
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Write writes p, all but the start of a character at its end.
func (w *Plain) Write(p []byte) (int, error) {
	text := p
	if len(w.rest) > 0 {
		text = append(w.rest, p...)
		w.rest = nil
	}
	var out bytes.Buffer
	out.Grow(len(text) + 16)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size <= 1 && !utf8.FullRune(text):
			w.rest = bytes.Clone(text)
			size = len(text)
		case r == '\n':
			out.WriteByte('\n')
			w.inside = false
		case hidden(r):
			fmt.Fprintf(&out, "\\u%04x", r)
			w.inside = true
		case r == ':' && !w.inside:
			out.WriteString(": ") // of "::error::"
			w.inside = true
		case r == '[' && w.hashes >= 2:
			out.WriteString("\\u005b") // of "##[error]"
		default:
			out.WriteRune(r)
			w.inside = w.inside || !unicode.IsSpace(r)
		}
		if w.hashes++; r != '#' {
			w.hashes = 0
		}
		text = text[size:]
	}
	if _, err := w.under.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// hidden reports characters that a terminal obeys or that turn the direction of what
// follows.
func hidden(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r < 0x20, 0x7f <= r && r < 0xa0, r == 0x2028, r == 0x2029,
		r == 0x061c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
		return true
	}
	return false
}
