package start

import (
	"runtime"
	"syscall"
)

// The entry point in assembly saves the limit of open files here before it lowers it.
var (
	files syscall.Rlimit
	//lint:ignore U1000 the entry point sets the rate to 0 through it
	memProfileRate = &runtime.MemProfileRate
)

func init() {
	if files.Cur > 0 {
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files) // processes that hook starts get it, too
	}
}
