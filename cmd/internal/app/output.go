package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/term"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
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

// Confirm asks on a terminal; hint is the next step where there is none to ask on, and
// undone says what an answer other than yes leaves as it was.
func (a *App) Confirm(question, undone, hint string) error {
	in, ok := Terminal(a.Stdin)
	if !ok {
		return Fail(a.T(hint), a.T("%s: no terminal to ask on"), a.T(undone))
	}
	if a.ask(in, question, false) {
		return nil
	}
	return Fail("", a.T("%s: not confirmed"), a.T(undone))
}

// Ask asks on the terminal for what is done by default: an empty line is a yes, and so is having no terminal.
func (a *App) Ask(question string) bool {
	in, ok := Terminal(a.Stdin)
	return !ok || a.ask(in, question, true)
}

func (a *App) ask(in io.Reader, question string, yes bool) bool {
	choice := "y/N"
	if yes {
		choice = "Y/n"
	}
	fmt.Fprintf(a.Stderr, "%s? [%s] ", question, choice)
	line, err := bufio.NewReader(in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); vocab.Yes.Has(answer) || yes && answer == "" && err == nil {
		return true
	}
	if err != nil {
		fmt.Fprintln(a.Stderr)
	}
	return false
}

// Bar is a progress bar. The zero value prints nothing.
type Bar struct {
	w           io.Writer // a terminal, or nil
	label       string
	start, last time.Time
}

// Progress starts a bar on standard error. It prints nothing if quiet, or if standard error is no terminal.
func (a *App) Progress(label string, quiet bool) *Bar {
	f, ok := Terminal(a.Stderr)
	if quiet || !ok {
		return &Bar{}
	}
	return &Bar{w: f, label: label, start: time.Now()}
}

// Set shows done of total. Work that takes less than a third of a second shows nothing.
func (b *Bar) Set(done, total int) {
	now := time.Now()
	if b.w == nil || now.Sub(b.start) < 300*time.Millisecond || now.Sub(b.last) < 80*time.Millisecond && done < total {
		return
	}
	b.last = now
	left := time.Duration(float64(now.Sub(b.start)) / float64(max(done, 1)) * float64(total-done))
	fmt.Fprintf(b.w, "\r\033[K%s %d/%d, %s left", b.label, done, total, left.Round(time.Second))
}

// Done clears the line.
func (b *Bar) Done() {
	if !b.last.IsZero() {
		fmt.Fprint(b.w, "\r\033[K")
	}
}
