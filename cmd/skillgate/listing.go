package main

import (
	"slices"

	"github.com/skillgate/skillgate/gate/clip"
)

// defaultMaxDesc is where Claude Code cuts one skill's text in its listing.
const defaultMaxDesc = 1536

// bundledListing is what Claude Code's own skills take of the budget; they keep
// their descriptions longest. With it hostListing gives the number of descriptions
// that Claude Code 2.1.197 was seen to send (listing_test.go).
const bundledListing = 4200

// listedSkill is a skill as the host lists it at the start of a session.
type listedSkill struct {
	Name     string
	Text     string // description and when_to_use
	Source   string // where it comes from, for the table
	NameOnly bool   // skillOverrides: name-only
}

// listing is what the host's skill listing costs a session, in characters.
type listing struct {
	Budget    int             `json:"budget"`
	Chars     int             `json:"chars"`     // of installed skills' lines; the host's own come on top
	Names     int             `json:"names"`     // listed
	Described int             `json:"described"` // with a description, perhaps cut
	Clipped   int             `json:"clipped"`   // with a description cut at the host's cap
	Without   []string        `json:"without"`   // have none to show
	Dropped   []string        `json:"dropped"`   // have one that the budget has no room for
	Sources   []listingSource `json:"sources"`
}

// listingSource is one source's part of a listing.
type listingSource struct {
	Source    string `json:"source"`
	Names     int    `json:"names"`
	NameChars int    `json:"name_chars"`
	Described int    `json:"described"`
	Dropped   int    `json:"dropped"`
	Chars     int    `json:"chars"`
}

// hostListing computes the listing of skills, which are in the host's order. The
// host lists every name, then gives out what is left of the budget to descriptions
// in order; it puts skills that are used often first, which is not known here.
func hostListing(skills []listedSkill, budget, maxDesc int) listing {
	l := listing{Budget: budget, Without: []string{}, Dropped: []string{}, Sources: []listingSource{}}
	left := budget - bundledListing
	for _, s := range skills {
		left -= nameLine(s.Name)
	}
	full := false
	for _, s := range skills {
		i := slices.IndexFunc(l.Sources, func(o listingSource) bool { return o.Source == s.Source })
		if i < 0 {
			i = len(l.Sources)
			l.Sources = append(l.Sources, listingSource{Source: s.Source})
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
