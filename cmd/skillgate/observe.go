package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/hooks"
)

// observeLimit is how long observe may work. The host does not wait for it, but
// it should not outlive its session either.
const observeLimit = 20 * time.Second

// runObserve notes what happened after a prompt: a skill was loaded, typed or
// read, an agent was run, a session started or was compacted, skills changed. It
// prints nothing (SessionStart output would become context) and returns 0, always.
func runObserve(stdin io.Reader, e *env) int {
	defer func() { _ = recover() }() // whatever broke, the session goes on
	if e.exit != nil {
		time.AfterFunc(observeLimit, func() { e.exit(0) })
	}
	in, readErr := hooks.Read(stdin) // what came before an error is used
	d, err := dirs.FromEnv(e.getenv)
	if err != nil || readErr != nil && in.Event == "" {
		return 0
	}
	if filepath.IsAbs(in.Cwd) {
		e.cwd = in.Cwd
	}
	s, _ := gate.Load(d, e.cwd, e.environ) // the hook logs what is wrong with them
	if s.Disabled {
		return 0
	}
	o := observer{env: e, dirs: d, settings: s, in: in}
	o.note()
	o.fold()
	return 0
}

// observer is one call of `skillgate observe`.
type observer struct {
	*env
	dirs     dirs.Dirs
	settings gate.Settings
	in       hooks.Input
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
	case "SessionStart":
		if o.in.Source == "clear" || o.in.Source == "compact" {
			o.forget()
		}
		o.append(journal.KindSession, nil, o.in.Source)
		o.startRefresh()
		if o.settings.Rerank.Enabled {
			_ = o.helper(o.dirs, o.settings).Start(false) // one that runs already makes the new one leave
		}
	case "PostCompact":
		o.forget()
		o.append(journal.KindSession, nil, "compacted")
	case "ConfigChange":
		o.append(journal.KindConfig, nil, o.in.Source)
		o.startRefresh()
	}
}

// use says what a tool call used.
func (o *observer) use() (journal.Outcome, bool) {
	u := journal.Outcome{Success: !o.in.ToolFailed && o.in.Event == "PostToolUse"}
	switch o.in.ToolName {
	case "Skill":
		u.Tool, u.Skill = journal.ToolSkill, strings.TrimPrefix(o.in.ToolSkill, "/")
	case "Task", "Agent":
		u.Tool, u.Skill = journal.ToolAgent, o.in.ToolAgent
	case "Read":
		if !o.skillFile(o.in.ToolFile) {
			return u, false
		}
		u.Tool, u.Skill, u.Path = journal.ToolRead, filepath.Base(filepath.Dir(o.in.ToolFile)), filepath.Clean(o.in.ToolFile)
	}
	return u, u.Skill != ""
}

// skillFile reports whether path is the SKILL.md of a skill that could be used:
// in a library folder, or in a folder called skills, where hosts keep theirs.
func (o *observer) skillFile(path string) bool {
	if !filepath.IsAbs(path) || !strings.EqualFold(filepath.Base(path), "SKILL.md") {
		return false
	}
	path = filepath.Clean(path)
	if filepath.Base(filepath.Dir(filepath.Dir(path))) == "skills" {
		return true
	}
	for _, library := range o.settings.Libraries {
		if rest, ok := strings.CutPrefix(library, "~/"); ok {
			library = filepath.Join(o.dirs.Home, rest)
		}
		if strings.HasPrefix(path, strings.TrimSuffix(filepath.Clean(library), "/")+"/") {
			return true
		}
	}
	return false
}

// used records an outcome and, where the model now has the skill's text,
// remembers it.
func (o *observer) used(u journal.Outcome) {
	u.Source = o.in.Event
	o.append(journal.KindOutcome, &u, "")
	// An agent works in a context of its own, and so does a subagent's skill.
	if u.Success && u.Tool != journal.ToolAgent && o.in.AgentID == "" {
		_ = journal.UpdateSession(o.dirs.State, o.in.SessionID, func(s *journal.Session) { s.Load(u.Skill) }) // losing it costs a repeated description
	}
}

// forget empties the session's memory: the model's context is gone.
func (o *observer) forget() {
	_ = journal.UpdateSession(o.dirs.State, o.in.SessionID, (*journal.Session).Reset) // nobody to tell
}

func (o *observer) append(kind journal.Kind, use *journal.Outcome, source string) {
	r, err := journal.New(kind, o.now())
	if err != nil {
		return
	}
	r.Session, r.PromptID, r.Transcript, r.Cwd = o.in.SessionID, o.in.PromptID, o.in.TranscriptPath, o.in.Cwd
	r.Skillgate = build.Read().Version
	r.Outcome, r.Source = use, source
	_ = journal.Append(o.dirs.State, r) // nobody to tell
}

func (o *observer) startRefresh() {
	if o.refresh != nil {
		o.refresh()
	}
}

// fold moves the lines into the database, so that the next `skillgate log` finds
// little to do. What fails stays in the lines; doctor and log report it.
func (o *observer) fold() {
	ctx, cancel := context.WithTimeout(context.Background(), observeLimit)
	defer cancel()
	db, err := store.Open(ctx, o.dirs.State)
	if err != nil {
		return
	}
	defer db.Close()
	_, _ = db.Fold(ctx, o.now(), 0)
}
