// Package replay runs past prompts through a changed gate and says which decisions change, and why.
//
//	source ─ Prompt ─ Side A, Side B ─ Result (change, cause) ─ Summary
//
// A Source yields prompts one after another: from the journal, an export or the host's transcripts. A Side answers a
// prompt, either with the logged decision or by deciding again over given indexes and settings. Run asks both sides on
// all processors and passes on the results in the order of the prompts, so equal inputs give equal output.
//
// Package outcome defines the outcome of a prompt. The skill that a prompt needed is known only if one was used in its
// turn, and uses depend on the hint that was given at the time: a side that names other skills is measured by what the
// model did without its hint.
//
// Nothing here writes to the journal, the indexes or the transcripts.
package replay

import (
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Prompt is one past prompt and everything known about it.
type Prompt struct {
	Source   string    `json:"source"` // journal, export or transcript
	ID       string    `json:"id"`     // id of the decision or of the transcript's line
	Time     time.Time `json:"time"`
	Session  string    `json:"session,omitempty"`
	PromptID string    `json:"prompt_id,omitempty"` // the host's id of the turn
	Cwd      string    `json:"cwd,omitempty"`
	Client   string    `json:"client,omitempty"` // version of the host

	Text   string   `json:"text,omitempty"` // redacted
	Terms  []string `json:"terms,omitempty"`
	Level  string   `json:"level,omitempty"` // privacy level, see package journal; Full if Text is set
	Cut    bool     `json:"cut,omitempty"`   // Text is only the beginning of the prompt
	Repeat bool     `json:"repeat,omitempty"`
	Lang   string   `json:"lang,omitempty"`

	Recorded  *gate.Decision `json:"-"` // logged decision, or nil
	Settings  string         `json:"-"` // fingerprint of the settings of the logged decision
	Skillgate string         `json:"-"`

	Uses []journal.Outcome `json:"uses,omitempty"`
	Over bool              `json:"over,omitempty"` // the turn was observed and has ended
}

// Form says how well a prompt can be replayed.
type Form string

const (
	Exact       Form = "exact"       // the whole text is known
	Approximate Form = "approximate" // only the terms or the start of the text are known
	Impossible  Form = "impossible"  // only the hash or nothing is known
)

// Form returns how well p can be replayed.
func (p *Prompt) Form() Form {
	switch {
	case p.Text != "" && !p.Cut:
		return Exact
	case p.Text != "" || len(p.Terms) > 0 || p.Level == journal.Terms:
		return Approximate
	case p.Recorded != nil && p.Level == journal.Full:
		return Exact // an empty prompt
	}
	return Impossible
}

// Turn returns the turn of p as if d had been its decision.
func (p *Prompt) Turn(d *gate.Decision) outcome.Turn {
	return outcome.Turn{Named: outcome.NamedBy(d), Kept: outcome.KeptBack(d), Uses: p.Uses, Over: p.Over}
}

// Used returns the skills that the model used within the turn, as reported by the host. Commands that the user typed
// and agents do not count.
func (p *Prompt) Used() []journal.Outcome {
	var out []journal.Outcome
	for _, u := range p.Uses {
		if u.Success && slices.Contains([]string{journal.ToolSkill, journal.ToolMCP, journal.ToolRead}, u.Tool) {
			out = append(out, u)
		}
	}
	return out
}

// Known reports whether it is known which skill the prompt needed.
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
