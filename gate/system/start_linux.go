package system

import "golang.org/x/sys/unix"

// resetTimerSlack sets the thread's timer slack to Linux's default if it is the value that the hook sets for itself
// (see cmd/internal/start).
func resetTimerSlack() {
	if ns, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0); err == nil && ns == 10_000_000 {
		_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 50_000, 0, 0, 0)
	}
}
