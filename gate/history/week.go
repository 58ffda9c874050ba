package history

import (
	"cmp"
	"context"
	"fmt"
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
}

// Weeks cuts the prompts into weeks that begin on Mondays of zone, oldest first.
func Weeks(prompts []*replay.Prompt, zone *time.Location) []Week {
	var out []Week
	for _, p := range prompts {
		from := monday(p.Time.In(zone))
		if len(out) == 0 || from.After(out[len(out)-1].From) {
			out = append(out, Week{From: from})
		}
		out[len(out)-1].add(p)
	}
	for i := range out {
		out[i].Hints.Close()
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
}

// Regression is a skill that was suggested and used, and would not be suggested now.
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

// Compared is how far back Regressions looks.
const Compared = 14 * 24 * time.Hour

// Again is what prompts that used a suggested skill would be given now.
type Again struct {
	Compared    int          `json:"compared"` // prompts that were decided again
	Regressions []Regression `json:"list"`     // what would not be suggested now, with most prompts first
}

// Compares reports whether Regressions decides a prompt again: the model used a skill that was suggested for it.
func Compares(p *replay.Prompt) bool {
	return p.Recorded != nil && followed(p, p.Recorded)
}

// followed reports whether the model used something that a decision named.
func followed(p *replay.Prompt, d *gate.Decision) bool {
	turn := p.Turn(d)
	return turn.State() == outcome.Followed
}

// Regressions decides prompts of the time Compared before now again if a suggested skill was used, and returns the
// skills that would not be suggested any more.
func Regressions(ctx context.Context, prompts []*replay.Prompt, current *replay.Side, here Here, now time.Time) (Again,
	error) {
	again := slices.DeleteFunc(slices.Clone(prompts), func(p *replay.Prompt) bool {
		return p.Time.Before(now.Add(-Compared)) || p.Time.After(now) || !Compares(p)
	})
	found, all := map[[2]string]*Regression{}, Again{Regressions: []Regression{}}
	job := replay.Job{Source: replay.Fixed(again), A: &replay.Side{Logged: true}, B: current, Notes: &replay.Notes{}}
	err := replay.Run(ctx, job, func(r *replay.Result) error {
		if r.Skipped != "" {
			return nil
		}
		all.Compared++
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
	for _, x := range found {
		all.Regressions = append(all.Regressions, *x)
	}
	slices.SortFunc(all.Regressions, func(a, b Regression) int {
		return cmp.Or(len(b.Prompts)-len(a.Prompts), cmp.Compare(a.Skill, b.Skill), cmp.Compare(a.Cause, b.Cause))
	})
	return all, err
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
	if n := outcome.InjectedBy(d); len(n) > 0 {
		return n[0].Name
	}
	return ""
}
