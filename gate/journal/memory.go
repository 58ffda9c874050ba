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
	maxNames   = 400 // names kept in each list; the oldest go first
	maxAnswers = 8   // answers kept; what older ones said is settled
)

// Session is what is remembered of one session. The zero value is a session that
// has just begun.
type Session struct {
	Watched    bool     `json:"watched,omitempty"`     // the ends of its turns are reported, see Settle
	LastPrompt string   `json:"last_prompt,omitempty"` // PromptHash of the previous prompt
	LastTurn   Turn     `json:"last_turn,omitzero"`    // where it came
	Answers    []Answer `json:"answers,omitempty"`     // the latest, oldest first
	Described  []string `json:"described,omitempty"`   // skills whose description the model was shown
	Named      []string `json:"named,omitempty"`       // skills whose name it was shown
	Chars      int      `json:"chars,omitempty"`       // of answers no longer kept that it was given, in UTF-16 units
	Loaded     []string `json:"loaded,omitempty"`      // skills the model has loaded

	// Subfolders are folders of skills that the host has come upon since it began the session, or
	// went on with it after an exit, at Begun; by then it knows none. The first maxSubfolders are kept.
	Subfolders []gate.Subfolder `json:"subfolders,omitempty"`
	Begun      time.Time        `json:"begun,omitzero"`
	Heard      int64            `json:"heard,omitempty"` // bytes of the transcript whose listings of skills are known

	// Waited is when an observer that the host waited for last reported that the session goes on anew.
	Waited time.Time `json:"waited,omitzero"`
}

// Answer is what a prompt was answered. Whether the model was given that is another matter:
// the prompt may have been queued and deleted, or called back before the model spoke.
type Answer struct {
	ID     string   `json:"id"`              // of the decision's record
	Asked  string   `json:"asked,omitempty"` // the host's id of the turn in which it was asked
	Prompt string   `json:"prompt"`          // short PromptHash
	Text   string   `json:"text,omitempty"`  // short PromptHash of the context, "" for none
	Names  []string `json:"names,omitempty"` // that the context has
	Brief  bool     `json:"brief,omitempty"` // it has names alone
	Chars  int      `json:"chars,omitempty"`
	Known  bool     `json:"known,omitempty"`  // the model has it
	Missed bool     `json:"missed,omitempty"` // the conversation does not hold it
	Turn   string   `json:"turn,omitempty"`   // the host's id of the turn that answers it, once known
}

// Turn is when a prompt came, and in which turn of the host: its prompt id, "" where the
// host has none. A prompt that is typed while the model works has the id of the turn
// that runs, and waits; until then it can be called back, changed or removed.
type Turn struct {
	ID string    `json:"id,omitempty"`
	At time.Time `json:"at"`
	By string    `json:"-"` // the registration that was asked, where the host asks each once about a prompt
}

// Reset forgets everything but which decisions have no turn yet: the model's context was
// cleared or compacted. What the host has come upon stays, see Begin.
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

// Begin remembers that the host began the session, or went on with it, at a time: it has come upon
// no subfolder then.
func (s *Session) Begin(at time.Time) { s.Subfolders, s.Begun = nil, at }

// Describe remembers that the descriptions of names were shown.
func (s *Session) Describe(names ...string) { s.Described = remember(s.Described, names) }

// Load remembers that names were loaded.
func (s *Session) Load(names ...string) { s.Loaded = remember(s.Loaded, names) }

// Knows reports whether name was described or loaded.
func (s *Session) Knows(name string) bool {
	return slices.Contains(s.Described, name) || s.hasLoaded(name)
}

func (s *Session) hasLoaded(name string) bool {
	return slices.ContainsFunc(s.Loaded, func(l string) bool { return SameSkill(name, l) })
}

// Repeats reports whether a prompt is the session's previous one once more, and the model
// has what that one was given.
func (s *Session) Repeats(prompt triage.Prompt, t Turn) bool {
	n := len(s.Answers)
	return s.LastPrompt == PromptHash(prompt.Text) && !s.queues(t) && n > 0 && s.Answers[n-1].Known
}

func (s *Session) queues(t Turn) bool { return t.ID != "" && t.ID == s.LastTurn.ID }

// Answered remembers a prompt and what it was answered, by the decision of that id. In a
// session that is watched Settle says whether the model was given it; in another one it is
// taken to have it, unless the prompt was queued. What was answered counts as spent either way,
// until Settle knows better.
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

// short is the beginning of a text's PromptHash, enough to tell a session's texts apart.
func short(text string) string { return PromptHash(text)[:16] }

// Request is what the gate is told about the session with a prompt.
func (s *Session) Request(prompt triage.Prompt) gate.Request {
	return gate.Request{
		Prompt: prompt, Known: s.Knows, Spent: s.spent(),
		Loaded: func(name string) bool { return slices.Contains(s.Loaded, name) }, // surely this one
		Named:  func(name string) bool { return slices.Contains(s.Named, name) },
	}
}

// Decide answers the session's next prompt and remembers it: what the hook does,
// for those who play a session in memory.
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

// SameSkill reports whether two names mean one skill. The host says
// "plugin:name" in some places and "name" in others.
func SameSkill(a, b string) bool {
	if a == b {
		return a != ""
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, ':')+1:] }
	return (!strings.Contains(a, ":") || !strings.Contains(b, ":")) && last(a) == last(b) && last(a) != ""
}

// SameUse reports whether a candidate (its name and file) is what was used: by
// name, by the name of its folder, which the host takes as well, or by the file
// that was read ("" where none was).
func SameUse(name, file, skill, path string) bool {
	if path != "" && file != "" && filepath.Clean(path) == filepath.Clean(file) {
		return true
	}
	if SameSkill(name, skill) {
		return true
	}
	if strings.Contains(name, ":") && strings.Contains(skill, ":") {
		return false // both are whole names: of two plugins, or of two folders
	}
	return file != "" && filepath.Base(file) == "SKILL.md" && SameSkill(filepath.Base(filepath.Dir(file)), skill)
}
