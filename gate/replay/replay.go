// Package replay runs past prompts through a changed gate and reports which decisions change, and why.
//
//	source ─ Prompt ─ Side A, Side B ─ Result (change, cause) ─ Summary
//
// A Source yields prompts from the journal, an export or the host's transcripts. A Side decides a prompt, either as
// logged or again with given indexes and settings. Run decides each prompt on both sides, using all processors, and
// passes on the results in the order of the prompts, so that equal inputs give equal output.
//
// Package outcome defines the outcome of a prompt. The skill that a prompt needed is known only if the model used a
// skill in that turn, which depended on the suggestion at the time. So if a side suggests other skills, its measures
// show only whether they were used without being suggested.
//
// The package does not write to the journal, the indexes or the transcripts.
package replay

import (
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Prompt is one past prompt with everything that is known about it.
type Prompt struct {
	Source   string    `json:"source"` // journal, export or transcript
	ID       string    `json:"id"`     // ID of the decision or of the transcript line
	Time     time.Time `json:"time"`
	Session  string    `json:"session,omitempty"`
	PromptID string    `json:"prompt_id,omitempty"` // the host's ID of the turn
	Cwd      string    `json:"cwd,omitempty"`
	Client   string    `json:"client,omitempty"` // version of Claude Code or of another host

	Text   string   `json:"text,omitempty"` // redacted text of the prompt
	Terms  []string `json:"terms,omitempty"`
	Level  string   `json:"level,omitempty"` // privacy level of the log (see package journal); Full if Text is set
	Cut    bool     `json:"cut,omitempty"`   // Text is only the start of the prompt
	Repeat bool     `json:"repeat,omitempty"`
	Lang   string   `json:"lang,omitempty"`

	Recorded  *gate.Decision `json:"-"` // logged decision or nil
	Settings  string         `json:"-"` // fingerprint of the settings of the logged decision
	Skillgate string         `json:"-"`

	Uses []journal.Outcome `json:"uses,omitempty"`
	Over bool              `json:"over,omitempty"` // the turn was watched and has finished
}

// Form says how completely a prompt can be replayed.
type Form string

const (
	Exact       Form = "exact"       // the whole text is known
	Approximate Form = "approximate" // only the terms or the start of the text are known
	Impossible  Form = "impossible"  // at most the hash of the text is known
)

// Form returns how completely p can be replayed.
func (p *Prompt) Form() Form {
	switch {
	case p.Text != "" && !p.Cut:
		return Exact
	case p.Text != "" || len(p.Terms) > 0 || p.Level == journal.Terms:
		return Approximate
	case p.Recorded != nil && p.Level == journal.Full:
		return Exact // the logged text is empty
	}
	return Impossible
}

// Turn returns p's turn as if its decision had been d.
func (p *Prompt) Turn(d *gate.Decision) outcome.Turn {
	return outcome.Turn{Named: outcome.NamedBy(d), Kept: outcome.KeptBack(d), Uses: p.Uses, Over: p.Over}
}

// Used returns the skills that the model used successfully in p's turn, as the host reported. It leaves out agents and
// commands that the user typed.
func (p *Prompt) Used() []journal.Outcome {
	var out []journal.Outcome
	for _, u := range p.Uses {
		if u.Success && slices.Contains([]string{journal.ToolSkill, journal.ToolMCP, journal.ToolRead}, u.Tool) {
			out = append(out, u)
		}
	}
	return out
}

// Known reports whether a skill that the prompt needed is known, because the model used it.
func (p *Prompt) Known() bool { return len(p.Used()) > 0 }

func (p *Prompt) right(c *gate.Candidate) bool {
	for _, u := range p.Used() {
		if journal.SameUse(c.Name, c.Path, u.Skill, u.Path) {
			return true
		}
	}
	return false
}

func fires(d *gate.Decision) bool { return d.Verdict == gate.Inject || d.Verdict == gate.Force }

func named(d *gate.Decision) []*gate.Candidate {
	var out []*gate.Candidate
	for i := range d.Candidates {
		if d.Candidates[i].Injected {
			out = append(out, &d.Candidates[i])
		}
	}
	return out
}
