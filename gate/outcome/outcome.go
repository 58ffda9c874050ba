// Package outcome says what came of a prompt, in one place for all commands.
//
// A prompt begins a turn. Its answer names skills or none, and in the turn the model
// uses some. Of a prompt that named something it says one of
//
//	yes      the model used one of the named
//	no       the turn has ended, and it used none of them
//	unknown  the turn may still run, was broken off, or nobody watched it
//
// A turn has ended when the host reported its end; one that was broken off has not. Where
// the host reports none, it has ended when its session went on to another one. It was
// watched when its session was seen to start: that a use was reported would not do, since
// sessions with uses would then count more. For the same reason rates count ended turns
// alone: a use in a turn without a known end is a yes of which no matching no can be told.
//
// What the person typed (/name) is the person's choice and neither a yes nor a miss.
package outcome

import (
	"slices"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

// State is what came of a prompt that named something, or of one of the names.
type State string

// The states. The empty one is that of a prompt that named nothing.
const (
	Followed    State = "yes"
	NotFollowed State = "no"
	Unknown     State = "unknown"
)

// Named is a skill or agent that an answer named.
type Named struct {
	Name string
	Path string // its file
	Pool string // "skill" or "agent"
}

// Turn is what is known of a prompt's turn.
type Turn struct {
	Named []Named           // in order
	Kept  []Named           // held back by an experiment, or loaded before: neither a yes, a no nor a miss
	Uses  []journal.Outcome // what was used in it
	Over  bool              // it was watched and has ended
}

// InjectedBy returns what a decision named, whether the model had loaded it or not.
func InjectedBy(d *gate.Decision) []Named {
	return chosen(d, func(c *gate.Candidate) bool { return c.Injected })
}

// NamedBy returns what a decision named and the model had not loaded.
func NamedBy(d *gate.Decision) []Named {
	return chosen(d, func(c *gate.Candidate) bool { return c.Injected && !c.Loaded })
}

// KeptBack returns what a decision would have named, but for an experiment, and what it named though the model had
// loaded it.
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

// Used returns the skills and agents that the model used with success, each once.
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

// Of returns what came of one of the named.
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

// State returns what came of the prompt, "" where it named nothing.
func (t *Turn) State() State {
	state := State("")
	for _, n := range t.Named {
		if state = t.Of(n); state == Followed {
			break
		}
	}
	return state
}

// Unnamed returns the skills and agents that the model used without their being named.
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

// Typed returns the skills that the person asked for by typing /name.
func (t *Turn) Typed() []string {
	var out []string
	for _, u := range t.Uses {
		if u.Tool == journal.ToolTyped && u.Success && !slices.Contains(out, u.Skill) {
			out = append(out, u.Skill)
		}
	}
	return out
}
