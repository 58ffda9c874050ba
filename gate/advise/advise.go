// Package advise proposes the changes that would help most on this machine, based on past prompts and their outcomes,
// and predicts the effect of each proposal on them.
//
// A proposal needs support from at least three prompts of at least two sessions. The sessions are split into two
// halves. A proposal is chosen on one half and replayed over the current indexes on both. A prompt improves if a skill
// that the model used becomes suggested, or if a turn without a skill no longer gets a suggestion. In the opposite
// cases it gets worse. Past suggestions influenced which skills were used, so the uses do not show every skill that
// would have helped.
package advise

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/secret"
)

// Kind is the kind of change that a proposal makes.
type Kind string

const (
	Trigger  Kind = "trigger"  // add a typical user phrase to a skill's description
	Boundary Kind = "boundary" // state in a skill's description what the skill is not for
	Words    Kind = "words"    // add a word from prompts to the user's dictionary
	Off      Kind = "off"      // stop suggesting a skill that nobody uses
	Enrich   Kind = "enrich"   // have a model write sample requests for a skill and index them (expansions)
)

// Minimum support for a proposal.
const (
	minPrompts  = 3
	minSessions = 2
	minIgnored  = 8 // minimum number of unused suggestions, in finished turns, to propose Off
)

// needless is the value of avoiding a needless suggestion, relative to suggesting the right skill. It is low because
// ignoring one line costs little.
const needless = 0.2

const name = 0.01

// Proposal is one proposed change.
type Proposal struct {
	Kind     Kind     `json:"kind"`
	Skill    string   `json:"skill,omitempty"`  // name of the affected skill
	Skills   []string `json:"skills,omitempty"` // names of the affected skills, if there are several
	Text     string   `json:"text"`             // description of the change
	Evidence string   `json:"evidence"`         // reason for the change
	Prompts  []string `json:"prompts"`          // IDs of supporting decisions
	Shared   int      `json:"shared,omitempty"` // number of Prompts that better proposals also list
	Effect   *Effect  `json:"effect"`           // null if a replay cannot predict it
	Risk     string   `json:"risk"`
	Edit     *Edit    `json:"edit,omitempty"`    // null if a command makes the change
	Command  string   `json:"command,omitempty"` // command that makes the change, if Edit is null
	// improved minus worsened prompts per 100 in Effect.HeldOut; 0 if Effect is null
	Worth float64 `json:"worth"`
}

// Do returns the command that carries out p, which is proposal number n of a list.
func (p *Proposal) Do(n int) string {
	return cmp.Or(p.Command, fmt.Sprint("skillgate advise apply ", n))
}

// Effect is the effect of a proposal on past prompts.
type Effect struct {
	Chosen  Part `json:"chosen"`   // prompts of the sessions on which the proposal was chosen
	HeldOut Part `json:"held_out"` // prompts of the other sessions
}

// Part counts the prompts of one half of the sessions, by effect.
type Part struct {
	Prompts int `json:"prompts"`
	Caught  int `json:"caught"`  // the skill that was used is now suggested
	Lost    int `json:"lost"`    // the skill that was used is no longer suggested
	Spared  int `json:"spared"`  // no skill was used, and none is suggested any more
	Bothers int `json:"bothers"` // no skill was used, but one is now suggested
	Other   int `json:"other"`   // the suggestion changed, but is neither clearly better nor clearly worse
	Fewer   int `json:"fewer"`   // fewer skills are suggested, with the same outcome
}

// Worth returns the weighted number of improved minus worsened prompts, per 100 prompts.
func (p Part) Worth() float64 {
	if p.Prompts == 0 {
		return 0
	}
	better := float64(p.Caught-p.Lost) + needless*float64(p.Spared-p.Bothers) + name*float64(p.Fewer)
	return 100 * better / float64(p.Prompts)
}

// Edit replaces the text of a file.
type Edit struct {
	File   string `json:"file"`
	Old    string `json:"old"`
	New    string `json:"new"`
	Within string `json:"within,omitempty"` // folder that must contain the file after links are resolved
	Lines  bool   `json:"lines,omitempty"`  // File holds expansions; set only by older versions
}

// Input is the data that proposals are based on.
type Input struct {
	Prompts []*replay.Prompt // logged prompts with their outcomes, oldest first
	Current *replay.Side     // replay of this machine without changes; its decisions list candidates
	Entries []catalog.Entry  // installed skills that the host accepts
	Risk    func(*catalog.Entry) float64
	// Expansion returns the expansion texts of the skill with the given ID and content hash, or nil.
	Expansion func(id, hash string) []string
	Progress  func()                                  // called Steps times, before each step
	Say       func(format string, args ...any) string // formats a message in the user's language
	Machine
}

// Machine is the user's machine, unchanged or with changes to try.
type Machine interface {
	// Dictionary returns the file name and the text of the user's dictionary; the text is "" if there is no dictionary.
	// WithDictionary returns a Side that replays prompts with text as the dictionary.
	Dictionary() (file, text string, err error)
	WithDictionary(ctx context.Context, text string) (*replay.Side, error)
	// Price returns the cost of having a model write requests for skills, or "" if they already have such requests.
	Price(skills []*catalog.Entry) string
}

// Steps is the number of times that Run calls Input.Progress.
const Steps = 5

// Replayed is the maximum number of prompts on which a proposal is replayed. Newer prompts are preferred.
const Replayed = 3000

type work struct {
	Input
	base  []*replay.Prompt          // prompts with their current decisions instead of the logged ones
	half  map[string]bool           // true for sessions on which proposals are chosen, false for the others
	lacks map[*catalog.Entry]*group // by skill, prompts after which it was used without being suggested
	found []Proposal
	asked map[string][]*replay.Prompt // prompts by index term

	known  map[[2]string]*catalog.Entry // skills by the name and path that the host reports for a use
	ranker *rank.Ranker                 // ranker of this machine's current indexes; nil if no prompt was searched
	drift  Part                         // changes from the logged to the current decisions
}

// Run returns the proposals, most useful first, and the effect of this machine's current state compared with
// the logged decisions.
func Run(ctx context.Context, in Input) ([]Proposal, Part, error) {
	w := work{Input: in, half: map[string]bool{}, known: map[[2]string]*catalog.Entry{}}
	if err := w.decide(ctx); err != nil {
		return nil, w.drift, err
	}
	searched := func(p *replay.Prompt) bool { return len(p.Recorded.Index) > 0 }
	if i := slices.IndexFunc(w.base, searched); i >= 0 {
		g, err := w.Current.Open(w.base[i])
		if err != nil {
			return nil, w.drift, err
		}
		defer g.Close()
		w.ranker = g.Ranker()
		w.read()
	}
	w.lacking()
	for _, find := range []func(context.Context) error{w.missed, w.words, w.thieves, w.unused, w.enrich} {
		w.Progress()
		if err := find(ctx); err != nil {
			return nil, w.drift, err
		}
	}
	slices.SortStableFunc(w.found, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.Worth, a.Worth), cmp.Compare(len(b.Prompts), len(a.Prompts)), cmp.Compare(a.Skill,
			b.Skill))
	})
	share(w.found)
	return w.found, w.drift, nil
}

func share(list []Proposal) {
	seen := map[string]bool{}
	for i := range list {
		p := &list[i]
		if p.Kind == Off {
			continue
		}
		for _, id := range p.Prompts {
			if seen[id] {
				p.Shared++
			}
		}
		for _, id := range p.Prompts {
			seen[id] = true
		}
	}
}

func (w *work) decide(ctx context.Context) error {
	var list []*replay.Prompt
	for _, p := range w.Prompts[max(0, len(w.Prompts)-Replayed):] {
		if p.Recorded != nil && p.Recorded.Trial != nil { // treat a withheld suggestion as made
			free, d := *p, *p.Recorded
			if d.Trial.Held {
				d.Release()
			}
			d.Trial, free.Recorded = nil, &d
			p = &free
		}
		list = append(list, p)
	}
	texts := store.Texts{} // lets candidates share skill texts, to save memory
	err := w.run(ctx, list, w.Current, w.Current, func(r *replay.Result) {
		if r.Skipped != "" {
			return
		}
		p := *r.Prompt
		if then := p.Recorded; then != nil && then.Verdict != gate.Error {
			w.drift.add(&p, then, r.B.Decision, replay.Compare(then, r.B.Decision))
		}
		for i := range r.B.Decision.Candidates { // release texts that are not needed here
			c := &r.B.Decision.Candidates[i]
			c.Matched, c.Description = nil, ""
		}
		p.Recorded = r.B.Decision
		p.Recorded.Candidates = slices.Clone(p.Recorded.Candidates)
		replay.Share(texts, &p)
		w.base = append(w.base, &p)
		if _, ok := w.half[p.Session]; !ok {
			w.half[p.Session] = len(w.half)%2 == 0
		}
	})
	return err
}

func (w *work) run(ctx context.Context, list []*replay.Prompt, a, b *replay.Side, yield func(*replay.Result)) error {
	return replay.Run(ctx, replay.Job{Source: replay.Fixed(list), A: a, B: b, Notes: &replay.Notes{}},
		func(r *replay.Result) error {
			yield(r)
			return nil
		})
}

func catches(p *replay.Prompt, d *gate.Decision) bool {
	t := outcome.Turn{Named: outcome.InjectedBy(d), Uses: p.Used()}
	return t.State() == outcome.Followed
}

func (w *work) effect(ctx context.Context, side *replay.Side, touches func(*replay.Prompt) bool) (*Effect, error) {
	e := &Effect{}
	part := func(p *replay.Prompt) *Part {
		if w.half[p.Session] {
			return &e.Chosen
		}
		return &e.HeldOut
	}
	var list []*replay.Prompt
	for _, p := range w.base {
		if touches(p) {
			list = append(list, p)
		} else {
			part(p).Prompts++
		}
	}
	err := w.run(ctx, list, &replay.Side{Logged: true}, side, func(r *replay.Result) {
		if r.Skipped == "" {
			part(r.Prompt).add(r.Prompt, r.A.Decision, r.B.Decision, r.Change)
		}
	})
	return e, err
}

func (part *Part) add(p *replay.Prompt, a, b *gate.Decision, change replay.Change) {
	part.Prompts++
	if change == replay.Unchanged {
		return
	}
	fewer := len(outcome.InjectedBy(a)) - len(outcome.InjectedBy(b))
	before, after := catches(p, a), catches(p, b)
	idle := p.Over && len(p.Used()) == 0
	switch {
	case after && !before:
		part.Caught++
	case before && !after:
		part.Lost++
	case idle && change == replay.NowSilent:
		part.Spared++
	case idle && change == replay.NowFires:
		part.Bothers++
	case change == replay.Number && before == after:
		part.Fewer += fewer
	default:
		part.Other++
	}
}

// with returns a side on which e's file contains text. needed is the skill that the change should help. If it is not e,
// it is reindexed too, because text may mention it.
func (w *work) with(ctx context.Context, e *catalog.Entry, text string, needed *catalog.Entry) *replay.Side {
	n := catalog.Parse(catalog.Root{Source: e.Source, Pool: e.Pool, Label: "with"}, catalog.File{Path: e.Path,
		Folder: e.Folder}, []byte(text))
	n.ID, n.Name, n.Path, n.Plugin, n.Source, n.Folder = e.ID, e.Name, e.Path, e.Plugin, e.Source, e.Folder
	if e == needed {
		return w.layered(ctx, []string{e.ID}, n)
	}
	return w.layered(ctx, []string{e.ID, needed.ID}, n, *needed)
}

func (w *work) layered(ctx context.Context, hide []string, add ...catalog.Entry) *replay.Side {
	side := *w.Current
	side.Open = replay.Layered(ctx, w.Current.Open, hide,
		index.Options{Entries: add, Risk: w.Risk, Expansion: w.Expansion})
	return &side
}

func (w *work) entry(u journal.Outcome) *catalog.Entry {
	key := [2]string{u.Skill, u.Path}
	e, ok := w.known[key]
	if !ok {
		i := slices.IndexFunc(w.Entries, func(e catalog.Entry) bool {
			return e.Pool == catalog.Skill && journal.SameUse(e.Name, e.Path, u.Skill, u.Path)
		})
		if i >= 0 {
			e = &w.Entries[i]
		}
		w.known[key] = e
	}
	return e
}

// own reports whether the user may change e's file. Updates overwrite the files of plugins and libraries.
func own(e *catalog.Entry) bool {
	return (e.Source == catalog.Personal || e.Source == catalog.Project) && e.Plugin == "" && e.Path != ""
}

// add keeps p if its effect is positive on the held-out half of the sessions, or zero there and positive on the other
// half. A proposal to make a skill easier to find must help minPrompts prompts, at least one of them held out.
func (w *work) add(p Proposal, e *Effect) {
	if e != nil && e.Chosen.Prompts+e.HeldOut.Prompts > 0 { // otherwise no prompts were left to replay
		p.Effect, p.Worth = e, e.HeldOut.Worth()
		if p.Worth < 0 || p.Worth == 0 && e.Chosen.Worth() <= 0 {
			return
		}
		finds := p.Kind == Trigger || p.Kind == Words || p.Kind == Boundary
		if finds && (e.HeldOut.Caught == 0 || e.Chosen.Caught+e.HeldOut.Caught < minPrompts) {
			return
		}
	}
	p.Evidence, p.Text = secret.Redact(p.Evidence), secret.Redact(p.Text)
	w.found = append(w.found, p)
}

type group struct {
	prompts []*replay.Prompt
}

func (g *group) sessions() int {
	seen := map[string]bool{}
	for _, p := range g.prompts {
		seen[p.Session] = true
	}
	return len(seen)
}

func (g *group) ids() []string {
	var out []string
	for _, p := range g.prompts {
		out = append(out, p.ID)
	}
	return out
}

func (g *group) add(p *replay.Prompt) {
	if !slices.Contains(g.prompts, p) {
		g.prompts = append(g.prompts, p)
	}
}

func (g *group) enough() bool { return len(g.prompts) >= minPrompts && g.sessions() >= minSessions }

func (w *work) count(g *group) string {
	return w.Say("%d prompts in %d sessions", len(g.prompts), g.sessions())
}

func (g *group) examples() string {
	var out []string
	seen := map[string]bool{}
	for _, p := range g.prompts {
		if seen[said(p)] || len(out) == 3 {
			continue
		}
		seen[said(p)] = true
		text := strings.Join(strings.Fields(p.Text), " ")
		if r := []rune(text); len(r) > 60 {
			text = string(r[:60]) + "…"
		}
		out = append(out, fmt.Sprintf("%q", text))
	}
	return strings.Join(out, ", ")
}

func said(p *replay.Prompt) string {
	mark := func(r rune) bool { return !unicode.IsLetter(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(p.Text), mark), " ")
}

// varied reports whether g has enough different prompts for a proposal. One prompt that is typed again and again does
// not prove a common phrase.
func (g *group) varied() bool {
	seen := map[string]bool{}
	for _, p := range g.prompts {
		seen[said(p)] = true
	}
	return len(seen) >= minPrompts
}

func (g *group) whole(phrase string) bool {
	return !slices.ContainsFunc(g.prompts, func(p *replay.Prompt) bool { return said(p) != phrase })
}
