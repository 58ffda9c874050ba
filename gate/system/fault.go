package system

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrCaught is wrapped by every error that was a panic or a fault.
var ErrCaught = errors.New("internal error")

// Caught runs f and returns its error, or one that wraps ErrCaught if f panics or reads a mapped file past its end. A
// goroutine that does not recover ends the process with status 2, which the host reads as "erase the prompt".
func Caught(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // in this goroutine alone
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrCaught, r)
		}
	}()
	return f()
}
