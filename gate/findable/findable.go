// Package findable finds the rank of a skill for requests that are meant for it.
//
// The ranking that answers prompts searches for the skill's own requests: its trigger phrases and the clauses of its
// description. Each is removed from the skill's text before its place is counted, so that a skill is not found by a
// copy of its own text. Requests without an informative word besides the skill's name ("use when the user asks to run
// NAME", "just in case") are left out. Prompts from the author's trigger file or the user's log, and requests that a
// model wrote for the skill, are searched for without removing anything, since they are not in its text.
//
// A Retriever may be shared. A Prober must not be used by several goroutines at once.
package findable

import (
	"context"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Asking holds the requests of one skill and the answers so far.
type Asking struct {
	t    *text
	list []Request
}

// Ask lists a skill's requests: its own, the given and the written ones. It takes at most `most` triggers and at most
// `most` clauses. Triggers in searched, for which the caller searches anyway, come first.
func (p *Prober) Ask(e *catalog.Entry, given, written []string, most int, searched []string) *Asking {
	t := p.text(e)
	var shared, other []string
	for _, trigger := range t.triggers {
		if slices.Contains(searched, trigger) {
			shared = append(shared, trigger)
		} else {
			other = append(other, trigger)
		}
	}
	shared = Spread(shared, most)
	return &Asking{t, slices.Concat(t.requests(Trigger, shared), t.requests(Trigger, Spread(other, most-len(shared))),
		t.requests(Clause, Spread(t.clauses, most)), t.requests(Given, given), t.requests(Written, written))}
}

// Answer sets the place of the request with the given text, if there is one. The prober's last search must have been
// for that text.
func (a *Asking) Answer(text string) {
	for i := range a.list {
		if r := &a.list[i]; r.Text == text {
			a.t.place(r)
		}
	}
}

// Places searches for the skill with the requests that have no answer yet and returns all requests.
func (a *Asking) Places(ctx context.Context) ([]Request, error) {
	for i := range a.list {
		if r := &a.list[i]; r.Place == 0 {
			if err := a.t.ask(ctx, r); err != nil {
				return nil, err
			}
		}
	}
	return a.list, nil
}

const marginMost = 1.5

// Margin is the logarithm of own / rival, at most 1.5 either way.
func Margin(own, rival float64) float64 {
	if own == 0 {
		return -marginMost
	}
	return max(-marginMost, min(marginMost, math.Log(max(own, 1e-6)/max(rival, 1e-6))))
}
