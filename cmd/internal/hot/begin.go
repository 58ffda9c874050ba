package hot

import (
	"time"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/hooks"
)

// Begins is the host's event for a session that starts, is resumed in another process, or continues after its context
// was cleared or compacted.
const Begins = "SessionStart"

// beginLimit is the time limit of Begin after its input has arrived.
const beginLimit = time.Second

// Begin records how a session begins. The host waits for it, so that the first prompt is not answered from an
// outdated memory of the session. Longer work is started in the background. Begin prints nothing, since output would
// become context, and returns the exit status, which is always 0.
func Begin(p *Process) int {
	defer Leave(p.Stdin)
	defer func() { _ = recover() }()                                            // the session continues whatever fails
	refresh := func(cwd string, flags ...string) { _ = Refresh(cwd, flags...) } // best effort
	seen, ok := See(p, beginLimit, refresh)
	if ok && seen.In.Event == Begins {
		seen.Begin(true)
	}
	return 0
}

// Seen is an event that a host has reported, with the data needed to record it.
type Seen struct {
	Process  // Cwd is the folder of the session
	Dirs     dirs.Dirs
	Settings gate.Settings
	In       hooks.Input
	Refresh  func(flags ...string) // starts a refresh for the session in the background
}

// See reads an event. ok is false if there is nothing to record. The process ends if no event arrives in time or once
// limit has passed since its arrival.
func See(p *Process, limit time.Duration, refresh func(cwd string, flags ...string)) (s Seen, ok bool) {
	if p.Exit != nil {
		timer := time.AfterFunc(hooks.InputLimit, p.Exit)
		defer func() { timer.Reset(limit) }()
	}
	in, readErr := hooks.Read(p.Stdin, p.Host) // after an error, the input read before it is used
	d, err := dirs.FromEnv(p.Getenv, hooks.Places)
	if err != nil || readErr != nil && in.Event == "" {
		return s, false
	}
	s = Seen{Process: *p, Dirs: d}
	s.Cwd = p.began(&in)
	s.In = in
	s.Refresh = func(flags ...string) { refresh(s.Cwd, flags...) }
	s.Settings, _ = gate.Load(d, s.Cwd, p.Environ) // the hook logs errors in the settings
	return s, !s.Settings.Disabled
}

// lateBegin is the time within which a second observer, for which the host does not wait, may report the same event.
const lateBegin = time.Minute

// Begin removes from the session's memory the facts that its model or host no longer knows. waited reports whether
// the host waits for the call. An observer registered by an older version, for which the host does not wait, may
// report the same event later. Prompts may have been answered by then, so the second report changes nothing.
func (s *Seen) Begin(waited bool) {
	_ = journal.UpdateSession(s.Dirs.State, s.In.SessionID, func(session *journal.Session) { // best effort
		if !waited && s.Now().Sub(session.Waited).Abs() < lateBegin {
			return
		}
		if s.In.Source == "clear" || s.In.Source == "compact" {
			session.Reset()
		}
		if s.In.Source == "clear" || s.In.Source == "resume" {
			session.Begin(s.Now())
		}
		if waited && s.In.Source != "startup" { // a new session has no memory
			session.Waited = s.Now()
		}
	})
	s.Append(journal.KindSession, nil, s.In.Source)
	s.Refresh()
	if s.Settings.Rerank.Enabled {
		h := rerank.Helper{Dirs: s.Dirs, Settings: s.Settings.Rerank, Getenv: s.Getenv, Now: s.Now}
		_ = h.Start(false) // if a helper is running, the new one exits
	}
}

// Append writes a record of the event to the journal.
func (s *Seen) Append(kind journal.Kind, use *journal.Outcome, source string) {
	r := journal.New(kind, s.Now())
	r.Session, r.PromptID, r.Transcript, r.Cwd = s.In.SessionID, s.In.PromptID, s.In.TranscriptPath, s.In.Cwd
	r.Skillgate = build.Read().Version
	r.Outcome, r.Source = use, source
	_ = journal.Append(s.Dirs.State, r) // best effort
}
