// Package fault makes errors of panics, and of faults in files that were cut after they were
// mapped. A goroutine that recovers from neither ends the process with status 2, which the host
// reads as "erase the prompt".
package fault

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrCaught is what every error wraps that was a panic or a fault.
var ErrCaught = errors.New("internal error")

// Caught runs f and returns its error, or one that wraps ErrCaught where f panics.
func Caught(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // in this goroutine alone
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrCaught, r)
		}
	}()
	return f()
}
