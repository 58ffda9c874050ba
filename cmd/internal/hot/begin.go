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

// Begins is the event by which a host says that a session begins, goes on in another process, or
// goes on without what its model knew.
const Begins = "SessionStart"

// beginLimit is how long Begin may work once it knows what begins, whatever it waits for then.
const beginLimit = time.Second

// Begin notes how a session begins. The host waits for it, so that the first prompt is not answered by
// what the model no longer knows; what takes longer is started in the background. Begin prints nothing,
// which would become context, and returns the exit status, which is always 0.
func Begin(p *Process) int {
	defer Leave(p.Stdin)
	defer func() { _ = recover() }()                                            // whatever broke, the session goes on
	refresh := func(cwd string, flags ...string) { _ = Refresh(cwd, flags...) } // nobody to tell
	seen, ok := See(p, beginLimit, refresh)
	if ok && seen.In.Event == Begins {
		seen.Begin(true)
	}
	return 0
}

// Seen is an event that a host reports, and where it is noted.
type Seen struct {
	Process  // its Cwd is the session's
	Dirs     dirs.Dirs
	Settings gate.Settings
	In       hooks.Input
	Refresh  func(flags ...string) // starts a refresh for the session in the background
}

// See reads an event. ok is false where nothing is to be noted of it. The process ends where no event
// comes, and at the latest when limit has passed since it came.
func See(p *Process, limit time.Duration, refresh func(cwd string, flags ...string)) (s Seen, ok bool) {
	if p.Exit != nil {
		timer := time.AfterFunc(hooks.InputLimit, p.Exit)
		defer func() { timer.Reset(limit) }()
	}
	in, readErr := hooks.Read(p.Stdin, p.Host) // what came before an error is used
	d, err := dirs.FromEnv(p.Getenv, hooks.Places)
	if err != nil || readErr != nil && in.Event == "" {
		return s, false
	}
	s = Seen{Process: *p, Dirs: d}
	s.Cwd = p.began(&in)
	s.In = in
	s.Refresh = func(flags ...string) { refresh(s.Cwd, flags...) }
	s.Settings, _ = gate.Load(d, s.Cwd, p.Environ) // the hook logs what is wrong with them
	return s, !s.Settings.Disabled
}

// lateBegin is how long after an observer that the host waited for another one may report the same begin.
const lateBegin = time.Minute

// Begin forgets what the session's model, or its host, no longer knows. waited says that the host waits
// for it. Where it does not, as with a registration of an older version beside that one, the session's
// prompts may have been answered since, and what they were told stays.
func (s *Seen) Begin(waited bool) {
	_ = journal.UpdateSession(s.Dirs.State, s.In.SessionID, func(session *journal.Session) { // nobody to tell
		if !waited && s.Now().Sub(session.Waited).Abs() < lateBegin {
			return
		}
		if s.In.Source == "clear" || s.In.Source == "compact" {
			session.Reset()
		}
		if s.In.Source == "clear" || s.In.Source == "resume" {
			session.Begin(s.Now())
		}
		if waited && s.In.Source != "startup" { // of which nothing is known
			session.Waited = s.Now()
		}
	})
	s.Append(journal.KindSession, nil, s.In.Source)
	s.Refresh()
	if s.Settings.Rerank.Enabled {
		h := rerank.Helper{Dirs: s.Dirs, Settings: s.Settings.Rerank, Getenv: s.Getenv, Now: s.Now}
		_ = h.Start(false) // one that runs already makes the new one leave
	}
}

// Append writes a record of the event.
func (s *Seen) Append(kind journal.Kind, use *journal.Outcome, source string) {
	r := journal.New(kind, s.Now())
	r.Session, r.PromptID, r.Transcript, r.Cwd = s.In.SessionID, s.In.PromptID, s.In.TranscriptPath, s.In.Cwd
	r.Skillgate = build.Read().Version
	r.Outcome, r.Source = use, source
	_ = journal.Append(s.Dirs.State, r) // nobody to tell
}
