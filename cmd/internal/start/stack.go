package start

// stack is how deep the main goroutine's calls go, in bytes. Its stack is small at first,
// and each time that it doubles, all of it is copied and every frame in it looked up.
const stack = 48 << 10

// Deep needs such a stack once, so that it is as large before the first prompt is read.
var _ = deep("")

//go:noinline
func deep(text string) byte {
	if text == "" {
		return 0 // the frame is made anyway, and not touched
	}
	var frame [stack]byte
	return frame[copy(frame[:], text)-1]
}
