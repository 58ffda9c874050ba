package main

// exitError ends a command with a status other than 0: 1 findings, 3 failed or
// wrong usage. hint names the next step. A nil err prints nothing.
type exitError struct {
	code int
	err  error
	hint string
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }
