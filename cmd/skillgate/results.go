package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// results is standard output that keeps the first error of writing to it, so that a
// command whose output a full disk cut short does not end with status 0.
type results struct {
	io.Writer
	err error
}

func (r *results) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	if err != nil && r.err == nil {
		r.err = err
	}
	return n, err
}

// keepErrors puts a results in the place of e's standard output. A terminal stays what
// it is: commands ask for its width, and it is never full.
func (e *env) keepErrors() *results {
	r := &results{Writer: e.stdout}
	if f, ok := e.stdout.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		e.stdout = r
	}
	return r
}
