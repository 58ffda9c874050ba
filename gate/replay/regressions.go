package replay

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Regression is a skill that was suggested and used but would no longer be suggested.
type Regression struct {
	Skill   string   `json:"skill"`
	Cause   string   `json:"cause"`
	Prompts []string `json:"prompts"` // IDs of the decisions
	Example string   `json:"example"`
}

// Here describes this machine's current state.
type Here struct {
	Say         func(format string, args ...any) string // formats a message in the user's language
	Skillgate   string                                  // version of skillgate
	Fingerprint func(cwd string) string
	Entries     []catalog.Entry
	Dictionary  time.Time // time of the last change to the user's dictionary; zero if there is none
}

// Recent is the maximum age of the prompts that Regressions checks.
const Recent = 14 * 24 * time.Hour

// Again is the result of repeating decisions whose suggestions were used.
type Again struct {
	Compared    int          `json:"compared"` // number of repeated decisions
	Regressions []Regression `json:"list"`     // regressions by descending number of prompts
}

// Followed reports whether the model used a skill that was suggested for the prompt.
func (p *Prompt) Followed() bool { return p.Recorded != nil && p.followed(p.Recorded) }

func (p *Prompt) followed(d *gate.Decision) bool {
	turn := p.Turn(d)
	return turn.State() == outcome.Followed
}

// Regressions repeats the decisions since now minus Recent whose suggestions were used, and returns the skills that
// would no longer be suggested.
func Regressions(ctx context.Context, prompts []*Prompt, current *Side, here Here, now time.Time) (Again,
	error) {
	again := slices.DeleteFunc(slices.Clone(prompts), func(p *Prompt) bool {
		return p.Time.Before(now.Add(-Recent)) || p.Time.After(now) || !p.Followed()
	})
	found, all := map[[2]string]*Regression{}, Again{Regressions: []Regression{}}
	job := Job{Source: Fixed(again), A: &Side{Logged: true}, B: current, Notes: &Notes{}}
	err := Run(ctx, job, func(r *Result) error {
		if r.Skipped != "" {
			return nil
		}
		all.Compared++
		if r.Prompt.followed(r.B.Decision) {
			return nil
		}
		was := r.Prompt.Turn(r.A.Decision)
		for _, n := range was.Named {
			if was.Of(n) != outcome.Followed {
				continue
			}
			why := here.cause(r, n)
			if why == "" {
				continue // nothing changed; the difference comes only from the session's earlier suggestions
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

func (h *Here) cause(r *Result, n outcome.Named) string {
	p := r.Prompt
	var out []string
	if p.Skillgate != "" && h.Skillgate != "" && p.Skillgate != h.Skillgate {
		out = append(out, h.Say("skillgate changed from %s to %s", p.Skillgate, h.Skillgate))
	}
	if f := h.Fingerprint(p.Cwd); p.Settings != "" && f != p.Settings {
		out = append(out, h.Say("the settings changed"))
	}
	if h.Dictionary.After(p.Time) {
		out = append(out, h.Say("the dictionary changed on %s", h.Dictionary.UTC().Format(time.DateOnly)))
	}
	if e := h.entry(n.Name); e == nil {
		out = append(out, h.Say("it is no longer installed"))
	} else if at := changed(e); at.After(p.Time) {
		out = append(out, h.Say("its file changed on %s", at.Format(time.DateOnly)))
	}
	if now := named(r.B.Decision); len(now) > 0 && !journal.SameSkill(now[0].Name, n.Name) {
		rival := now[0].Name
		if e := h.entry(rival); e != nil && changed(e).After(p.Time) {
			out = append(out, h.Say("%s, which is suggested instead, changed on %s", rival,
				changed(e).Format(time.DateOnly)))
		}
	}
	same := func(a, b gate.IndexUse) bool {
		return a.Root == b.Root && a.Generation == b.Generation && a.Skills == b.Skills
	}
	if out == nil && !slices.EqualFunc(p.Recorded.Index, r.B.Decision.Index, same) {
		out = append(out, h.Say("other skills changed"))
	}
	return strings.Join(out, "; ")
}

func changed(e *catalog.Entry) time.Time { return time.Unix(0, e.ModTime).UTC() }

func (h *Here) entry(name string) *catalog.Entry {
	i := slices.IndexFunc(h.Entries, func(e catalog.Entry) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return &h.Entries[i]
}
