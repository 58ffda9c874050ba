package system

import (
	"runtime"
	"syscall"
)

// Start calls start to start a process that does not end with this one. It sets the attributes of the process first:
// Start(&cmd.SysProcAttr, cmd.Start).
func Start(attributes **syscall.SysProcAttr, start func() error) error {
	runtime.LockOSThread() // the process inherits the timer slack of this thread
	defer runtime.UnlockOSThread()
	resetTimerSlack()
	*attributes = detached()
	return start()
}
