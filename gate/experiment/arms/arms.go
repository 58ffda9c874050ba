// Package arms reads from the log how the two arms of an experiment fared: the prompts whose
// hint was given, and those whose hint was kept back.
//
// The one outcome that is tested is whether the model used, within the turn, a skill that
// was or would have been named. The others have intervals and no test: of five, one would
// differ by chance too often.
package arms

import (
	"context"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
	"github.com/skillgate/skillgate/triage"
)

// Arms is how an experiment stands.
type Arms struct {
	Plan     *experiment.Plan `json:"plan"`
	Test     experiment.Test  `json:"test"`
	Hinted   int              `json:"hinted"`  // prompts of each arm, ended or not
	Held     int              `json:"held"`    //
	Unknown  int              `json:"unknown"` // of both: the turn may still run, or nothing watched it
	Besides  []Comparison     `json:"besides"`
	Versions []string         `json:"versions"` // of skillgate that decided
	Settings int              `json:"settings"` // different ones under which was decided
}

// Comparison is a further share in both arms, nil where nothing is known of it.
type Comparison struct {
	Name       string        `json:"name"`
	Hinted     *outcome.Rate `json:"hinted"`
	Held       *outcome.Rate `json:"held"`
	Difference *[3]float64   `json:"difference"` // Hinted - Held, and its 95 % interval (Newcombe 1998, method 10)
}

// Further outcomes.
const (
	Later       = "used within five turns"
	Typed       = "typed within five turns"
	Repeated    = "prompt repeated"
	Corrected   = "next prompt corrects"
	Interrupted = "turn interrupted"
)

// horizon is how many turns of a session are looked at for one prompt.
const horizon = 5

// step is a prompt of a session.
type step struct {
	turn       outcome.Turn
	trial      *gate.Trial
	repeat     bool
	corrects   bool
	kept       bool   // its text is kept, so that corrects is known
	again      bool   // it is what the turn before it asked
	hash       string // of the prompt, of a session's last turn alone
	promptID   string
	transcript string
	session    string
}

// Read reads how a plan stands. interrupted reports of a transcript which turns were, by
// prompt id; nil where it cannot be read. It may be nil.
func Read(ctx context.Context, db *store.DB, p *experiment.Plan,
	interrupted func(transcript string) map[string]bool) (Arms, error) {
	a := Arms{Plan: p}
	versions, settings := map[string]bool{}, map[string]bool{}
	sessions := map[string][]*step{}
	var order []*step
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // the log is held: half as much again is room enough
	err := db.Turns(ctx, store.Filter{Logged: p.Started, Asked: true}, func(t *store.Turn) error {
		s := stepOf(t)
		if s.trial != nil && s.trial.Experiment != p.ID {
			s.trial = nil
		}
		if s.trial != nil {
			versions[t.Asked.Skillgate], settings[t.Asked.Settings] = true, true
		}
		turns := sessions[s.session]
		same := slices.IndexFunc(turns, func(x *step) bool { return s.promptID != "" && x.promptID == s.promptID })
		if same >= 0 { // a hook that is registered twice, or a prompt that was queued in a turn: one turn, one lot
			first := turns[same]
			if first.trial == nil && s.trial != nil {
				order = append(order, first)
			}
			first.join(s)
			return nil
		}
		if s.trial != nil {
			order = append(order, s)
		}
		if s.session != "" {
			s.follows(turns)
			sessions[s.session] = append(turns, s)
		}
		return nil
	})
	if err != nil {
		return a, err
	}
	a.Versions, a.Settings = slices.Sorted(maps.Keys(versions)), len(settings)
	var cases []experiment.Case
	besides := map[string]*[2]outcome.Share{}
	stopped := map[string]map[string]bool{}
	for _, s := range order {
		arm := 0
		if s.trial.Held {
			arm = 1
			a.Held++
		} else {
			a.Hinted++
		}
		if !s.turn.Over {
			a.Unknown++
			continue
		}
		c := experiment.Case{Held: s.trial.Held, Hit: s.hits()}
		if p.By == experiment.BySession {
			c.Unit = s.session
		}
		cases = append(cases, c)
		add := func(name string, hit bool) {
			if besides[name] == nil {
				besides[name] = &[2]outcome.Share{}
			}
			besides[name][arm].Add(s.session, hit)
		}
		s.besides(sessions[s.session], add)
		if interrupted != nil && s.transcript != "" && s.promptID != "" {
			known, read := stopped[s.transcript]
			if !read {
				known = interrupted(s.transcript)
				stopped[s.transcript] = known
			}
			if known != nil {
				add(Interrupted, known[s.promptID])
			}
		}
	}
	a.Test = experiment.Run(p, cases)
	for _, name := range []string{Later, Typed, Repeated, Corrected, Interrupted} {
		c := Comparison{Name: name}
		if shares := besides[name]; shares != nil {
			c.Hinted, c.Held = shares[0].Rate(), shares[1].Rate()
		}
		if x, y := c.Hinted, c.Held; x != nil && y != nil {
			d := x.Value - y.Value
			c.Difference = &[3]float64{d, d - math.Hypot(x.Value-x.Low, y.High-y.Value), d +
				math.Hypot(x.High-x.Value, y.Value-y.Low)}
		}
		a.Besides = append(a.Besides, c)
	}
	return a, nil
}

// follows compares a turn with the one before it in its session, whose hash nobody asks for then.
func (s *step) follows(turns []*step) {
	if len(turns) > 0 {
		last := turns[len(turns)-1]
		s.again, last.hash = s.hash != "" && s.hash == last.hash, ""
	}
}

// join adds what another decision of the same turn tells.
func (s *step) join(other *step) {
	s.turn.Named = append(s.turn.Named, other.turn.Named...)
	s.turn.Kept = append(s.turn.Kept, other.turn.Kept...)
	s.turn.Uses = append(s.turn.Uses, other.turn.Uses...)
	s.turn.Over = s.turn.Over || other.turn.Over
	s.repeat = s.repeat && other.repeat // a registration that was late says repeat
	if s.trial == nil {
		s.trial = other.trial
	}
}

func stepOf(t *store.Turn) *step {
	s := &step{
		turn: t.Turn, trial: t.Asked.Trial, repeat: t.Reason == string(gate.Repeat), promptID: t.PromptID,
		transcript: t.Asked.Transcript, session: t.Session, hash: t.Asked.Hash,
	}
	if t.Asked.Level == journal.Full {
		text := triage.Typed(t.Asked.Text)
		s.kept, s.corrects, s.hash = true, corrects(text), journal.PromptHash(text)
	}
	return s
}

// names are the skills that were or would have been named.
func (s *step) names() []outcome.Named { return append(slices.Clone(s.turn.Named), s.turn.Kept...) }

// hits reports whether the model used one of them in the turn.
func (s *step) hits() bool {
	return slices.ContainsFunc(s.names(), func(n outcome.Named) bool { return s.turn.Of(n) == outcome.Followed })
}

// besides tells add of what the session did next.
func (s *step) besides(session []*step, add func(name string, hit bool)) {
	from := slices.Index(session, s)
	if from < 0 {
		return
	}
	turns := session[from:min(from+horizon, len(session))]
	used, typed := false, false
	for i := range turns {
		for _, n := range s.names() {
			used = used || turns[i].turn.Of(n) == outcome.Followed
			typed = typed || slices.ContainsFunc(turns[i].turn.Typed(),
				func(name string) bool { return journal.SameUse(n.Name, n.Path, name, "") })
		}
	}
	add(Later, used)
	add(Typed, typed)
	if len(turns) > 1 {
		next := turns[1]
		add(Repeated, next.repeat || next.again)
		if next.kept {
			add(Corrected, next.corrects)
		}
	}
}

// corrects reports whether a prompt begins with words that say the answer was wrong.
func corrects(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	for c := range vocab.Correction.All() {
		rest, ok := strings.CutPrefix(text, c)
		if ok && (c[0] >= utf8.RuneSelf || rest == "" || strings.ContainsAny(rest[:1], " ,.!;:—-\n")) {
			return true
		}
	}
	return false
}

// few is how many sessions say too little about how alike the turns of one are.
const few = 30

// Alike returns the design effect of sessions on the share of hints that are followed, as far as the log since
// a time tells: 0 where it holds too few sessions.
func Alike(ctx context.Context, db *store.DB, since time.Time) (float64, error) {
	var followed outcome.Share
	sessions := map[string]bool{}
	err := db.Turns(ctx, store.Filter{Since: since, Verdict: string(gate.Inject)}, func(t *store.Turn) error {
		if t.Over {
			followed.Add(t.Session, t.State() == outcome.Followed)
			sessions[t.Session] = true
		}
		return nil
	})
	if err != nil || len(sessions) < few {
		return 0, err
	}
	return followed.Effect(), nil
}

// Settle ends the experiment that runs where its test or its time is over, and returns how it
// stands; nil where none runs.
func Settle(ctx context.Context, db *store.DB, now time.Time, interrupted func(string) map[string]bool) (*Arms, error) {
	p, err := experiment.Load(db.Dir())
	if p == nil || err != nil {
		return nil, err
	}
	a, err := Read(ctx, db, p, interrupted)
	if err != nil {
		return nil, err
	}
	if a.Test.Found != experiment.Running || !now.Before(p.Until) {
		return &a, p.End(db.Dir(), now, a.Test)
	}
	return &a, nil
}

// Last returns how the experiment that runs stands, ended where it is due, or else the newest that has ended; nil
// where none was started.
func Last(ctx context.Context, db *store.DB, now time.Time, interrupted func(string) map[string]bool) (*Arms, error) {
	a, err := Settle(ctx, db, now, interrupted)
	if a != nil || err != nil {
		return a, err
	}
	past := experiment.Past(db.Dir())
	if len(past) == 0 {
		return nil, nil
	}
	p := past[len(past)-1]
	read, err := Read(ctx, db, p, interrupted)
	read.Test = *p.Result // the log may have been pruned since
	return &read, err
}
