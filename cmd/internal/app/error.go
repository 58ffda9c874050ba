package app

import (
	"fmt"
	"slices"
	"strings"
)

// Exit statuses. Status 2 is never used, because it makes a host discard the prompt.
const (
	StatusFindings = 1
	StatusFailed   = 3 // failure or wrong usage
)

// Error ends a command with the status Code. Hint is the next step and may be empty. If Err is nil, nothing is
// printed.
type Error struct {
	Code int
	Err  error
	Hint string

	format string // format of a usage error, translated when printed
	args   []any
}

// Error returns the text of e.Err, or "".
func (e *Error) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrFindings ends a command with status 1 after it has printed its findings.
var ErrFindings error = &Error{Code: StatusFindings}

// ErrDone ends a command with status 0 even if its output could not be written.
var ErrDone error = &Error{}

// Fail returns an Error with StatusFailed, the formatted text and hint, which may be empty.
func Fail(hint, format string, args ...any) error {
	return Hint(fmt.Errorf(format, args...), hint)
}

// Usage returns an Error with StatusFailed for wrong flags or arguments. Its hint is an example of the command.
func Usage(format string, args ...any) error {
	return &Error{Code: StatusFailed, Err: fmt.Errorf(format, args...), format: format, args: args}
}

// Hint returns an Error with StatusFailed that wraps err and has the given hint.
func Hint(err error, hint string) error {
	return &Error{Code: StatusFailed, Err: err, Hint: hint}
}

// OneOf returns a usage error if the value of a flag is neither "" nor one of allowed.
func OneOf(flag, value string, allowed []string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return Usage("--%s is %q but must be one of: %s", flag, value, strings.Join(allowed, ", "))
}
