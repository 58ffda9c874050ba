// Package report writes what lint found: as text with the line and a caret, as
// JSON, as SARIF 2.1.0, as annotations of GitHub Actions and as one HTML page
// that needs nothing beside it.
//
// All of them print the same findings in the same order. Writers return the first
// error of the stream they write to.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skillgate/skillgate/gate/lint"
)

// JSON is the contract of `lint --json`.
type JSON struct {
	Version int `json:"version"` // of this format
	*lint.Result
	Known int `json:"known"` // findings left out because the baseline has them
}

// JSONVersion changes when a field changes its meaning or goes.
const JSONVersion = 1

// writer remembers the first error.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.w, format, args...)
	}
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Counts sums a result up in a line.
func Counts(s lint.Summary, known int) string {
	var parts []string
	for _, c := range []struct {
		n    int
		noun string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Infos, "remark"}} {
		if c.n > 0 {
			parts = append(parts, plural(c.n, c.noun))
		}
	}
	text := "no findings"
	if parts != nil {
		text = strings.Join(parts, ", ")
	}
	text += " in " + plural(s.Skills, "skill")
	if known > 0 {
		text += fmt.Sprintf(" (%d more in the baseline)", known)
	}
	return text
}
