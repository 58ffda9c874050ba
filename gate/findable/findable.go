// Package findable finds the places that requests give a skill among the others.
//
// A skill is searched for, with the ranking that answers prompts, by its own requests: the trigger phrases it gives
// and the clauses of its description. Each is taken out of the skill's text before its place is counted, so that a
// skill is not found by what was copied from it. Requests without a telling word beside the skill's name ("use when
// the user asks to run NAME", "just in case") are not asked. Prompts known to be meant for the skill (from its
// author's trigger file or the user's log) and requests that a model wrote for it are asked as they are: its text
// does not hold them.
//
// A Retriever may be shared. A Prober must not be used by several goroutines at once.
package findable

import (
	"context"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Asking is the requests of a skill while they are asked.
type Asking struct {
	t    *text
	list []Request
}

// Ask lists a skill's own requests, those given and those written for it. At most most triggers and most clauses are
// asked. Triggers that the caller searches for anyway come first.
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

// Answer gives the request with that text, if there is one, its place in the prober's last search, which was for it.
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
