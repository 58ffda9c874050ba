package start

import (
	"runtime"
	"syscall"
)

// files is the limit on open files that the assembly entry point saved before it lowered the limit.
var (
	files syscall.Rlimit
	//lint:ignore U1000 the assembly entry point uses it to set the rate to 0
	memProfileRate = &runtime.MemProfileRate
)

func init() {
	if files.Cur > 0 {
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files) // processes that hook starts inherit it
	}
}
