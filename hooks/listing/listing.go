// Package listing computes what a host's listing of skills takes of a session.
package listing

import (
	"slices"
	"strconv"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
)

// Skill is a skill as the host lists it at the start of a session.
type Skill struct {
	Name     string
	Text     string // description and when_to_use
	Source   string // where it comes from, for the table
	NameOnly bool   // skillOverrides: name-only
}

// Listing is what the host's skill listing costs a session, in characters.
type Listing struct {
	Budget    int      `json:"budget"`
	Chars     int      `json:"chars"`     // of installed skills' lines; the host's own come on top
	Names     int      `json:"names"`     // listed
	Described int      `json:"described"` // with a description, perhaps cut
	Clipped   int      `json:"clipped"`   // with a description cut at the host's cap
	Without   []string `json:"without"`   // have none to show
	Dropped   []string `json:"dropped"`   // have one that the budget has no room for
	Sources   []Source `json:"sources"`
}

// Source is one source's part of a listing.
type Source struct {
	Source    string `json:"source"`
	Names     int    `json:"names"`
	NameChars int    `json:"name_chars"`
	Described int    `json:"described"`
	Dropped   int    `json:"dropped"`
	Chars     int    `json:"chars"`
}

// Of computes the listing of skills, which are in the host's order. The
// host lists every name, then gives out what is left of the budget to descriptions
// in order; it puts skills that are used often first, which is not known here.
func Of(host *hooks.Listing, skills []Skill, budget, maxDesc int) Listing {
	l := Listing{Budget: budget, Without: []string{}, Dropped: []string{}, Sources: []Source{}}
	left := budget - host.Bundled
	for _, s := range skills {
		left -= nameLine(s.Name)
	}
	full := false
	for _, s := range skills {
		i := slices.IndexFunc(l.Sources, func(o Source) bool { return o.Source == s.Source })
		if i < 0 {
			i = len(l.Sources)
			l.Sources = append(l.Sources, Source{Source: s.Source})
		}
		source := &l.Sources[i]
		chars := nameLine(s.Name)
		l.Names++
		source.Names++
		source.NameChars += chars
		text := clip.UTF16(s.Text)
		switch {
		case s.NameOnly:
		case text == 0:
			l.Without = append(l.Without, s.Name)
		case full || min(text, maxDesc)+2 > left:
			full = true
			l.Dropped = append(l.Dropped, s.Name)
			source.Dropped++
		default:
			if text > maxDesc {
				l.Clipped++
			}
			cost := min(text, maxDesc) + 2 // after ": "
			left -= cost
			chars += cost
			l.Described++
			source.Described++
		}
		l.Chars += chars
		source.Chars += chars
	}
	return l
}

// nameLine is the length of "- name\n".
func nameLine(name string) int { return clip.UTF16(name) + 3 }

// Limits returns the budget of the host's skill listing and the cap on one
// description, in characters, as files and environment have them. window is the
// model's context window in tokens.
func Limits(host *hooks.Listing, session hostfile.Session, files []hostfile.File, window int) (budget, maxDesc int) {
	fraction, maxDesc := host.Fraction, host.MaxDesc
	fixed := session.Getenv(host.BudgetVar)
	for _, f := range files {
		if f.Values.BudgetFraction > 0 && f.Values.BudgetFraction <= 1 {
			fraction = f.Values.BudgetFraction
		}
		if f.Values.MaxDescChars > 0 {
			maxDesc = f.Values.MaxDescChars
		}
		if v, ok := f.Values.Env[host.BudgetVar]; ok {
			fixed = v
		}
	}
	if n, err := strconv.Atoi(fixed); err == nil && n > 0 {
		return n, maxDesc
	}
	return int(float64(host.Chars(window)) * fraction), maxDesc
}

// nameOnly reports whether settings list a skill without its description.
func nameOnly(files []hostfile.File, name string) bool {
	for _, f := range slices.Backward(files) {
		if mode, ok := f.Values.Overrides[name]; ok {
			return mode == "name-only"
		}
	}
	return false
}
