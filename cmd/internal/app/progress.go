package app

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Bar is a progress bar with count and rate. Where stderr is not a terminal, or for
// quiet work, it prints nothing. The zero value is such a bar.
type Bar struct {
	w     io.Writer
	label string
	start time.Time
	last  time.Time
	shown bool
}

// Progress starts a bar on standard error.
func (a *App) Progress(label string, quiet bool) *Bar {
	f, ok := Terminal(a.Stderr)
	if quiet || !ok {
		return &Bar{}
	}
	return &Bar{w: f, label: label, start: time.Now()}
}

// Set shows done of total. Work that ends within a third of a second shows nothing.
func (b *Bar) Set(done, total int) {
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
	fmt.Fprintf(b.w, "\r\033[K%s [%s%s] %d/%d %.0f/s%s",
		b.label, strings.Repeat("=", full), strings.Repeat(" ", width-full), done, total, rate, left)
}

// Done clears the line.
func (b *Bar) Done() {
	if b.shown {
		fmt.Fprint(b.w, "\r\033[K")
	}
}
