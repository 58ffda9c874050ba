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

// Plain is a stream that escapes foreign text, since anyone may have written the names and texts of skills. Control
// characters and marks that change the writing direction become \u escapes, which are valid in JSON too. Bytes that
// are not UTF-8 become U+FFFD, and workflow commands of CI runners are broken up. Skillgate's colours bypass it.
type Plain struct {
	under  io.Writer
	inside bool   // the current line has a character other than a blank
	hashes int    // number of consecutive # written last
	rest   []byte // start of an incomplete character
}

// NewPlain returns stream as a Plain, or stream itself if it is one.
func NewPlain(stream io.Writer) io.Writer {
	if p, ok := stream.(*Plain); ok {
		return p
	}
	return &Plain{under: stream}
}

// Raw returns the innermost stream, for text that is escaped in another way.
func Raw(stream io.Writer) io.Writer {
	for {
		over, ok := stream.(interface{ Unwrap() io.Writer })
		if !ok {
			return stream
		}
		stream = over.Unwrap()
	}
}

func (w *Plain) Unwrap() io.Writer { return w.under }

// Terminal returns stream's file and true if it is a terminal.
func Terminal(stream any) (*os.File, bool) {
	if w, ok := stream.(io.Writer); ok {
		stream = Raw(w)
	}
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Write writes p except an incomplete character at its end, which waits for the next call.
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
			out.WriteString(": ") // breaks "::error::"
			w.inside = true
		case r == '[' && w.hashes >= 2:
			out.WriteString("\\u005b") // breaks "##[error]"
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

// hidden reports whether r controls a terminal or changes the writing direction.
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
