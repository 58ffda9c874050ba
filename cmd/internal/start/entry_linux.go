package start

import (
	"runtime"
	"syscall"
)

// What the entry point needs. It sets files to the limit of open files that it lowers.
var (
	files          syscall.Rlimit
	memProfileRate = &runtime.MemProfileRate
)

func init() {
	if files.Cur > 0 {
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files) // processes that hook starts get it, too
	}
}
