package system

import (
	"runtime"
	"syscall"
)

// Start calls start, which starts a process, after setting attributes with which the process does not end with this
// one: Start(&cmd.SysProcAttr, cmd.Start).
func Start(attributes **syscall.SysProcAttr, start func() error) error {
	runtime.LockOSThread() // the process inherits the timer slack of the thread
	defer runtime.UnlockOSThread()
	resetTimerSlack()
	*attributes = detached()
	return start()
}
