package journal

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/triage"
)

const (
	maxNames   = 400 // maximum number of names in each list; the oldest are dropped
	maxAnswers = 8   // maximum number of answers; the oldest are dropped
)

// Session is the memory of one session. The zero value is a new session.
type Session struct {
	Watched    bool     `json:"watched,omitempty"`     // the host reports the end of each turn; see Settle
	LastPrompt string   `json:"last_prompt,omitempty"` // PromptHash of the previous prompt
	LastTurn   Turn     `json:"last_turn,omitzero"`    // turn of the previous prompt
	Answers    []Answer `json:"answers,omitempty"`     // the newest maxAnswers, oldest first
	Described  []string `json:"described,omitempty"`   // skills whose descriptions the model was shown
	Named      []string `json:"named,omitempty"`       // skills whose names the model was shown
	Chars      int      `json:"chars,omitempty"`       // total UTF-16 length of dropped answers that were not Missed
	Loaded     []string `json:"loaded,omitempty"`      // skills that the model has loaded

	// Subfolders are folders of skills that the host has discovered since Begun, the time at which it began or resumed
	// the session. At most maxSubfolders are kept.
	Subfolders []gate.Subfolder `json:"subfolders,omitempty"`
	Begun      time.Time        `json:"begun,omitzero"`
	Heard      int64            `json:"heard,omitempty"` // transcript bytes already searched for skill listings

	// Waited is the time of the last resume, clear or compaction that was reported by an observer the host waits for.
	Waited time.Time `json:"waited,omitzero"`
}

// Answer is the gate's answer to one prompt. Known and Missed say whether the model received it: the prompt may have
// been queued and deleted, or called back before the model replied.
type Answer struct {
	ID     string   `json:"id"`              // id of the decision's record
	Asked  string   `json:"asked,omitempty"` // the host's id of the turn in which the prompt was sent
	Prompt string   `json:"prompt"`          // short PromptHash
	Text   string   `json:"text,omitempty"`  // short PromptHash of the context, or ""
	Names  []string `json:"names,omitempty"` // names of the skills in the context
	Brief  bool     `json:"brief,omitempty"` // the context has names but no descriptions
	Chars  int      `json:"chars,omitempty"`
	Known  bool     `json:"known,omitempty"`  // the model received the context
	Missed bool     `json:"missed,omitempty"` // the conversation does not contain the context
	Turn   string   `json:"turn,omitempty"`   // the host's id of the turn that answers the prompt, "" if not known yet
}

// Turn says when and in which turn a prompt was sent. ID is "" if the host has no turn ids. A prompt typed while the
// model works gets the id of the running turn and is queued; until it is answered, the user can call it back or delete
// it.
type Turn struct {
	ID string    `json:"id,omitempty"`
	At time.Time `json:"at"`
	By string    `json:"-"` // hook registration that was called; "" if the host may call it several times per prompt
}

// Reset forgets which skills the model has seen or loaded, because the host has cleared or compacted the conversation.
// It keeps the subfolders and the answers whose turn is not known yet.
func (s *Session) Reset() {
	kept := Session{Watched: s.Watched, Subfolders: s.Subfolders, Begun: s.Begun, Heard: s.Heard}
	for _, a := range s.Answers {
		if a.Turn == "" {
			a.Known, a.Missed, a.Text, a.Names, a.Chars = false, false, "", nil, 0
			kept.Answers = append(kept.Answers, a)
		}
	}
	*s = kept
}

// Begin records that the host began or resumed the session at the given time and has discovered no subfolders yet.
func (s *Session) Begin(at time.Time) { s.Subfolders, s.Begun = nil, at }

// Describe records that the model was shown the descriptions of names.
func (s *Session) Describe(names ...string) { s.Described = remember(s.Described, names) }

// Load records that the model loaded names.
func (s *Session) Load(names ...string) { s.Loaded = remember(s.Loaded, names) }

// Knows reports whether the model was shown the description of name or has loaded it.
func (s *Session) Knows(name string) bool {
	return slices.Contains(s.Described, name) || s.hasLoaded(name)
}

func (s *Session) hasLoaded(name string) bool {
	return slices.ContainsFunc(s.Loaded, func(l string) bool { return SameSkill(name, l) })
}

// Repeats reports whether a prompt equals the previous one, was not queued, and the model received the last answer.
func (s *Session) Repeats(prompt triage.Prompt, t Turn) bool {
	n := len(s.Answers)
	return s.LastPrompt == PromptHash(prompt.Text) && !s.queues(t) && n > 0 && s.Answers[n-1].Known
}

func (s *Session) queues(t Turn) bool { return t.ID != "" && t.ID == s.LastTurn.ID }

// Answered records that decision id answered a prompt. In a watched session, Settle later finds out whether the model
// received the answer. In any other session it is assumed to have received it unless the prompt was queued. The
// answer's length counts against the session's limit until Settle finds that it was not received.
func (s *Session) Answered(prompt triage.Prompt, t Turn, d gate.Decision, id string) {
	queued := s.queues(t)
	s.LastTurn = t
	if prompt.Kind == triage.Machine || d.Verdict == gate.Error {
		return
	}
	s.LastPrompt = PromptHash(prompt.Text)
	a := Answer{ID: id, Asked: t.ID, Prompt: short(prompt.Text), Brief: d.Brief || d.Lean, Chars: d.Chars}
	if d.Context != "" {
		a.Text = short(d.Context)
	}
	for _, c := range d.Candidates {
		if c.Injected {
			a.Names = append(a.Names, c.Name)
		}
	}
	a.Known = !queued && (!s.Watched || a.Text == "")
	s.Answers = append(s.Answers, a)
	for ; len(s.Answers) > maxAnswers; s.Answers = s.Answers[1:] {
		s.Chars += s.Answers[0].spent()
	}
	if a.Known {
		s.know(a)
	}
}

func (a Answer) spent() int {
	if a.Missed {
		return 0
	}
	return a.Chars
}

func (s *Session) spent() int {
	n := s.Chars
	for _, a := range s.Answers {
		n += a.spent()
	}
	return n
}

func (s *Session) know(a Answer) {
	if a.Brief {
		s.Named = remember(s.Named, a.Names)
	} else {
		s.Describe(a.Names...)
	}
}

// short returns the first 16 digits of text's PromptHash, enough to distinguish the texts of a session.
func short(text string) string { return PromptHash(text)[:16] }

// Request returns the gate's request for a prompt of the session.
func (s *Session) Request(prompt triage.Prompt) gate.Request {
	return gate.Request{
		Prompt: prompt, Known: s.Knows, Spent: s.spent(),
		Loaded: func(name string) bool { return slices.Contains(s.Loaded, name) }, // exact match, unlike SameSkill
		Named:  func(name string) bool { return slices.Contains(s.Named, name) },
	}
}

// Decide answers the session's next prompt and records the answer, for callers that simulate a session in memory.
func (s *Session) Decide(ctx context.Context, g *gate.Gate, prompt triage.Prompt, k int) gate.Decision {
	d := gate.Decision{Prompt: prompt.Text, Lang: prompt.Lang, Verdict: gate.Skip, Reason: gate.Repeat}
	if prompt.Kind != triage.Search || !s.Repeats(prompt, Turn{}) {
		req := s.Request(prompt)
		req.K = k
		d = g.Decide(ctx, req)
	}
	s.Answered(prompt, Turn{}, d, "")
	return d
}

func remember(list, names []string) []string {
	for _, n := range names {
		if n != "" && len(n) < 256 && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list[max(0, len(list)-maxNames):]
}

// SameSkill reports whether two names refer to the same skill. The host writes "plugin:name" in some places and "name"
// in others.
func SameSkill(a, b string) bool {
	if a == b {
		return a != ""
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, ':')+1:] }
	return (!strings.Contains(a, ":") || !strings.Contains(b, ":")) && last(a) == last(b) && last(a) != ""
}

// SameUse reports whether a candidate, given by its name and file, is the used skill. It compares the names, the name
// of the candidate's folder, which the host accepts too, and the path that was read ("" if none was).
func SameUse(name, file, skill, path string) bool {
	if path != "" && file != "" && filepath.Clean(path) == filepath.Clean(file) {
		return true
	}
	if SameSkill(name, skill) {
		return true
	}
	if strings.Contains(name, ":") && strings.Contains(skill, ":") {
		return false // both are full names, of different plugins or folders
	}
	return file != "" && filepath.Base(file) == "SKILL.md" && SameSkill(filepath.Base(filepath.Dir(file)), skill)
}
