package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/clip"
)

// Shorten returns the text of a listing without most of the skills that are held, which
// means that hints and searches find them. Of those it keeps the most used ones, in at most
// budget UTF-16 units, and all of them where they fit. Everything else stays: the host's own
// skills, what is not held, and the lines around them. A line says how many are left out.
// The text is returned as it is where none is, and where it is not a listing.
func Shorten(text string, held func(name string) bool, uses map[string]float64, budget int) string {
	entries := entriesOf(text)
	var own []int
	size := 0
	for i, e := range entries {
		if e.name != "" && held(e.name) {
			own = append(own, i)
			size += clip.UTF16(e.text)
		}
	}
	if size <= budget {
		return text
	}
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(uses[entries[b].name], uses[entries[a].name]) })
	left := budget
	out := 0
	for _, i := range own {
		if n := clip.UTF16(entries[i].text); uses[entries[i].name] > 0 && n <= left {
			left -= n
			continue
		}
		entries[i].text = ""
		out++
	}
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.text)
	}
	skills := "skills are"
	if out == 1 {
		skills = "skill is"
	}
	return fmt.Sprintf("%s\n\n%d more %s installed that this list leaves out. The Skill tool loads each by its name. "+
		"Hints name those that fit a prompt; the skill_lookup tool finds them by what they are for.",
		strings.TrimRight(b.String(), "\n"), out, skills)
}

// entry is a skill's lines in a listing; without a name, the lines before the first skill.
type entry struct{ name, text string }

// entriesOf splits a listing: "- name: description", where a description may have lines of
// its own, also such as begin with a dash.
func entriesOf(text string) []entry {
	out := []entry{{}}
	for line := range strings.Lines(text) {
		if name := nameOf(line); name != "" {
			out = append(out, entry{name: name})
		}
		out[len(out)-1].text += line
	}
	return out
}

// nameOf is the name that a line of a listing begins with, "" where it is none.
func nameOf(line string) string {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "- ")
	name, _, _ := strings.Cut(rest, ": ")
	name = strings.TrimSuffix(name, ":")
	if !ok || strings.ContainsAny(name, " \t") {
		return ""
	}
	return name
}
