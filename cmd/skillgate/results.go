package main

import (
	"io"

	"github.com/skillgate/skillgate/cmd/internal/app"
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

// keepErrors puts a results in the place of e's standard output.
func (e *env) keepErrors() *results {
	r := &results{Writer: app.NewPlain(e.stdout)}
	e.stdout = r
	return r
}
