package hot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
)

func TestWatchdogWaitsForAReplyThatIsBeingWritten(t *testing.T) {
	ended := make(chan bool, 1)
	written := false
	w := newWatchdog(time.Hour, known{}, func(int) { ended <- written })
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
	w := newWatchdog(time.Hour, known{}, func(int) { close(ended) })
	w.fire()
	<-ended
	go w.settle(func() { t.Error("a reply was begun after the time was over") })
	time.Sleep(20 * time.Millisecond)
}

// The user's settings say how long standard input is waited for, until all settings do.
func TestWatchdogWhileReading(t *testing.T) {
	ended := make(chan struct{})
	newWatchdog(time.Hour, known{}, func(int) { close(ended) }).whileReading(func() time.Duration { return 0 })
	<-ended

	w := newWatchdog(time.Hour, known{}, func(int) { t.Error("watchdog ended the process before its time") })
	w.setLimit(time.Hour)
	w.whileReading(func() time.Duration { t.Error("settings were read twice"); return 0 })
	time.Sleep(2 * patience)
}

// On a busy machine the time may be over before anything is known but the folders.
func TestWatchdogLogsFromTheStart(t *testing.T) {
	state := t.TempDir()
	ended := make(chan struct{})
	k := known{dirs: dirs.Dirs{State: state}, settings: gate.Preset(nil)}
	newWatchdog(time.Hour, k, func(int) { close(ended) }).fire()
	<-ended
	text, err := os.ReadFile(filepath.Join(state, journal.File))
	if err != nil || strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), `"deadline"`) {
		t.Errorf("the journal is %q, %v, want one line with the reason deadline", text, err)
	}
}

// The line of a reply that is out is waited for, and nothing more once it is written.
func TestWatchdogWaitsForTheLineOfAReply(t *testing.T) {
	ended := make(chan bool, 1)
	written := false
	w := newWatchdog(time.Hour, known{}, func(int) { ended <- written })
	w.settle(func() {})
	go w.fire()
	written = true
	w.logged()
	if !<-ended {
		t.Error("watchdog ended the process before the line was written")
	}
}
