package hot

import (
	"sync"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
)

const (
	// slack is what an answer may take beyond its limit, so that one which was just in
	// time gets out.
	slack = 20 * time.Millisecond
	// lastTurns is how often the watchdog looks, a millisecond apart, whether the log
	// line is written. Where the reply is out, or on a busy machine, where the process has
	// had less than enough time of a processor meanwhile, it looks up to mostTurns times.
	lastTurns = 20
	mostTurns = 300
	enough    = 25 * time.Millisecond
)

// watchdog ends the process when a prompt's time is over, whatever is waited for then:
// standard input, a file, a search. Nothing is answered after that.
type watchdog struct {
	exit  func(code int)
	begun time.Time
	timer *time.Timer
	line  chan struct{} // closed when the log line is written

	mu      sync.Mutex // held while a reply is written, and for good once the time is over
	limited bool       // the limit is the one of all settings
	settled bool       // the reply is written, or it is clear that there is none
	known   known
}

// known is what a line about a prompt without an answer can say.
type known struct {
	dirs     dirs.Dirs
	settings gate.Settings
	in       hooks.Input
	prompt   string // redacted
}

// newWatchdog starts a watchdog that calls exit soon after limit. k is what its line can
// say from the start: on a busy machine the limit may pass before anything else runs.
func newWatchdog(limit time.Duration, k known, exit func(code int)) *watchdog {
	w := &watchdog{exit: exit, begun: time.Now(), known: k, line: make(chan struct{})}
	w.timer = time.AfterFunc(limit+slack, w.fire)
	return w
}

// setLimit changes when the time is over, counted from when the watchdog was started.
func (w *watchdog) setLimit(limit time.Duration) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limited = true
	w.timer.Reset(limit + slack - time.Since(w.begun))
}

// patience is how long standard input may take before it is worth reading the user's
// settings for how long it may take.
const patience = 5 * time.Millisecond

// whileReading makes the limit that load returns count once standard input is slow, until
// setLimit is called.
func (w *watchdog) whileReading(load func() time.Duration) {
	if w == nil {
		return
	}
	time.AfterFunc(patience, func() {
		defer func() { _ = recover() }() // a fault in the settings
		w.mu.Lock()
		late := !w.limited
		w.mu.Unlock()
		if !late {
			return
		}
		limit := load()
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.limited {
			w.timer.Reset(limit + slack - time.Since(w.begun))
		}
	})
}

// tell keeps what is known by now.
func (w *watchdog) tell(change func(*known)) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.known)
}

// settle calls write, which may write the reply, unless the time is over: it does not
// return then.
func (w *watchdog) settle(write func()) {
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.settled = true
	}
	write()
}

// logged says that the line about the prompt is written. It is called once.
func (w *watchdog) logged() {
	if w != nil {
		close(w.line)
	}
}

// fire ends the process: at once where the line is written, else after a last try.
func (w *watchdog) fire() {
	w.mu.Lock()
	line := w.line
	if !w.settled {
		line = make(chan struct{})
		go func() {
			defer close(line)
			defer func() { _ = recover() }() // a fault in the state folder
			w.known.log(w.begun)
		}()
	}
	used := processor()
	for turn := 0; turn < lastTurns || turn < mostTurns && (w.settled || processor()-used < enough); turn++ {
		select {
		case <-line:
			w.exit(0)
			return
		case <-time.After(time.Millisecond):
		}
	}
	w.exit(0)
}

// processor returns how long the process has had a processor.
func processor() time.Duration {
	if used, ok := system.Processor(); ok {
		return used
	}
	return enough
}

// maxLatePrompt is how much of a prompt is read for a line that must be short.
const maxLatePrompt = 16 << 10

// log appends the line of a prompt that was not answered in time.
func (k known) log(start time.Time) {
	d := gate.Decision{Prompt: k.prompt, Verdict: gate.Error, Reason: gate.Deadline, Candidates: []gate.Candidate{}}
	if len(d.Prompt) > maxLatePrompt {
		d.Prompt, k.settings.Log.Prompts = "", journal.None
	}
	d.Ms.Total = float64(time.Since(start).Microseconds()) / 1000
	logDecision(start, k.dirs, k.in, d, nil, k.settings, "")
}
