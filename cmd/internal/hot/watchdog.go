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
	// slack is what a prompt that has come may take beyond its limit. The search ends itself at the
	// limit; on a busy machine what is left to do waits for a processor.
	slack = 300 * time.Millisecond
	// lastLimit is how long the line and the answer may take once it is clear what they are: many times
	// what waiting for the locks takes, and little enough for the host, which waits too.
	lastLimit = 2 * time.Second
)

// watchdog ends the process when a prompt's time is over, whatever is waited for then: standard
// input, a file, a search. Either it writes the prompt's line or who has settled the prompt does.
type watchdog struct {
	exit  func()
	timer *time.Timer

	mu      sync.Mutex // held for good once the time is over
	settled bool
	known   known
}

type known struct {
	dirs     dirs.Dirs
	settings gate.Settings
	start    time.Time
	read     bool // in is all of the input
	in       hooks.Input
	prompt   string // redacted
}

// newWatchdog starts a watchdog that calls exit after limit. k is what its line can say from the start:
// on a busy machine the limit may pass before anything else runs.
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

// settle says that the caller writes the prompt's line, and its answer if there is one. It does not
// return where the time is over.
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
	defer func() { _ = recover() }() // a fault in the state folder
	w.known.log()
}

// maxLatePrompt is how much of a prompt is read for a line that must be short.
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
