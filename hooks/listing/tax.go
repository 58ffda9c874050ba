package listing

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
)

// Tax is what the listing costs a session, and what would save how much of it.
type Tax struct {
	Listing
	Model     string   `json:"model,omitempty"`   // "" where nothing here names one
	Version   string   `json:"version,omitempty"` // of the host, where a session here tells its own skills
	Again     string   `json:"again"`             // when the total is paid again
	Libraries int      `json:"libraries"`         // skills in library folders, which the host does not list
	Savings   []Saving `json:"savings"`
	Problems  []string `json:"problems"`
}

// Saving is what a change would save.
type Saving struct {
	Change    string `json:"change"`
	Chars     int    `json:"chars"`     // that are taken out of every listing; other descriptions may come in
	Described int    `json:"described"` // descriptions that the other skills get back
}

// Cut is the host's setting that cuts its listing, and CutTo the value that leaves names alone:
// with it the budget is less than any library's names.
const (
	Cut   = "skillListingBudgetFraction"
	CutTo = "0.0001"
)

// Options say what a session differs in from the usual one; 0 and "" are the usual.
type Options struct {
	Model  string
	Window int // of the model, in tokens
	Budget int // of the listing, in display columns

	// Fraction is the share of the window that the user's settings give the listing, in the place
	// of what they say.
	Fraction float64
}

// Compute computes the tax of a session with library folders in host, whose Listing is known.
func Compute(
	ctx context.Context, host *hooks.Host, s hostfile.Session, libraries []string, o Options, now time.Time,
) (Tax, error) {
	l := look(host, s, now)
	o.Model = cmp.Or(o.Model, l.model)
	r := Tax{Model: o.Model, Version: l.long.Version, Again: host.Listing.Again, Savings: []Saving{}, Problems: []string{}}
	limits := l.limits(s, o)
	roots, problems := catalog.Roots(s.Dirs, s.Cwd, libraries)
	policy, more := catalog.LoadPolicy(s.Dirs, s.Cwd)
	problems = append(problems, more...)
	found, more := catalog.Files(ctx, roots, nil)
	problems = append(problems, more...)
	if err := ctx.Err(); err != nil {
		return r, err
	}
	var entries []catalog.Entry
	for _, f := range found {
		if roots[f.Root].Pool == catalog.Agent {
			continue
		}
		entry, err := catalog.Read(roots[f.Root], f)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if entry.ModelInvocable { // else it hides no other of its name
			entries = append(entries, entry)
		}
	}
	for _, err := range problems {
		r.Problems = append(r.Problems, err.Error())
	}
	var listed []catalog.Entry
	entries, _ = catalog.Precedence(entries)
	for _, entry := range entries {
		switch {
		case entry.Source == catalog.Library:
			r.Libraries++
		case entry.Source == catalog.Agents: // of other hosts
		case len(entry.Paths) > 0:
		case !policy.Allows(entry.Name, entry.Pool, entry.Source, entry.Plugin):
		default:
			listed = append(listed, entry)
		}
	}
	skills := l.skills(listed)
	r.Listing = Of(skills, limits)
	r.Savings = append(r.savings(skills), r.module(skills, l.uses)...)
	return r, nil
}

// moduleChars is what the plugin's module leaves for the user's skills where nobody sets it.
const moduleChars = 2000

// module says what the plugin's module would save with its shortened list.
func (r *Tax) module(skills []Skill, uses map[string]float64) []Saving {
	installed := map[string]bool{}
	for _, s := range skills {
		installed[s.Name] = s.Source != ""
	}
	short := Shorten(Text(skills, r.Limits), func(name string) bool { return installed[name] }, uses, moduleChars)
	if n := r.Total - clip.UTF16(short); n > 0 {
		return []Saving{{Change: "The plugin's shortened list (skillgate install --listing)", Chars: n}}
	}
	return nil
}

// savings says what would make a listing of skills smaller.
func (r *Tax) savings(skills []Skill) []Saving {
	var out []Saving
	names := 0
	for _, s := range r.Sources {
		names += s.NameChars
	}
	if r.Chars > names {
		out = append(out, Saving{Change: "Bare names only, by " + Cut + ": " + CutTo +
			" in the host's settings (skillgate tax apply)", Chars: r.Chars - names})
	}
	for _, source := range r.Sources {
		var rest []Skill
		for _, s := range skills {
			if s.Source != source.Source {
				rest = append(rest, s)
			}
		}
		without := Of(rest, r.Limits)
		out = append(out, Saving{
			fmt.Sprintf("Moving %s to a library folder", source.Source), source.Chars,
			without.Described - (r.Described - source.Described),
		})
	}
	return out
}

// Usual computes the listing of entries, which the host of a session lists, for the model
// that sessions here have.
func Usual(host *hooks.Host, s hostfile.Session, entries []catalog.Entry, now time.Time) Listing {
	l := look(host, s, now)
	return Of(l.skills(entries), l.limits(s, Options{Model: l.model}))
}
