// Package findable measures how well a skill is found by requests that are meant for it.
//
// It searches for the skill's trigger phrases and the clauses of its description with the ranking that answers prompts.
// Before the rank for a request is computed, the request is removed from the skill's text, so that the skill is not
// found by a copy of its own text. Requests without an informative word besides the skill's name ("use when the user
// asks to run NAME", "just in case") are left out. Other requests come from the author's trigger file, from the user's
// log, or from a model. They are not in the skill's text, so nothing is removed for them.
//
// Several goroutines may use a Retriever at once, but not a Prober.
package findable

import (
	"context"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Asking holds the requests of one skill and their ranks so far.
type Asking struct {
	t    *text
	list []Request
}

// Ask returns the requests for skill e: given, written, and at most `most` of its triggers and of its clauses. Triggers
// that are also in searched come first, because the caller searches for those anyway.
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

// Answer sets the rank of the request with the given text, if a has it. The prober's last search must have been for it.
func (a *Asking) Answer(text string) {
	for i := range a.list {
		if r := &a.list[i]; r.Text == text {
			a.t.place(r)
		}
	}
}

// Places searches for all requests without a rank and returns all requests.
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

// Margin returns log(own/rival), limited to the range from -1.5 to 1.5.
func Margin(own, rival float64) float64 {
	if own == 0 {
		return -marginMost
	}
	return max(-marginMost, min(marginMost, math.Log(max(own, 1e-6)/max(rival, 1e-6))))
}
