package app

import (
	"fmt"
	"io"
	"time"
)

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
