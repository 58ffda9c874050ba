package hot

import (
	"bytes"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/gate/regular"
)

// thread keeps the calling goroutine on its thread and returns the thread's number.
func thread() int32 {
	runtime.LockOSThread()
	return int32(unix.Gettid())
}

// working reports whether a thread runs or waits for a processor only, not for a file.
func working(thread int32) bool {
	text, err := regular.Head(fmt.Sprintf("/proc/self/task/%d/stat", thread), 4096)
	_, after, _ := bytes.Cut(text, []byte(") "))
	return err == nil && bytes.HasPrefix(after, []byte("R"))
}
