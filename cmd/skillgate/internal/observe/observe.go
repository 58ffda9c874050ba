// Package observe notes what happened after a prompt.
package observe

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/rerank/helper"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/transcript"
)

// observeLimit is how long observe may work. The host does not wait for it, but
// it should not outlive its session either.
const observeLimit = 20 * time.Second

// Run notes what happened after a prompt: a skill was loaded, typed or read, an agent was
// run, a session started or was compacted, skills changed. refresh starts a background
// refresh for the session in a folder. Run prints nothing (SessionStart output would
// become context) and returns the exit status, which is always 0.
func Run(p *hot.Process, refresh func(cwd string, flags ...string)) int {
	defer func() { _ = recover() }() // whatever broke, the session goes on
	if p.Exit != nil {
		time.AfterFunc(observeLimit, func() { p.Exit(0) })
	}
	in, readErr := hooks.Read(p.Stdin, p.Host) // what came before an error is used
	d, err := dirs.FromEnv(p.Getenv, hooks.Places)
	if err != nil || readErr != nil && in.Event == "" {
		return 0
	}
	cwd := p.Cwd
	if filepath.IsAbs(in.Cwd) {
		cwd = in.Cwd
	}
	s, _ := gate.Load(d, cwd, p.Environ) // the hook logs what is wrong with them
	if s.Disabled {
		return 0
	}
	o := observer{Process: p, dirs: d, settings: s, in: in, cwd: cwd,
		refresh: func(flags ...string) { refresh(cwd, flags...) }}
	o.note()
	if in.Event != "Stop" { // the host waits for it
		o.fold()
	}
	return 0
}

// The host writes its transcript in the background, up to a tenth of a second after the turn has
// ended, on a busy machine more. Stop waits for that, 10 ms at first, 1.3 s in all.
const (
	firstWait = 10 * time.Millisecond
	lastWait  = time.Second
)

// observer is one call of `skillgate observe`.
type observer struct {
	*hot.Process
	dirs     dirs.Dirs
	settings gate.Settings
	in       hooks.Input
	cwd      string
	refresh  func(flags ...string)
}

// note writes the record of the event and updates the session's memory.
func (o *observer) note() {
	switch o.in.Event {
	case "PostToolUse", "PostToolUseFailure":
		if use, ok := o.use(); ok {
			o.used(use)
		}
	case "UserPromptExpansion":
		if o.in.CommandName != "" {
			o.used(journal.Outcome{Tool: journal.ToolTyped, Skill: o.in.CommandName, Success: true})
		}
	case "Stop":
		o.ended()
	case "SessionStart":
		switch o.in.Source {
		case "clear":
			o.update((*journal.Session).Reset, o.begin)
		case "compact":
			o.update((*journal.Session).Reset)
		case "resume":
			o.update(o.begin)
		}
		o.append(journal.KindSession, nil, o.in.Source)
		o.refresh()
		if o.settings.Rerank.Enabled {
			h := helper.Helper{Dirs: o.dirs, Settings: o.settings, Getenv: o.Getenv, Now: o.Now}
			_ = h.Start(false) // one that runs already makes the new one leave
		}
	case "ConfigChange":
		o.append(journal.KindConfig, nil, o.in.Source)
		o.refresh()
	}
}

// use says what a tool call used.
func (o *observer) use() (journal.Outcome, bool) {
	u := journal.Outcome{Success: !o.in.ToolFailed && o.in.Event == "PostToolUse", Call: o.in.ToolUseID}
	tools := o.in.Host.Tools
	switch name := o.in.ToolName; {
	case name == "":
	case name == tools.Skill:
		u.Tool, u.Skill = journal.ToolSkill, strings.TrimPrefix(o.in.ToolSkill, "/")
	case tools.Loads(name):
		u.Tool, u.Skill = journal.ToolMCP, o.in.ToolServed
	case slices.Contains(tools.Agents, name):
		u.Tool, u.Skill = journal.ToolAgent, o.in.ToolAgent
	case name == tools.Read:
		if !catalog.IsSkillFile(o.in.ToolFile, o.dirs, o.settings.Libraries) {
			return u, false
		}
		u.Tool, u.Skill, u.Path = journal.ToolRead, filepath.Base(filepath.Dir(o.in.ToolFile)), filepath.Clean(o.in.ToolFile)
	}
	return u, u.Skill != ""
}

// used records an outcome and, where the model now has the skill's text,
// remembers it.
func (o *observer) used(u journal.Outcome) {
	u.Source, u.Agent = o.in.Event, o.in.AgentID
	if by := o.Registration(o.in.Host); by != "" && u.Call == "" {
		u.By = journal.PromptHash(by)[:8] // no path
	}
	if !o.builtIn(u) {
		o.append(journal.KindOutcome, &u, "")
	}
	// An agent works in a context of its own, and so does a subagent's skill.
	if u.Success && u.Tool != journal.ToolAgent && o.in.AgentID == "" {
		_ = journal.UpdateSession(o.dirs.State, o.in.SessionID,
			func(s *journal.Session) { s.Load(u.Skill) }) // losing it costs a repeated description
	}
}

// builtIn reports whether the model used what comes with the host, such as its agent for
// everything: no index has it, so that it is not what a prompt's answer should have named.
// A skill that is not in the index may also be one of a subfolder, which the host loads when
// the model works there, so that where the host's own are known by name, only those count.
// What an index that is not up to date may lack does not count.
func (o *observer) builtIn(u journal.Outcome) (yes bool) {
	if u.Tool != journal.ToolSkill && u.Tool != journal.ToolAgent {
		return false
	}
	if l := o.in.Host.Listing; u.Tool == journal.ToolSkill && l != nil && !l.Comes(u.Skill) {
		return false
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // an index file may be cut while it is mapped
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	g, err := gate.Open(o.dirs, o.cwd, o.settings)
	if err != nil {
		return false
	}
	defer g.Close()
	held, err := g.Holds(func(d index.Doc) bool {
		return d.Flags&index.IsAgent != 0 == (u.Tool == journal.ToolAgent) && journal.SameUse(d.Name, d.Path, u.Skill, "")
	})
	return err == nil && !held && g.StaleState() == ""
}

// ended compares the session's memory with its transcript, now that a turn is over, and
// notes which decisions have found their turn.
func (o *observer) ended() {
	held := transcript.Conversation(o.in.TranscriptPath, o.in.PromptID)
	for wait := firstWait; held.Late && wait < lastWait; wait *= 2 {
		o.Sleep(wait)
		held = transcript.Conversation(o.in.TranscriptPath, o.in.PromptID)
	}
	booked, found, _ := journal.Settle(o.dirs.State, o.in.SessionID, held) // losing it costs what repeats
	if len(found) > 0 {
		o.refresh(hot.Below(found...)...)
	}
	for _, b := range booked {
		r, err := journal.New(journal.KindTurn, o.Now())
		if err != nil {
			return
		}
		r.Session, r.PromptID, r.Transcript, r.Cwd = o.in.SessionID, b.Turn, o.in.TranscriptPath, o.in.Cwd
		r.Skillgate, r.Of, r.Over = build.Read().Version, b.Decision, b.Turn == o.in.PromptID
		_ = journal.Append(o.dirs.State, r) // nobody to tell
	}
}

// update changes the session's memory.
func (o *observer) update(changes ...func(*journal.Session)) {
	_ = journal.UpdateSession(o.dirs.State, o.in.SessionID, func(s *journal.Session) {
		for _, change := range changes {
			change(s)
		}
	}) // nobody to tell
}

// begin forgets what the host no longer knows.
func (o *observer) begin(s *journal.Session) { s.Begin(o.Now()) }

func (o *observer) append(kind journal.Kind, use *journal.Outcome, source string) {
	r, err := journal.New(kind, o.Now())
	if err != nil {
		return
	}
	r.Session, r.PromptID, r.Transcript, r.Cwd = o.in.SessionID, o.in.PromptID, o.in.TranscriptPath, o.in.Cwd
	r.Skillgate = build.Read().Version
	r.Outcome, r.Source = use, source
	_ = journal.Append(o.dirs.State, r) // nobody to tell
}

// fold moves the lines into the database, so that the next `skillgate log` finds
// little to do, and where a session starts learns from them. What fails stays in the lines; doctor and log report it.
func (o *observer) fold() {
	ctx, cancel := context.WithTimeout(context.Background(), observeLimit)
	defer cancel()
	db, err := store.Open(ctx, o.dirs.State)
	if err != nil {
		return
	}
	defer db.Close()
	if _, err := db.Fold(ctx, o.Now(), 0); err == nil && o.in.Event == "SessionStart" {
		_, _ = arms.Settle(ctx, db, o.Now(), nil) // an experiment ends by itself
		if o.settings.Calibrate {
			_, _ = db.Calibrate(ctx, o.dirs, o.Now(), bar.Itself) // stats tells of it
		}
	}
}
