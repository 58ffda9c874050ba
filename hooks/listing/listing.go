// Package listing computes how much of a session a host's listing of skills takes up.
//
// A line is "- name: text". Where all lines together fit into the budget, they are sent.
// Otherwise every name is sent, and texts as far as the budget allows: first those of the
// host's own skills, however long, then those of the skills that are used most. A
// text that does not fit is left out and the next one tried. This is how Claude Code 2.1.197
// and 2.1.330 do it; testdata/clients has what they sent.
package listing

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/wording"
)

// Skill is a skill as the host lists it at the start of a session.
type Skill struct {
	Name     string
	Text     string  // description and when_to_use
	Source   string  // where it comes from, for the table; "" for the host's own
	NameOnly bool    // skillOverrides: name-only
	Kept     bool    // its text is sent whatever the budget
	Uses     float64 // how much it is used, for the order
}

// Limits bound a listing.
type Limits struct {
	Budget        int `json:"budget"`         // display columns
	MaxDesc       int `json:"max_desc_chars"` // characters of one text
	CharsPerToken int `json:"chars_per_token"`
}

// Listing is what the host's skill listing costs a session, in characters as the API counts
// them, which are UTF-16 units.
type Listing struct {
	Limits
	Total     int      `json:"total"`     // all of it
	Tokens    int      `json:"tokens"`    // all of it, as the host estimates them
	Chars     int      `json:"chars"`     // of installed skills' lines
	Own       int      `json:"own"`       // of the lines of the host's own skills
	Names     int      `json:"names"`     // of installed skills, listed
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

// line is a skill's line without and with its text.
type line struct{ name, full string }

// sent is the line with its text or without.
func (l line) sent(full bool) string {
	if full {
		return l.full
	}
	return l.name
}

func lineOf(s Skill, maxDesc int) line {
	name := "- " + s.Name
	if s.NameOnly {
		return line{name, name}
	}
	text := s.Text
	if clip.UTF16(text) > maxDesc {
		text = cut(text, maxDesc-1) + "…"
	}
	return line{name, name + ": " + text}
}

// cut returns the first n UTF-16 units of s.
func cut(s string, n int) string {
	for i, r := range s {
		if n -= clip.UTF16(string(r)); n < 0 {
			return s[:i]
		}
	}
	return s
}

// Of computes the listing of skills, which are in the host's order, the host's own among
// them.
func Of(skills []Skill, limits Limits) Listing {
	l := Listing{Limits: limits, Without: []string{}, Dropped: []string{}, Sources: []Source{}}
	lines := make([]line, len(skills))
	for i, s := range skills {
		lines[i] = lineOf(s, limits.MaxDesc)
	}
	shown := fit(skills, lines, limits.Budget, wording.Width)
	for i, s := range skills {
		chars := clip.UTF16(lines[i].sent(shown[i])) + 1
		l.Total += chars
		if s.Source == "" {
			l.Own += chars
			continue
		}
		at := slices.IndexFunc(l.Sources, func(o Source) bool { return o.Source == s.Source })
		if at < 0 {
			at = len(l.Sources)
			l.Sources = append(l.Sources, Source{Source: s.Source})
		}
		source := &l.Sources[at]
		l.Chars += chars
		source.Chars += chars
		l.Names++
		source.Names++
		source.NameChars += clip.UTF16(lines[i].name) + 1
		switch {
		case s.NameOnly:
		case s.Text == "":
			l.Without = append(l.Without, s.Name)
		case !shown[i]:
			l.Dropped = append(l.Dropped, s.Name)
			source.Dropped++
		default:
			if clip.UTF16(s.Text) > limits.MaxDesc {
				l.Clipped++
			}
			l.Described++
			source.Described++
		}
	}
	l.Total = max(0, l.Total-1) // no line break ends it
	l.Own = min(l.Own, l.Total)
	// The host estimates tokens line by line, of the lines that it would send if a character
	// took one column.
	for i, counted := range fit(skills, lines, limits.Budget, clip.UTF16) {
		chars := clip.UTF16(lines[i].sent(counted))
		l.Tokens += int(math.Round(float64(chars) / float64(limits.CharsPerToken)))
	}
	return l
}

// Text is the listing of skills as the host sends it within limits.
func Text(skills []Skill, limits Limits) string {
	lines := make([]line, len(skills))
	for i, s := range skills {
		lines[i] = lineOf(s, limits.MaxDesc)
	}
	var out []string
	for i, shown := range fit(skills, lines, limits.Budget, wording.Width) {
		out = append(out, lines[i].sent(shown))
	}
	return strings.Join(out, "\n")
}

// fit reports which lines are sent with their text into a budget, by a measure of text.
func fit(skills []Skill, lines []line, budget int, measure func(string) int) []bool {
	shown := make([]bool, len(skills))
	costs := make([]int, len(skills)) // of the texts
	all, left := -1, budget+1         // a line break after each line but the last
	for i, s := range skills {
		name, full := measure(lines[i].name), measure(strings.ReplaceAll(lines[i].full, "\n", ""))
		costs[i] = full - name
		all += full + 1
		left -= name + 1
		if shown[i] = s.Kept || s.NameOnly; shown[i] {
			left -= costs[i]
		}
	}
	if all <= budget {
		for i := range shown {
			shown[i] = true
		}
		return shown
	}
	var order []int
	for i := range skills {
		if !shown[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(skills[b].Uses, skills[a].Uses) })
	for _, i := range order {
		if costs[i] <= left {
			left -= costs[i]
			shown[i] = true
		}
	}
	return shown
}
