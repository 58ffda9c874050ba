package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/triage"
)

// Side decides prompts: it returns the logged decision or decides again under its own settings and indexes.
type Side struct {
	Name     string // name in reports
	Logged   bool   // return the logged decision; of the other fields only Name is used
	Settings gate.Settings
	For      func(cwd string) gate.Settings // returns the settings for a folder; if nil, Settings apply everywhere
	K        int                            // minimum number of candidates in a decision

	// Key identifies the indexes that a prompt needs: a gate from Open can decide all prompts with the same key. Key
	// and Open are called from several goroutines at once.
	Key  func(p *Prompt) string
	Open func(p *Prompt) (*gate.Gate, error)
}

// Answer is a side's decision for a prompt.
type Answer struct {
	Decision *gate.Decision
	Features *need.Features // inputs of the need model; nil if the prompt was not searched or the decision is logged
}

func (s *Side) settings(p *Prompt) gate.Settings {
	if s.For == nil {
		return s.Settings
	}
	return s.For(p.Cwd)
}

// openGates is the number of gates that an asker keeps open. A few suffice, because prompts of one project follow each
// other in a log.
const openGates = 6

type asker struct {
	side   *Side
	memory *rank.Memory // shared by all askers of this side
	gates  map[string]*opened
	order  []string // keys of gates by time of use, the most recent last
}

type opened struct {
	gate *gate.Gate
	err  error
}

func newAsker(s *Side, m *rank.Memory) *asker {
	return &asker{side: s, memory: m, gates: map[string]*opened{}}
}

func newMemory() *rank.Memory {
	const most = 64 << 20 // bytes
	return rank.NewMemory(rank.DefaultWeights(), most)
}

func (a *asker) close() {
	for _, o := range a.gates {
		if o.gate != nil {
			o.gate.Close()
		}
	}
	clear(a.gates)
}

func (a *asker) gate(p *Prompt) (*gate.Gate, error) {
	key := a.side.Key(p)
	if i := slices.Index(a.order, key); i >= 0 {
		a.order = append(slices.Delete(a.order, i, i+1), key)
		return a.gates[key].gate, a.gates[key].err
	}
	if len(a.order) == openGates {
		old := a.order[0]
		a.order = a.order[1:]
		if o := a.gates[old]; o.gate != nil {
			o.gate.Close()
		}
		delete(a.gates, old)
	}
	g, err := a.side.Open(p)
	if err != nil {
		g = nil
	} else {
		// The name includes generations, because another goroutine with the same key may have opened a different one.
		g.Ranker().Share(a.memory, fmt.Sprint(key, g.Uses()))
	}
	a.gates[key] = &opened{g, err}
	a.order = append(a.order, key)
	return g, err
}

func (a *asker) answer(ctx context.Context, p *Prompt) (Answer, error) {
	if a.side.Logged {
		return Answer{Decision: p.Recorded}, nil
	}
	skip := func(r gate.Reason) (Answer, error) {
		return Answer{Decision: &gate.Decision{Lang: p.Lang, Verdict: gate.Skip, Reason: r, Candidates: []gate.Candidate{}}},
			nil
	}
	if a.side.settings(p).Disabled {
		return skip(gate.Disabled)
	}
	prompt := reading(p)
	if prompt.Kind != triage.Search {
		return skip(gate.SkipReason(prompt.Kind))
	}
	if p.Repeat {
		return skip(gate.Repeat)
	}
	if p.Form() == Approximate && p.Recorded != nil && p.Recorded.Verdict == gate.Skip &&
		p.Recorded.Reason != gate.Disabled {
		return skip(p.Recorded.Reason) // terms are not enough to recognize a greeting
	}
	g, err := a.gate(p)
	if err != nil {
		return Answer{}, err
	}
	var x *need.Features
	request := gate.Request{Prompt: prompt, K: a.side.K, NoContext: true,
		Observe: func(f need.Features) { x = &f }}
	if then := p.Recorded; then != nil {
		request.Known, request.Loaded, request.Spent, request.Sole = known(then), loaded(then), then.Spent, then.Sole
	}
	d := g.Decide(ctx, request)
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if p.Recorded != nil && p.Recorded.Trial != nil && d.Verdict == gate.Inject {
		// If an experiment withheld the logged suggestion, this one is withheld too.
		if d.Trial = p.Recorded.Trial; d.Trial.Held {
			d.HoldBack()
		}
	}
	return Answer{Decision: &d, Features: x}, nil
}

func reading(p *Prompt) triage.Prompt {
	switch {
	case p.Form() == Exact:
		return triage.Classify(p.Text)
	case p.Text == "":
		return triage.Prompt{Kind: triage.Search, Text: strings.Join(p.Terms, " "), Lang: p.Lang}
	}
	read := triage.Classify(p.Text)
	// The terms replace the part that was cut off.
	have := strings.ToLower(p.Text)
	for _, t := range p.Terms {
		if !strings.Contains(have, t) {
			read.Text += " " + t
		}
	}
	return read
}

// known returns a function that reports whether the session already had a skill's description before decision d.
func known(d *gate.Decision) func(string) bool {
	return func(name string) bool {
		return slices.Contains(d.Withheld, name) || slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool {
			return c.Described && c.Name == name
		})
	}
}

func loaded(d *gate.Decision) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool { return c.Loaded && c.Name == name })
	}
}

func cutOff(d *gate.Decision) bool {
	return d.Reason == gate.Deadline || noted(d, gate.CutShort)
}

func noted(d *gate.Decision, start string) bool {
	return slices.ContainsFunc(d.Notes, func(n string) bool { return strings.HasPrefix(n, start) })
}
