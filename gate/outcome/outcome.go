// Package outcome determines the outcome of prompts, for all commands.
//
// A prompt begins a turn, in which the model may use skills. The outcome of a prompt with suggestions is one of
//
//	yes      the model used a suggested skill
//	no       the turn has finished and the model used no suggested skill
//	unknown  the turn may still run, was interrupted, or was not watched
//
// A turn has finished if the host reported its end and it was not interrupted. If the host does not report ends, a turn
// has finished once its session has another turn. A turn was watched if the host reported the start of its session. A
// reported use does not count as proof of this, because sessions with uses would then count more. For the same reason,
// rates count only finished turns: an unfinished turn can show that a skill was used, but never that none was.
//
// Skills that the user starts by typing /name count neither as followed suggestions nor as misses.
package outcome

import (
	"slices"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

// State is the outcome of a prompt or of a single suggestion.
type State string

// The states. A prompt without suggestions has the state "".
const (
	Followed    State = "yes"
	NotFollowed State = "no"
	Unknown     State = "unknown"
)

// Named is a suggested skill or agent.
type Named struct {
	Name string
	Path string // file of the skill or agent
	Pool string // "skill" or "agent"
}

// Turn holds the known facts about a prompt's turn.
type Turn struct {
	Named []Named           // suggested skills and agents, in order
	Kept  []Named           // withheld by an experiment or already loaded; they have no outcome
	Uses  []journal.Outcome // uses of skills and agents in the turn
	Over  bool              // the turn was watched and has finished
}

// InjectedBy returns the skills and agents that a decision suggests, including those that the session had already
// loaded.
func InjectedBy(d *gate.Decision) []Named {
	return chosen(d, func(c *gate.Candidate) bool { return c.Injected })
}

// NamedBy returns the skills and agents that a decision suggests, except those that the session had already loaded.
func NamedBy(d *gate.Decision) []Named {
	return chosen(d, func(c *gate.Candidate) bool { return c.Injected && !c.Loaded })
}

// KeptBack returns the candidates that an experiment withheld, and the suggestions that the session had already loaded.
func KeptBack(d *gate.Decision) []Named {
	return chosen(d, func(c *gate.Candidate) bool { return c.Kept || c.Injected && c.Loaded })
}

func chosen(d *gate.Decision, is func(*gate.Candidate) bool) []Named {
	var out []Named
	for i := range d.Candidates {
		if c := &d.Candidates[i]; is(c) {
			out = append(out, Named{c.Name, c.Path, c.Pool})
		}
	}
	return out
}

// Used returns the names of the skills and agents that the model used successfully, without duplicates.
func (t *Turn) Used() []string {
	var out []string
	for _, u := range t.used() {
		if !slices.Contains(out, u.Skill) {
			out = append(out, u.Skill)
		}
	}
	return out
}

func (t *Turn) used() []journal.Outcome {
	var out []journal.Outcome
	for _, u := range t.Uses {
		if u.Success && u.Tool != journal.ToolTyped {
			out = append(out, u)
		}
	}
	return out
}

// Of returns the outcome of one suggestion.
func (t *Turn) Of(n Named) State {
	is := func(u journal.Outcome) bool { return journal.SameUse(n.Name, n.Path, u.Skill, u.Path) }
	switch {
	case slices.ContainsFunc(t.used(), is):
		return Followed
	case t.Over:
		return NotFollowed
	}
	return Unknown
}

// State returns the outcome of the prompt, or "" if it had no suggestions.
func (t *Turn) State() State {
	state := State("")
	for _, n := range t.Named {
		if state = t.Of(n); state == Followed {
			break
		}
	}
	return state
}

// Unnamed returns the names of the skills and agents that the model used without a suggestion.
func (t *Turn) Unnamed() []string {
	var out []string
	for _, u := range t.used() {
		named := func(n Named) bool { return journal.SameUse(n.Name, n.Path, u.Skill, u.Path) }
		if !slices.ContainsFunc(t.Named, named) && !slices.ContainsFunc(t.Kept, named) && !slices.Contains(out,
			u.Skill) {
			out = append(out, u.Skill)
		}
	}
	return out
}

// Typed returns the names of the skills that the user started by typing /name.
func (t *Turn) Typed() []string {
	var out []string
	for _, u := range t.Uses {
		if u.Tool == journal.ToolTyped && u.Success && !slices.Contains(out, u.Skill) {
			out = append(out, u.Skill)
		}
	}
	return out
}
