package system

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrCaught is wrapped by errors for recovered panics and faults.
var ErrCaught = errors.New("internal error")

// Caught runs f and returns its error. If f panics or reads a mapped file past its end, it returns an error that wraps
// ErrCaught. Without it the panic would end the process with status 2, which makes the host erase the prompt.
func Caught(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // applies to this goroutine only
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrCaught, r)
		}
	}()
	return f()
}
