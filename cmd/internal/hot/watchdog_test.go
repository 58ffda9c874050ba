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

// After settle, the watchdog does not end the process.
func TestWatchdogLeavesASettledPrompt(t *testing.T) {
	w := newWatchdog(time.Hour, known{}, func() { t.Error("watchdog ended the process before the line was written") })
	w.settle()
	w.fire()
	w.tell(func(*known) {}) // does not block
}

func TestWatchdogLetsNoReplyBegin(t *testing.T) {
	ended := make(chan struct{})
	w := newWatchdog(time.Hour, known{}, func() { close(ended) })
	w.fire()
	<-ended
	go func() {
		w.settle()
		t.Error("a reply was begun after the time was over")
	}()
	time.Sleep(20 * time.Millisecond)
}

func TestWatchdogLimit(t *testing.T) {
	ended := make(chan struct{})
	w := newWatchdog(time.Hour, known{}, func() { close(ended) })
	w.setLimit(time.Now().Add(-time.Minute), time.Second)
	<-ended
}

// On a busy machine the time may be over when only the folders are known. Late input is distinguished from a search
// that was cut.
func TestWatchdogLogs(t *testing.T) {
	for read, want := range map[bool]gate.Reason{false: gate.LateInput, true: gate.Deadline} {
		state := t.TempDir()
		ended := make(chan struct{})
		k := known{dirs: dirs.Dirs{State: state}, settings: gate.Preset(nil), start: time.Now(), read: read}
		newWatchdog(time.Hour, k, func() { close(ended) }).fire()
		<-ended
		text, err := os.ReadFile(filepath.Join(state, journal.File))
		if err != nil || strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), `"reason":"`+string(want)+`"`) {
			t.Errorf("input read: %v: the journal is %q, %v, want one line with the reason %s", read, text, err, want)
		}
	}
}
