package app

import (
	"fmt"
	"slices"
	"strings"
)

// Exit statuses. 2 is none of them: the host reads it as "erase the prompt".
const (
	StatusFindings = 1
	StatusFailed   = 3 // or wrong usage
)

// Error ends a command with a status other than 0. Hint names the next step; it may be
// empty. A nil Err prints nothing.
type Error struct {
	Code int
	Err  error
	Hint string

	format string // of a wrong usage, to be said in the user's language
	args   []any
}

// Error is the text of e.Err.
func (e *Error) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// ErrFindings ends a command that found something and has printed it.
var ErrFindings error = &Error{Code: StatusFindings}

// ErrDone ends a command with status 0, even where its output could not be written.
var ErrDone error = &Error{}

// Fail ends a command with StatusFailed, a hint (which may be empty) and a text.
func Fail(hint, format string, args ...any) error {
	return Hint(fmt.Errorf(format, args...), hint)
}

// Usage ends a command with StatusFailed and a text: flags or arguments make no sense. The next step is an
// example of the command.
func Usage(format string, args ...any) error {
	return &Error{Code: StatusFailed, Err: fmt.Errorf(format, args...), format: format, args: args}
}

// Hint ends a command with StatusFailed by err, and names the next step.
func Hint(err error, hint string) error {
	return &Error{Code: StatusFailed, Err: err, Hint: hint}
}

// OneOf checks a flag with few values; "" stands for none given.
func OneOf(flag, value string, allowed []string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return Usage("--%s is %q, want %s", flag, value, strings.Join(allowed, ", "))
}
