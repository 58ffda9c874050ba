// Package observe records the uses of skills and other events after a prompt.
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

// observeLimit is the time limit of the command observe, so that it does not outlive its session for long.
const observeLimit = 20 * time.Second

// Run records the event in p: a skill was loaded, typed or read, an agent was run, a session began or was
// compacted, or skills changed. refresh starts a background refresh for a session in cwd. Run prints nothing,
// because output of SessionStart would become context, and always returns 0.
func Run(p *hot.Process, refresh func(cwd string, flags ...string)) int {
	defer hot.Leave(p.Stdin)
	defer func() { _ = recover() }() // the session continues whatever fails
	seen, ok := hot.See(p, observeLimit, refresh)
	if !ok {
		return 0
	}
	o := observer{seen}
	o.note()
	if o.In.Event != "Stop" && o.In.Event != hot.Begins { // the host waits for these events
		o.fold()
	}
	return 0
}

// The host writes its transcript in the background, up to 0.1 s after the turn has ended and later on a busy
// machine. The handler of Stop waits for it, first 10 ms and at most 1.3 s in all.
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

// used records an outcome and, if the model now has the text of the skill, adds it to the session's memory.
func (o *observer) used(u journal.Outcome) {
	u.Source, u.Agent = o.In.Event, o.In.AgentID
	if by := o.Registration(o.In.Host); by != "" && u.Call == "" {
		u.By = journal.PromptHash(by)[:8] // hashed, because it contains a path
	}
	if !strings.HasPrefix(u.Skill, plugin.Name+":") && !o.builtIn(u) {
		o.Append(journal.KindOutcome, &u, "")
	}
	// An agent, or a skill loaded by a subagent, is not in the context of the session.
	if u.Success && u.Tool != journal.ToolAgent && o.In.AgentID == "" {
		_ = journal.UpdateSession(o.Dirs.State, o.In.SessionID,
			func(s *journal.Session) { s.Load(u.Skill) }) // an error costs at most a repeated description
	}
}

// builtIn reports whether the model used a skill or agent that comes with the host and therefore could not have been
// suggested: one that is not in the index. If the index is outdated, builtIn returns false. A skill that is not in the
// index may also belong to a subfolder, so only names that the host is known to use count as built in.
func (o *observer) builtIn(u journal.Outcome) (yes bool) {
	if u.Tool != journal.ToolSkill && u.Tool != journal.ToolAgent {
		return false
	}
	if l := o.In.Host.Listing; u.Tool == journal.ToolSkill && l != nil && !l.Comes(u.Skill) {
		return false
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // an index file may be truncated while it is mapped
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

// ended compares the session's memory with its transcript and logs which decisions belong to the turn that has ended.
func (o *observer) ended() {
	held := transcript.Conversation(o.In.TranscriptPath, o.In.PromptID)
	for wait := firstWait; held.Late && wait < lastWait; wait *= 2 {
		o.Sleep(wait)
		held = transcript.Conversation(o.In.TranscriptPath, o.In.PromptID)
	}
	held.Listed, held.Heard = o.listed()
	booked, found, _ := journal.Settle(o.Dirs.State, o.In.SessionID, held) // an error costs at most repeated descriptions
	if len(found) > 0 {
		o.Refresh(hot.Below(found...)...)
	}
	note := func(r journal.Record) {
		r.Session, r.Transcript, r.Cwd = o.In.SessionID, o.In.TranscriptPath, o.In.Cwd
		r.Skillgate = build.Read().Version
		_ = journal.Append(o.Dirs.State, r) // an error cannot be reported to anyone
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

// fold moves journal lines into the database, so that the next `skillgate log` is quick. After an error the
// lines stay, and doctor and log report it.
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
