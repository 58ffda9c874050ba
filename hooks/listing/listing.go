// Package listing computes the size of the skill list that a host sends to the model.
//
// A line has the form "- name: text". If all lines fit into the budget, the host sends all of
// them. Otherwise it sends every name, all texts of its own skills, and the texts of other
// skills, most used first, that still fit. testdata/clients has recorded requests of Claude
// Code 2.1.197 and 2.1.330 that show this.
package listing

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/wording"
)

// Skill is one skill in the list that the host sends at the start of a session.
type Skill struct {
	Name     string
	Text     string  // description and when_to_use
	Source   string  // origin, such as "personal"; "" for the host's own skills
	NameOnly bool    // the setting skillOverrides has "name-only" for the skill, so its text is not sent
	Kept     bool    // the host always sends its text
	Uses     float64 // weighted number of uses
}

// Limits are the host's limits on its skill list, and the length that it assumes for a token.
type Limits struct {
	Budget        int `json:"budget"`         // maximum width of the listing in display columns
	MaxDesc       int `json:"max_desc_chars"` // maximum length of a description in characters
	CharsPerToken int `json:"chars_per_token"`
}

// Listing is the size of the host's skill list in a session. Characters are UTF-16 units, as
// in the host's own count.
type Listing struct {
	Limits
	Total     int      `json:"total"`     // characters in the whole list
	Tokens    int      `json:"tokens"`    // tokens of the whole list, by the host's estimate
	Chars     int      `json:"chars"`     // characters in the lines of installed skills
	Own       int      `json:"own"`       // characters in the lines of the host's own skills
	Names     int      `json:"names"`     // number of installed skills in the list
	Described int      `json:"described"` // number of skills with a description, complete or cut
	Clipped   int      `json:"clipped"`   // number of descriptions cut at MaxDesc
	Without   []string `json:"without"`   // skills without a description
	Dropped   []string `json:"dropped"`   // skills whose description does not fit into the budget
	Sources   []Source `json:"sources"`
}

// Source holds the figures for all skills with the same Skill.Source.
type Source struct {
	Source    string `json:"source"`
	Names     int    `json:"names"`
	NameChars int    `json:"name_chars"`
	Described int    `json:"described"`
	Dropped   int    `json:"dropped"`
	Chars     int    `json:"chars"`
}

type line struct{ name, full string }

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

func cut(s string, n int) string {
	for i, r := range s {
		if n -= clip.UTF16(string(r)); n < 0 {
			return s[:i]
		}
	}
	return s
}

// Of computes the listing of skills, which must be in the host's order and include the host's own skills.
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
	l.Total = max(0, l.Total-1) // the last line has no line break
	l.Own = min(l.Own, l.Total)
	// The host estimates tokens from the lines that it would send if every character were one
	// column wide.
	for i, counted := range fit(skills, lines, limits.Budget, clip.UTF16) {
		chars := clip.UTF16(lines[i].sent(counted))
		l.Tokens += int(math.Round(float64(chars) / float64(limits.CharsPerToken)))
	}
	return l
}

// Text returns the list of skills that the host sends within limits.
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

// fit reports for each skill whether its text is sent. budget is the maximum size of the list, as counted by measure.
func fit(skills []Skill, lines []line, budget int, measure func(string) int) []bool {
	shown := make([]bool, len(skills))
	costs := make([]int, len(skills)) // size of each text without the name
	all, left := -1, budget+1         // every line but the last has a line break
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
