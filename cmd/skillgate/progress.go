package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
)

// bar is a progress bar with count and rate. Where stderr is no terminal, or for
// quiet work, it prints nothing. The zero value is such a bar.
type bar struct {
	w     io.Writer
	label string
	start time.Time
	last  time.Time
	shown bool
}

func (e *env) progress(label string, quiet bool) *bar {
	f, ok := app.Terminal(e.stderr)
	if quiet || !ok {
		return &bar{}
	}
	return &bar{w: f, label: label, start: time.Now()}
}

// set shows done of total. Work that ends within a third of a second shows nothing.
func (b *bar) set(done, total int) {
	now := time.Now()
	if b.w == nil || now.Sub(b.start) < 300*time.Millisecond || now.Sub(b.last) < 80*time.Millisecond && done < total {
		return
	}
	b.last, b.shown = now, true
	const width = 30
	full := 0
	if total > 0 {
		full = width * done / total
	}
	rate := float64(done) / now.Sub(b.start).Seconds()
	left := ""
	if rate > 0 && done < total {
		left = fmt.Sprintf(", %s left", (time.Duration(float64(total-done)/rate) * time.Second).Round(time.Second))
	}
	fmt.Fprintf(b.w, "\r\033[K%s [%s%s] %d/%d %.0f/s%s", b.label, strings.Repeat("=", full), strings.Repeat(" ", width-full), done, total, rate, left)
}

// done clears the line.
func (b *bar) done() {
	if b.shown {
		fmt.Fprint(b.w, "\r\033[K")
	}
}

// colour reports whether w is a terminal that wants colour.
func (e *env) colour(w io.Writer) bool {
	if e.getenv("NO_COLOR") != "" || e.getenv("TERM") == "dumb" {
		return false
	}
	_, ok := app.Terminal(w)
	return ok
}
