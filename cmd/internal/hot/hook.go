package hot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/triage"
)

// Hook answers a prompt: it reads the host's JSON, logs its decision, and prints the host's answer or nothing.
// It returns the exit status, which is always 0.
func Hook(p *Process) int {
	defer Leave(p.Stdin)
	h := &hook{Process: p, start: p.Now(), settings: gate.Preset(p.Environ)}
	var err error
	h.dirs, err = dirs.FromEnv(h.Getenv, hooks.Places)
	if p.Exit != nil {
		k := known{dirs: h.dirs, settings: h.settings, start: h.start}
		k.settings.Log.Prompts = journal.None // until the user's setting is known
		h.watch = newWatchdog(hooks.InputLimit, k, p.Exit)
	}
	// The index's files are mapped. If one is truncated, reading it causes a fault, which becomes a panic.
	debug.SetPanicOnFault(true)
	debug.SetGCPercent(800) // the process lives for milliseconds
	system.FailWrites(true)
	defer h.recover()
	h.run(err)
	return 0
}

const maxPath = 4096 // bytes; the system's limit

type hook struct {
	*Process
	start    time.Time // when the first byte of the input arrived
	watch    *watchdog // nil if the process must not be ended
	dirs     dirs.Dirs
	settings gate.Settings
	in       hooks.Input
	folder   string        // folder of the session
	below    []string      // skill folders that the session has discovered
	decision gate.Decision // the decision so far, logged after a panic
	logged   bool
}

func (h *hook) recover() {
	r := recover()
	if r == nil {
		return
	}
	defer func() { _ = recover() }() // a second fault while the first is logged
	h.watch.settle()
	if !h.logged {
		d := h.decision
		d.Verdict, d.Reason, d.Need, d.Candidates, d.Context, d.Chars = gate.Error, "", 0, []gate.Candidate{}, "", 0
		d.Notes = append(d.Notes, fmt.Sprintf("panic: %v", r))
		d.Ms.Total = float64(h.Now().Sub(h.start).Microseconds()) / 1000
		h.log(d, nil, "")
	}
	if h.dirs.Cache != "" {
		_ = rebuildDamaged(h.Now(), h.dirs, h.folder, Below(h.below...)...) // the next prompt tries again
	}
}

func (h *hook) run(err error) {
	var readErr error
	h.in, readErr = hooks.Read(&input{hook: h}, h.Host)
	if err != nil {
		return // without folders there is nothing to do
	}
	h.watch.tell(func(k *known) { k.in, k.read = h.in, true })
	cwd := h.began(&h.in)
	h.folder = cwd
	var notes []string
	note := func(err error) {
		if err != nil {
			notes = append(notes, err.Error())
		}
	}
	note(readErr)
	if h.in.NoPrompt {
		notes = append(notes, hooks.OtherFormat)
	}
	h.settings, err = gate.Load(h.dirs, cwd, h.Environ)
	note(err)
	h.watch.setLimit(h.start, h.settings.Limit()+slack)
	task := h.in.IsTask()
	if task && (!h.settings.Subagents || gate.HasReply(h.in.ToolTask)) {
		h.watch.settle()
		return
	}
	if !h.in.IsPrompt() && !task {
		h.watch.settle()
		note(fmt.Errorf("event %q %s", h.in.Event, hooks.NotAPrompt))
		h.log(gate.Decision{Verdict: gate.Error, Candidates: []gate.Candidate{}, Notes: notes}, nil, "")
		return
	}
	ctx, cancel := context.WithDeadline(context.Background(),
		h.start.Add(time.Duration(h.settings.DeadlineMs)*time.Millisecond))
	defer cancel()

	text := secret.Redact(h.in.Prompt)
	if task {
		text = secret.Redact(h.in.ToolTask)
		h.settings.AgentsK = 0 // the agent for the task is already chosen
	}
	h.watch.tell(func(k *known) { k.settings, k.prompt = h.settings, text })
	h.decision.Prompt, h.decision.Notes = text, notes
	prompt := triage.Classify(text)
	h.decision.Lang = prompt.Lang
	session, err := journal.LoadSession(h.dirs.State, h.in.SessionID)
	note(err)
	for _, f := range session.Subfolders {
		if filepath.IsAbs(f.Path) {
			h.below = append(h.below, f.Path)
		}
	}
	if task { // a subagent has the session's skills but no memory
		session = journal.Session{Subfolders: session.Subfolders}
	}
	d := gate.Decision{Prompt: prompt.Text, Lang: prompt.Lang, Candidates: []gate.Candidate{}}
	var g *gate.Gate
	switch {
	case h.settings.Disabled:
		d.Verdict, d.Reason = gate.Skip, gate.Disabled
	case prompt.Kind != triage.Search:
		d.Verdict, d.Reason = gate.Skip, gate.SkipReason(prompt.Kind)
	case session.Repeats(prompt, h.turn()):
		d.Verdict, d.Reason = gate.Skip, gate.Repeat
	default:
		g, err = gate.Open(h.dirs, cwd, h.settings, session.Subfolders...)
		if err != nil {
			d.Verdict = gate.Error
			if errors.Is(err, index.ErrNoIndex) || errors.Is(err, index.ErrStale) || errors.Is(err, index.ErrNoRisks) {
				d.Reason = gate.NoIndex
			}
			break
		}
		if h.settings.Rerank.Enabled {
			g.Reranker = h.helper().Config().Client()
		}
		request := session.Request(prompt)
		if host := h.in.Host; host != nil {
			request.ByPath = host.ByPath
			request.Sole = host.ShortVar != "" && h.Getenv(host.ShortVar) == "true"
		}
		d = g.Decide(ctx, request)
		if !task { // experiments leave out subagents, because skills that they use are not counted
			note(h.try(&d, text))
		}
	}
	d.Prompt = text // the whole prompt, because replay repeats triage
	h.watch.settle()
	id, memorable := journal.NewID(h.start), !task
	if !task && d.Verdict != gate.Error && d.Reason != gate.Deadline &&
		!session.Claim(h.dirs.State, h.in.SessionID, prompt, h.turn(), id) {
		memorable = false
		d = gate.Decision{Prompt: d.Prompt, Lang: d.Lang, Verdict: gate.Skip, Reason: gate.Repeat,
			Candidates: []gate.Candidate{}}
	}
	d.Notes = append(d.Notes, notes...)
	if g != nil {
		d.Notes = append(d.Notes, g.Notes...)
	}
	answer, err := hooks.Answer(h.in, d.Context)
	if err != nil {
		d.Notes = append(d.Notes, err.Error())
	}
	if notice := h.notice(&d, memorable && session.LastTurn.At.IsZero()); notice != "" {
		answer = hooks.Notice(h.in, answer, notice)
	}
	d.Ms.Total = float64(h.Now().Sub(h.start).Microseconds()) / 1000
	h.log(d, g, id)
	if len(answer) > 0 {
		_, _ = h.Stdout.Write(answer) // an error means that the host is gone
	}
	if memorable {
		h.remember(prompt, d, id)
	}
	switch {
	case g == nil:
	case d.Verdict == gate.Error && d.Reason == "" && len(g.Missing) == 0:
		_ = rebuildDamaged(h.Now(), h.dirs, cwd, Below(h.below...)...) // the next prompt tries again
	default:
		_ = refreshIfStale(h.Now(), g, h.dirs, cwd, Below(h.below...)...)
	}
	if g != nil && g.NoHelper {
		_ = h.helper().Start(false) // if it fails, the notes of the next decision say why
	}
}

// input reads standard input. The time limit of the settings starts with the first byte.
type input struct {
	hook  *hook
	begun bool
	slow  bool
}

func (i *input) Read(b []byte) (int, error) {
	h := i.hook
	if i.begun && !i.slow && h.dirs.Cache != "" { // the input comes in parts: use the time limit of the user's settings
		i.slow = true
		s, _ := gate.Load(h.dirs, "", h.Environ)
		h.watch.setLimit(h.start, s.Limit())
	}
	n, err := h.Stdin.Read(b)
	if n > 0 && !i.begun {
		i.begun = true
		h.start = h.Now()
		h.watch.setLimit(h.start, h.settings.Limit())
	}
	return n, err
}

func (h *hook) try(d *gate.Decision, text string) error {
	if d.Verdict != gate.Inject {
		return nil
	}
	plan, err := experiment.Load(h.dirs.State)
	if plan != nil {
		plan.Assign(d, h.in.SessionID, cmp.Or(h.in.PromptID, text), h.start.UTC())
	}
	return err
}

func (h *hook) helper() rerank.Helper {
	return rerank.Helper{Dirs: h.dirs, Settings: h.settings.Rerank, Getenv: h.Getenv, Now: h.Now}
}

// remember stores the prompt and its answer in the session. If it fails, a skill may be suggested twice.
func (h *hook) remember(prompt triage.Prompt, d gate.Decision, id string) {
	_ = journal.UpdateSession(h.dirs.State, h.in.SessionID, func(s *journal.Session) {
		s.Answered(prompt, h.turn(), d, id)
	})
}

func (h *hook) turn() journal.Turn {
	return journal.Turn{ID: h.in.PromptID, At: h.start.UTC(), By: h.Registration(h.in.Host)}
}

func (h *hook) log(d gate.Decision, g *gate.Gate, id string) {
	logDecision(h.start, h.dirs, h.in, d, g, h.settings, id)
	h.logged = true
}

// logDecision appends a decision to the journal. Errors are ignored, since the answer matters more.
func logDecision(start time.Time, places dirs.Dirs, in hooks.Input, d gate.Decision, g *gate.Gate, s gate.Settings,
	id string) {
	if places.State == "" {
		return
	}
	r := journal.Decided(start, build.Read().Version, d, g, s)
	r.ID = cmp.Or(id, r.ID)
	r.Session, r.PromptID, r.Transcript, r.Cwd = in.SessionID, in.PromptID, in.TranscriptPath, in.Cwd
	if in.IsTask() {
		r.Source, r.Call = journal.SourceAgent, in.ToolUseID
	}
	_ = journal.Append(places.State, r)
}
