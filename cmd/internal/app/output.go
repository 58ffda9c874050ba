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

// results keeps the first error of writing to standard output, so that a command whose output is cut short by a
// full disk does not end with status 0.
type results struct {
	io.Writer
	err error
}

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

// Columns returns the width of the terminal on standard output, or 0 if it is not a terminal.
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

// Colours returns a writer for colour sequences that bypasses w's escaping of foreign text, or nil if w is not a
// terminal that shows colours.
func (a *App) Colours(w io.Writer) io.Writer {
	if a.Getenv("NO_COLOR") != "" || a.Getenv("TERM") == "dumb" {
		return nil
	}
	if f, ok := Terminal(w); ok {
		return f
	}
	return nil
}

// PrintJSON writes v to standard output as indented JSON, without HTML escapes.
func (a *App) PrintJSON(v any) error {
	enc := a.JSONLines()
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// JSONLines returns an encoder that writes one JSON value per line to standard output, without HTML escapes.
func (a *App) JSONLines() *json.Encoder {
	enc := json.NewEncoder(a.Data())
	enc.SetEscapeHTML(false)
	return enc
}

// Note writes a note to standard error about a problem that does not stop the command.
func (a *App) Note(format string, args ...any) { io.WriteString(a.Stderr, a.note(format, args)) }

// NoteOnce is like Note but prints the same note only once.
func (a *App) NoteOnce(format string, args ...any) {
	if note := a.note(format, args); !slices.Contains(a.noted, note) {
		a.noted = append(a.noted, note)
		io.WriteString(a.Stderr, note)
	}
}

func (a *App) note(format string, args []any) string {
	return fmt.Sprintf(a.T("skillgate: note: %s\n"), fmt.Sprintf(a.T(format), args...))
}

// Visible returns s as one line with single spaces and without characters that control a terminal.
func Visible(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
}

// Percent formats share, between 0 and 1, as a percentage.
func Percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// WriteShared creates or replaces a file that is meant to be passed on, such as a report.
func (a *App) WriteShared(file string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return disk.Write(a.Absolute(file), text.Bytes(), disk.Options{Shared: true})
}

// Confirm asks a question on the terminal and returns an error unless the answer is yes. undone names the change that
// was not made; hint is the next step if there is no terminal.
func (a *App) Confirm(question, undone, hint string) error {
	in, ok := Terminal(a.Stdin)
	if !ok {
		return Fail(a.T(hint), a.T("%s: confirmation needs a terminal"), a.T(undone))
	}
	if a.ask(in, question, false) {
		return nil
	}
	return Fail("", a.T("%s: not confirmed"), a.T(undone))
}

// Ask asks a question whose default is yes. It returns true for an empty line and if there is no terminal.
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

// Set shows done of total. It shows nothing in the first 0.3 seconds.
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
