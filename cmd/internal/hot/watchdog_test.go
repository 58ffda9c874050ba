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
