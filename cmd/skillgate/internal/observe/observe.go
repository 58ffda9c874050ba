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
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/hooks/plugin"
	"github.com/skillgate/skillgate/hooks/transcript"
)

// observeLimit is how long observe may work. The host does not wait for it, but
// it should not outlive its session either.
const observeLimit = 20 * time.Second

// Run notes what happened after a prompt: a skill was loaded, typed or read, an agent was
// run, a session began or was compacted, skills changed. refresh starts a background
// refresh for the session in a folder. Run prints nothing (SessionStart output would
// become context) and returns the exit status, which is always 0.
func Run(p *hot.Process, refresh func(cwd string, flags ...string)) int {
	defer hot.Leave(p.Stdin)
	defer func() { _ = recover() }() // whatever broke, the session goes on
	seen, ok := hot.See(p, observeLimit, refresh)
	if !ok {
		return 0
	}
	o := observer{seen}
	o.note()
	if o.In.Event != "Stop" && o.In.Event != hot.Begins { // the host waits for them
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

type observer struct{ hot.Seen }

func (o *observer) note() {
	switch o.In.Event {
	case "PostToolUse", "PostToolUseFailure":
		if use, ok := o.use(); ok {
			o.used(use)
		}
	case "UserPromptExpansion":
		if o.In.CommandName != "" {
			o.used(journal.Outcome{Tool: journal.ToolTyped, Skill: o.In.CommandName, Success: true})
		}
	case "Stop":
		o.ended()
	case hot.Begins:
		o.Begin(false)
	case "ConfigChange":
		o.Append(journal.KindConfig, nil, o.In.Source)
		o.Refresh()
	}
}

func (o *observer) use() (journal.Outcome, bool) {
	u := journal.Outcome{Success: !o.In.ToolFailed && o.In.Event == "PostToolUse", Call: o.In.ToolUseID}
	tools := o.In.Host.Tools
	switch name := o.In.ToolName; {
	case name == "":
	case name == tools.Skill:
		u.Tool, u.Skill = journal.ToolSkill, strings.TrimPrefix(o.In.ToolSkill, "/")
	case tools.Loads(name):
		u.Tool, u.Skill = journal.ToolMCP, o.In.ToolServed
	case slices.Contains(tools.Agents, name):
		u.Tool, u.Skill = journal.ToolAgent, o.In.ToolAgent
	case name == tools.Read:
		if !catalog.IsSkillFile(o.In.ToolFile, o.Dirs, o.Settings.Libraries) {
			return u, false
		}
		u.Tool, u.Skill, u.Path = journal.ToolRead, filepath.Base(filepath.Dir(o.In.ToolFile)), filepath.Clean(o.In.ToolFile)
	}
	return u, u.Skill != ""
}

// used records an outcome and, where the model now has the skill's text,
// remembers it.
func (o *observer) used(u journal.Outcome) {
	u.Source, u.Agent = o.In.Event, o.In.AgentID
	if by := o.Registration(o.In.Host); by != "" && u.Call == "" {
		u.By = journal.PromptHash(by)[:8] // no path
	}
	if !strings.HasPrefix(u.Skill, plugin.Name+":") && !o.builtIn(u) {
		o.Append(journal.KindOutcome, &u, "")
	}
	// An agent works in a context of its own, and so does a subagent's skill.
	if u.Success && u.Tool != journal.ToolAgent && o.In.AgentID == "" {
		_ = journal.UpdateSession(o.Dirs.State, o.In.SessionID,
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
	if l := o.In.Host.Listing; u.Tool == journal.ToolSkill && l != nil && !l.Comes(u.Skill) {
		return false
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // an index file may be cut while it is mapped
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	g, err := gate.Open(o.Dirs, o.Cwd, o.Settings)
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
	held := transcript.Conversation(o.In.TranscriptPath, o.In.PromptID)
	for wait := firstWait; held.Late && wait < lastWait; wait *= 2 {
		o.Sleep(wait)
		held = transcript.Conversation(o.In.TranscriptPath, o.In.PromptID)
	}
	held.Listed, held.Heard = o.listed()
	booked, found, _ := journal.Settle(o.Dirs.State, o.In.SessionID, held) // losing it costs what repeats
	if len(found) > 0 {
		o.Refresh(hot.Below(found...)...)
	}
	note := func(r journal.Record) {
		r.Session, r.Transcript, r.Cwd = o.In.SessionID, o.In.TranscriptPath, o.In.Cwd
		r.Skillgate = build.Read().Version
		_ = journal.Append(o.Dirs.State, r) // nobody to tell
	}
	for _, b := range booked {
		r := journal.New(journal.KindTurn, o.Now())
		r.PromptID, r.Of, r.Over = b.Turn, b.Decision, b.Turn == o.In.PromptID
		note(r)
	}
	for _, call := range held.Declined {
		r := journal.New(journal.KindDeclined, o.Now())
		r.Call = call
		note(r)
	}
}

// fold moves the lines into the database, so that the next `skillgate log` finds
// little to do. What fails stays in the lines; doctor and log report it.
func (o *observer) fold() {
	ctx, cancel := context.WithTimeout(context.Background(), observeLimit)
	defer cancel()
	db, err := store.Open(ctx, o.Dirs.State)
	if err != nil {
		return
	}
	defer db.Close()
	_, _ = db.Fold(ctx, o.Now(), 0)
}
