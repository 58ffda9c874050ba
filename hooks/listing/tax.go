package listing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/plugin"
)

// Tax is the size of the skill list in a session, and the changes that would reduce it.
type Tax struct {
	Listing
	Model     string   `json:"model,omitempty"`   // empty if unknown
	Version   string   `json:"version,omitempty"` // host version of the last session in this folder, or ""
	Again     string   `json:"again"`             // when the list is sent again
	Libraries int      `json:"libraries"`         // number of skills in library folders, which the host does not list
	LeftOut   int      `json:"left_out"`          // number of skills that the plugin's shortened list leaves out
	Savings   []Saving `json:"savings"`
	Problems  []string `json:"problems"`
}

// Saving is the effect of one possible change.
type Saving struct {
	Change    string `json:"change"`
	Chars     int    `json:"chars"`     // characters saved in every list, before other descriptions fill the space
	Described int    `json:"described"` // number of other skills whose descriptions then fit
}

// Cut is the host's setting for the budget of its skill list. With the value CutTo the budget is too small for any
// description, so that only names are sent.
const (
	Cut   = "skillListingBudgetFraction"
	CutTo = "0.0001"
)

// Options override values of the session. Zero fields have no effect.
type Options struct {
	Model  string
	Window int // context window of the model, in tokens
	Budget int // budget of the list, in display columns
}

// Compute computes the tax of a session of host. The Listing of host must not be nil.
func Compute(
	ctx context.Context, host *hooks.Host, s hostfile.Session, settings gate.Settings, o Options, now time.Time,
) (Tax, error) {
	l := look(host, s, now)
	o.Model = cmp.Or(o.Model, l.model)
	r := Tax{Model: o.Model, Version: l.long.Version, Again: host.Listing.Again, Savings: []Saving{}, Problems: []string{}}
	limits := l.limits(s, o)
	roots, problems := catalog.Roots(s.Dirs, s.Cwd, settings.Libraries)
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
		if entry.ModelInvocable && policy.Allows(entry.Name, entry.Pool, entry.Source, entry.Plugin, entry.Path) {
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
		case entry.Source == catalog.Agents: // for other hosts, so not in this host's list
		case len(entry.Paths) > 0:
		default:
			listed = append(listed, entry)
		}
	}
	skills := l.skills(listed)
	r.Listing = Of(skills, limits)
	return r, r.shorten(s, settings, l, skills, now)
}

// shorten applies the plugin's shortened list if the plugin is set to use it. Otherwise it computes the savings of that
// list and of other changes.
func (r *Tax) shorten(s hostfile.Session, settings gate.Settings, l session, skills []Skill, now time.Time) error {
	var g *gate.Gate
	if !settings.Disabled {
		var err error
		if g, err = gate.Open(s.Dirs, s.Cwd, settings); err != nil {
			g = nil // without an index, the plugin does not change the list
		} else {
			defer g.Close()
		}
	}
	x, err := NewShortener(g, s, now)
	if err != nil {
		return err
	}
	chars, on := s.Shortened(l.files)
	r.short(x, skills, chars, on)
	return nil
}

// short implements shorten for a given shortener x. chars is the limit on the user's skills in the shortened list; on
// reports whether the plugin is set to use that list.
func (r *Tax) short(x *Shortener, skills []Skill, chars int, on bool) {
	list, out := x.shorten(Text(skills, r.Limits), chars)
	end := clip.UTF16(leftOut(out))
	switch {
	case !on:
		r.Savings = r.savings(skills)
		if n := r.Total - clip.UTF16(list) - end; out > 0 && n > 0 {
			r.Savings = append(r.Savings, Saving{Change: "The plugin's shortened list (skillgate install --listing)", Chars: n})
		}
	case out > 0:
		budget := r.Budget
		r.Listing = Of(listed(skills, list), Limits{math.MaxInt32, r.MaxDesc, r.CharsPerToken})
		r.Budget = budget
		r.LeftOut, r.Total = out, clip.UTF16(list)+end
		r.Tokens += end / r.CharsPerToken
	}
}

func listed(skills []Skill, list string) (out []Skill) {
	texts := map[string]string{}
	for _, e := range entriesOf(list) {
		texts[e.name] = e.text
	}
	for _, s := range skills {
		if text, ok := texts[s.Name]; ok {
			s.Text = strings.TrimRight(strings.TrimPrefix(text, "- "+s.Name+": "), "\n")
			s.NameOnly = !strings.HasPrefix(text, "- "+s.Name+": ")
			out = append(out, s)
		}
	}
	return out
}

func (r *Tax) savings(skills []Skill) []Saving {
	var out []Saving
	names := 0
	for _, s := range r.Sources {
		names += s.NameChars
	}
	if r.Chars > names {
		out = append(out, Saving{Change: "Listing only names, with " + Cut + ": " + CutTo +
			" in the host's settings", Chars: r.Chars - names})
	}
	for _, source := range r.Sources {
		if source.Source == string(catalog.Plugin)+" "+plugin.ID {
			continue // skillgate's own plugin
		}
		var rest []Skill
		for _, s := range skills {
			if s.Source != source.Source {
				rest = append(rest, s)
			}
		}
		without := Of(rest, r.Limits)
		out = append(out, Saving{
			fmt.Sprintf("Moving the skills from source %q to a library folder", source.Source), source.Chars,
			without.Described - (r.Described - source.Described),
		})
	}
	return out
}
