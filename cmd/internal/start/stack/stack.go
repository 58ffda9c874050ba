// Package stack makes the main goroutine's stack large while it is nearly empty. A stack starts
// small, and each time that it grows, Go copies it and looks up every frame in it.
//
// Go initialises packages without pending imports in the order of their paths. This package imports
// nothing, so that it is initialised before the initialisation of others can grow the stack.
package stack

// size is the number of bytes of stack that answering a prompt needs.
const size = 48 << 10

var _ = deep("")

//go:noinline
func deep(text string) byte {
	if text == "" {
		return 0 // the frame is reserved but never touched
	}
	var frame [size]byte
	return frame[copy(frame[:], text)-1]
}
