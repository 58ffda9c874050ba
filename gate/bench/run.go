package bench

import (
	"context"

	"github.com/skillgate/skillgate/gate"
)

// Outcome is a router's answer to one prompt, and its score.
type Outcome struct {
	Set       string             `json:"set"`
	Task      Task               `json:"task"`
	Style     Style              `json:"style,omitempty"`
	ID        string             `json:"id"`
	Query     string             `json:"query"`
	Lang      string             `json:"lang,omitempty"`
	Class     string             `json:"class,omitempty"`
	Kind      string             `json:"kind,omitempty"`
	Direction string             `json:"direction,omitempty"` // of a pair: "original right" or "sibling right"
	Verdict   gate.Verdict       `json:"verdict"`
	Reason    gate.Reason        `json:"reason,omitempty"`
	Need      float64            `json:"need"`
	Labels    []Label            `json:"labels"` // the labelled skills and their places
	Ranked    []Place            `json:"ranked"` // the first k in display order
	Values    map[string]float64 `json:"values"` // the measures that apply, by name
	Ms        float64            `json:"ms"`     // wall time of the decision, milliseconds
}

// Label is one skill that the prompt's labels name.
type Label struct {
	ID   string `json:"id"`
	As   string `json:"as"`   // gold, also_ok, step 1.., helpful, risky, not_above
	Rank int    `json:"rank"` // 0: not in the list
}

// Place is one entry of a ranking.
type Place struct {
	ID       string  `json:"id"`
	Score    float64 `json:"score"`
	Step     int     `json:"step,omitempty"`
	Injected bool    `json:"injected,omitempty"`
}

// Options of a run.
type Options struct {
	K int // length of the rankings
	// Done, when not nil, is called after each prompt.
	Done func()
}

// Run gives every prompt of s to r, in order. It stops with ctx's error when
// that is done. lib, which may be nil, tells which skills are the same text.
func Run(ctx context.Context, r Router, s Set, lib *Library, o Options) ([]Outcome, error) {
	twin := func(a, b string) bool { return false }
	if lib != nil {
		twin = lib.same
	}
	outcomes := make([]Outcome, 0, len(s.Prompts))
	for i := range s.Prompts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := &s.Prompts[i]
		d := r.Decide(p.Query, o.K)
		listed := d.Candidates[:min(o.K, len(d.Candidates))] // what is injected may go past K
		out := Outcome{
			Set: s.Name, Task: p.Task, Style: s.Style, ID: p.ID, Query: p.Query,
			Lang: p.Lang, Class: p.Class, Kind: p.Kind, Direction: p.Direction(),
			Verdict: d.Verdict, Reason: d.Reason, Need: d.Need, Ms: d.Ms.Total,
			Labels: labels(p, ids(listed)),
			Values: measure(p, &d, o.K, twin),
		}
		for _, c := range listed {
			out.Ranked = append(out.Ranked, Place{ID: c.ID, Score: c.Score, Step: c.Step, Injected: c.Injected})
		}
		outcomes = append(outcomes, out)
		if o.Done != nil {
			o.Done()
		}
	}
	return outcomes, nil
}

// labels lists the labelled skills of p with their places: those of every step,
// then what is not among them, each once.
func labels(p *Prompt, ranked []string) []Label {
	var out []Label
	seen := map[string]bool{}
	for i, step := range p.Steps {
		for _, id := range step {
			seen[id] = true
			out = append(out, Label{ID: id, As: stepName(i), Rank: rankOf(ranked, id)})
		}
	}
	add := func(as string, ids ...string) {
		for _, id := range ids {
			if id != "" && !seen[id] {
				seen[id] = true
				out = append(out, Label{ID: id, As: as, Rank: rankOf(ranked, id)})
			}
		}
	}
	add("gold", p.Gold...)
	add("also_ok", p.AlsoOK...)
	add("helpful", p.Helpful)
	add("risky", p.Risky)
	add("not_above", p.NotAbove)
	return out
}
