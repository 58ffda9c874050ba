package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/skillgate/skillgate/gate/disk"
)

// results is standard output that keeps the first error of writing to it, so that a
// command whose output a full disk cut short does not end with status 0.
type results struct {
	io.Writer
	err error
}

// Unwrap returns the stream below.
func (r *results) Unwrap() io.Writer { return r.Writer }

func (r *results) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	if err != nil && r.err == nil {
		r.err = err
	}
	return n, err
}

func (a *App) keepErrors() *results {
	r := &results{Writer: NewPlain(a.Stdout)}
	a.Stdout = r
	return r
}

// Columns is the width of the terminal on standard output, 0 where there is none.
func (a *App) Columns() int { return columns(a.Stdout) }

func columns(stream io.Writer) int {
	f, ok := Terminal(stream)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Colours returns where sequences of colour for w go, below what makes foreign text visible:
// nil where w is not a terminal that wants colour.
func (a *App) Colours(w io.Writer) io.Writer {
	if a.Getenv("NO_COLOR") != "" || a.Getenv("TERM") == "dumb" {
		return nil
	}
	if f, ok := Terminal(w); ok {
		return f
	}
	return nil
}

// PrintJSON writes v to standard output, indented, with characters as they are.
func (a *App) PrintJSON(v any) error {
	enc := a.JSONLines()
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// JSONLines writes one JSON value a line to standard output, with characters as they are.
func (a *App) JSONLines() *json.Encoder {
	enc := json.NewEncoder(a.Data())
	enc.SetEscapeHTML(false)
	return enc
}

// Note tells the user on standard error what a command did not stop for.
func (a *App) Note(format string, args ...any) { io.WriteString(a.Stderr, a.note(format, args)) }

// NoteOnce is Note for what several parts of a command come upon: only the first tells it.
func (a *App) NoteOnce(format string, args ...any) {
	if note := a.note(format, args); !slices.Contains(a.noted, note) {
		a.noted = append(a.noted, note)
		io.WriteString(a.Stderr, note)
	}
}

func (a *App) note(format string, args []any) string {
	return fmt.Sprintf(a.T("skillgate: note: %s\n"), fmt.Sprintf(a.T(format), args...))
}

// Visible makes foreign text one harmless line: no control characters, which a
// terminal would obey, and single spaces.
func Visible(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
}

// Percent is a share of 1 as a percentage.
func Percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// WriteShared replaces a file that is meant to be passed on, or makes it.
func (a *App) WriteShared(file string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return disk.Write(a.Absolute(file), text.Bytes(), disk.Options{Shared: true})
}
