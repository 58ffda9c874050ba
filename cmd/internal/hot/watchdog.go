package hot

import (
	"sync"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/hooks"
)

const (
	// slack is added to a prompt's time limit. The search stops at the limit, but on a busy machine the rest of the work
	// may have to wait for a processor.
	slack = 300 * time.Millisecond
	// lastLimit is how long writing the journal line and the answer may take: many times the usual wait for locks, and
	// less than a host waits for the hook.
	lastLimit = 2 * time.Second
)

// watchdog ends the process when a prompt's time is over, even if it is blocked on standard input, on a file or in a
// search. Either the watchdog or the caller of settle writes the prompt's log line.
type watchdog struct {
	exit  func()
	timer *time.Timer

	mu      sync.Mutex // never released once the time is over
	settled bool
	known   known
}

type known struct {
	dirs     dirs.Dirs
	settings gate.Settings
	start    time.Time
	read     bool // the input was read completely
	in       hooks.Input
	prompt   string // redacted
}

// newWatchdog starts a watchdog that calls exit after limit. It logs k if the hook has reported nothing more by then.
func newWatchdog(limit time.Duration, k known, exit func()) *watchdog {
	w := &watchdog{exit: exit, known: k}
	w.timer = time.AfterFunc(limit, w.fire)
	return w
}

func (w *watchdog) setLimit(start time.Time, limit time.Duration) {
	if w != nil {
		w.tell(func(k *known) { k.start = start })
		w.timer.Reset(time.Until(start.Add(limit)))
	}
}

func (w *watchdog) tell(change func(*known)) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.known)
}

// settle announces that the caller will write the prompt's log line and answer. If the time is over, settle does not
// return.
func (w *watchdog) settle() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settled = true
	time.AfterFunc(lastLimit, w.exit)
}

func (w *watchdog) fire() {
	w.mu.Lock()
	if w.settled {
		w.mu.Unlock()
		return
	}
	time.AfterFunc(lastLimit, w.exit)
	defer w.exit()
	defer func() { _ = recover() }() // a fault while logging
	w.known.log()
}

// maxLatePrompt is the longest prompt, in bytes, that the watchdog logs, since it has little time.
const maxLatePrompt = 16 << 10

func (k known) log() {
	d := gate.Decision{Prompt: k.prompt, Verdict: gate.Error, Reason: gate.Deadline, Candidates: []gate.Candidate{}}
	if !k.read {
		d.Reason = gate.LateInput
	}
	if len(d.Prompt) > maxLatePrompt {
		d.Prompt, k.settings.Log.Prompts = "", journal.None
	}
	d.Ms.Total = float64(time.Since(k.start).Microseconds()) / 1000
	logDecision(k.start, k.dirs, k.in, d, nil, k.settings, "")
}
