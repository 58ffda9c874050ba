package hot

import (
	"testing"
	"time"
)

func TestWatchdogWaitsForAReplyThatIsBeingWritten(t *testing.T) {
	ended := make(chan bool, 1)
	written := false
	w := newWatchdog(time.Hour, func(int) { ended <- written })
	begun, finish := make(chan struct{}), make(chan struct{})
	go w.settle(func() {
		close(begun)
		<-finish
		written = true
	})
	<-begun
	go w.fire()
	select {
	case <-ended:
		t.Error("watchdog ended the process in the middle of a reply")
	case <-time.After(2 * lastTurns * time.Millisecond):
	}
	close(finish)
	if !<-ended {
		t.Error("watchdog ended the process before the reply was written")
	}
}

func TestWatchdogLetsNoReplyBegin(t *testing.T) {
	ended := make(chan struct{})
	w := newWatchdog(time.Hour, func(int) { close(ended) })
	w.fire()
	<-ended
	go w.settle(func() { t.Error("a reply was begun after the time was over") })
	time.Sleep(20 * time.Millisecond)
}

// The user's settings say how long standard input is waited for, until all settings do.
func TestWatchdogWhileReading(t *testing.T) {
	ended := make(chan struct{})
	newWatchdog(time.Hour, func(int) { close(ended) }).whileReading(func() time.Duration { return 0 })
	<-ended

	w := newWatchdog(time.Hour, func(int) { t.Error("watchdog ended the process before its time") })
	w.setLimit(time.Hour)
	w.whileReading(func() time.Duration { t.Error("settings were read twice"); return 0 })
	time.Sleep(2 * patience)
}
