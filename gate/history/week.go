package history

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
)

// Week is what happened in seven days.
type Week struct {
	From    time.Time     `json:"from"`
	Prompts int           `json:"prompts"`
	Hints   outcome.Tally `json:"hints"` // answers that named something, and what came of them
	Missed  int           `json:"missed"`
	skills  map[string]*outcome.Tally
}

// Weeks cuts the prompts into weeks that begin on Mondays of zone, oldest first.
func Weeks(prompts []*replay.Prompt, zone *time.Location) []Week {
	var out []Week
	for _, p := range prompts {
		from := monday(p.Time.In(zone))
		if len(out) == 0 || from.After(out[len(out)-1].From) {
			out = append(out, Week{From: from, skills: map[string]*outcome.Tally{}})
		}
		out[len(out)-1].add(p)
	}
	for i := range out {
		out[i].close()
	}
	return out
}

func (w *Week) add(p *replay.Prompt) {
	w.Prompts++
	if p.Recorded == nil {
		return
	}
	turn := p.Turn(p.Recorded)
	if state := turn.State(); state != "" {
		w.Hints.Add(p.Session, state, p.Over)
	}
	w.Missed += min(1, len(turn.Unnamed()))
	for _, n := range turn.Named {
		if w.skills[n.Name] == nil {
			w.skills[n.Name] = &outcome.Tally{}
		}
		w.skills[n.Name].Add(p.Session, turn.Of(n), p.Over)
	}
}

func (w *Week) close() {
	w.Hints.Close()
	for _, t := range w.skills {
		t.Close()
	}
}

// Change is the last seven days beside the seven before them.
type Change struct {
	Now         Week         `json:"now"`
	Before      Week         `json:"before"`
	Moved       []Moved      `json:"moved"`       // skills whose rate changed beyond chance
	Regressions []Regression `json:"regressions"` // what was named and used, and would not be named now
	Compared    int          `json:"compared"`    // prompts that were decided again for Regressions
	Changed     []string     `json:"changed"`     // what decided otherwise from some day on
}

// Moved is a skill that is followed more or less than before.
type Moved struct {
	Skill  string       `json:"skill"`
	Before outcome.Rate `json:"before"`
	Now    outcome.Rate `json:"now"`
}

// Regression is a skill that prompts of the two weeks were given and used, and that they
// would not be given now.
type Regression struct {
	Skill   string   `json:"skill"`
	Cause   string   `json:"cause"`
	Prompts []string `json:"prompts"` // ids of decisions
	Example string   `json:"example"`
}

// Here is what decides on this machine now.
type Here struct {
	Say         func(format string, args ...any) string // in the user's language; nil: English
	Skillgate   string                                  // version
	Fingerprint func(cwd string) string
	Entries     []catalog.Entry
	Dictionary  time.Time // when the user's synonyms last changed; zero: there are none
}

// leastTurns is how many ended turns a skill needs in each week. With fewer the interval of a difference is
// too narrow: it leaves out 0 where 4 of 4 are followed by 0 of 2, which is chance once in 15 times.
const leastTurns = 5

// Compared is how far LastWeek looks back.
const Compared = 14 * 24 * time.Hour

// LastWeek compares the seven days before now with the seven before those.
func LastWeek(ctx context.Context, prompts []*replay.Prompt, current *replay.Side, here Here, now time.Time) (Change,
	error) {
	const days = Compared / 2
	c := Change{Moved: []Moved{}, Regressions: []Regression{}, Changed: []string{}}
	c.Before = Week{From: now.Add(-Compared), skills: map[string]*outcome.Tally{}}
	c.Now = Week{From: now.Add(-days), skills: map[string]*outcome.Tally{}}
	var recent []*replay.Prompt
	for _, p := range prompts {
		switch {
		case p.Time.Before(c.Before.From) || p.Time.After(now): // a clock that ran ahead says nothing of these days
			continue
		case p.Time.Before(c.Now.From):
			c.Before.add(p)
		default:
			c.Now.add(p)
		}
		recent = append(recent, p)
	}
	c.Before.close()
	c.Now.close()
	for _, name := range slices.Sorted(maps.Keys(c.Now.skills)) {
		was, is := c.Before.skills[name], c.Now.skills[name]
		if was == nil || was.Rate == nil || is.Rate == nil || min(was.Rate.N, is.Rate.N) < leastTurns {
			continue
		}
		// Newcombe 1998, method 10.
		d, a, b := is.Rate.Value-was.Rate.Value, was.Rate, is.Rate
		low, high := d-math.Hypot(b.Value-b.Low, a.High-a.Value), d+math.Hypot(b.High-b.Value, a.Value-a.Low)
		if low > 0 || high < 0 {
			c.Moved = append(c.Moved, Moved{name, *a, *b})
		}
	}
	c.Changed = here.switches(recent)
	var err error
	c.Regressions, c.Compared, err = regressions(ctx, recent, current, here)
	return c, err
}

// switches lists from when on another version or other settings decided: of two machines that take turns in one log,
// once for each direction.
func (h *Here) switches(prompts []*replay.Prompt) []string {
	out := []string{}
	version, settings := "", map[string]string{} // by folder
	seen := map[[2]string]bool{}
	for _, p := range prompts {
		turn := [2]string{version, p.Skillgate}
		if p.Skillgate != "" && version != "" && p.Skillgate != version && !seen[turn] {
			seen[turn] = true
			out = append(out, h.say("skillgate %s → %s on %s", version, p.Skillgate,
				p.Time.Format(time.DateOnly)))
		}
		version = cmp.Or(p.Skillgate, version)
		if was := settings[p.Cwd]; was != "" && p.Settings != "" && p.Settings != was {
			out = append(out, h.say("settings on %s", p.Time.Format(time.DateOnly)))
		}
		settings[p.Cwd] = cmp.Or(p.Settings, settings[p.Cwd])
	}
	return slices.Compact(out)
}

// Compares reports whether LastWeek decides a recent prompt again: one that was given a skill and used it.
func Compares(p *replay.Prompt) bool {
	return p.Recorded != nil && followed(p, p.Recorded)
}

// followed reports whether the model used something that a decision named.
func followed(p *replay.Prompt, d *gate.Decision) bool {
	turn := p.Turn(d)
	return turn.State() == outcome.Followed
}

// regressions decides again where what was named was used, and returns how often that was.
func regressions(ctx context.Context, prompts []*replay.Prompt, current *replay.Side, here Here) ([]Regression, int,
	error) {
	again := slices.DeleteFunc(slices.Clone(prompts), func(p *replay.Prompt) bool { return !Compares(p) })
	found, compared := map[[2]string]*Regression{}, 0
	job := replay.Job{Source: replay.Fixed(again), A: &replay.Side{Logged: true}, B: current, Notes: &replay.Notes{}}
	err := replay.Run(ctx, job, func(r *replay.Result) error {
		if r.Skipped != "" {
			return nil
		}
		compared++
		if followed(r.Prompt, r.B.Decision) {
			return nil
		}
		was := r.Prompt.Turn(r.A.Decision)
		for _, n := range was.Named {
			if was.Of(n) != outcome.Followed {
				continue
			}
			why := here.cause(r, n)
			if why == "" {
				continue // the session's memory decides otherwise, nothing has changed
			}
			key := [2]string{n.Name, why}
			if found[key] == nil {
				found[key] = &Regression{Skill: n.Name, Cause: why, Example: r.Cause}
			}
			found[key].Prompts = append(found[key].Prompts, r.Prompt.ID)
		}
		return nil
	})
	out := []Regression{}
	for _, x := range found {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b Regression) int {
		return cmp.Or(len(b.Prompts)-len(a.Prompts), cmp.Compare(a.Skill, b.Skill), cmp.Compare(a.Cause, b.Cause))
	})
	return out, compared, err
}

// cause names what has changed since a prompt was decided.
func (h *Here) cause(r *replay.Result, n outcome.Named) string {
	p := r.Prompt
	var out []string
	if p.Skillgate != "" && h.Skillgate != "" && p.Skillgate != h.Skillgate {
		out = append(out, h.say("skillgate %s → %s", p.Skillgate, h.Skillgate))
	}
	if f := h.Fingerprint(p.Cwd); p.Settings != "" && f != p.Settings {
		out = append(out, h.say("settings"))
	}
	if h.Dictionary.After(p.Time) {
		out = append(out, h.say("the dictionary changed on %s", h.Dictionary.UTC().Format(time.DateOnly)))
	}
	if e := h.entry(n.Name); e == nil {
		out = append(out, h.say("it is not installed any more"))
	} else if at := changed(e); at.After(p.Time) {
		out = append(out, h.say("its file changed on %s", at.Format(time.DateOnly)))
	}
	if rival := first(r.B.Decision); rival != "" && !journal.SameSkill(rival, n.Name) {
		if e := h.entry(rival); e != nil && changed(e).After(p.Time) {
			out = append(out, h.say("%s, which is named instead, changed on %s", rival,
				changed(e).Format(time.DateOnly)))
		}
	}
	same := func(a, b gate.IndexUse) bool {
		return a.Root == b.Root && a.Generation == b.Generation && a.Skills == b.Skills
	}
	if out == nil && !slices.EqualFunc(p.Recorded.Index, r.B.Decision.Index, same) {
		out = append(out, h.say("other skills changed"))
	}
	return strings.Join(out, "; ")
}

func (h *Here) say(format string, args ...any) string {
	if h.Say == nil {
		return fmt.Sprintf(format, args...)
	}
	return h.Say(format, args...)
}

// changed is when a skill's file last changed.
func changed(e *catalog.Entry) time.Time { return time.Unix(0, e.ModTime).UTC() }

func (h *Here) entry(name string) *catalog.Entry {
	i := slices.IndexFunc(h.Entries, func(e catalog.Entry) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return &h.Entries[i]
}

// first is what a decision names first, "" for nothing.
func first(d *gate.Decision) string {
	if n := outcome.NamedBy(d); len(n) > 0 {
		return n[0].Name
	}
	return ""
}
