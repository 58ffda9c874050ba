package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/plugin"
)

// Shortener shortens listings of Claude Code to the skills that are most likely to be wanted.
type Shortener struct {
	skills map[string]skill // that hints and searches find, by name
	lookup string           // description of the plugin's skill that says how the others are found
}

// skill is a skill as the shortened list ranks it.
type skill struct {
	text    string  // description
	uses    float64 // as Claude Code weighs them
	logs    int     // of other sessions that used it, by any host
	project bool    // it is the project's own
	changed int64   // when its file was
}

// lookup is the plugin's own skill.
const lookup = plugin.Name + ":find-skills"

// NewShortener returns the shortener for a session whose skills are those of g. Without g it leaves listings alone.
func NewShortener(g *gate.Gate, s hostfile.Session, now time.Time) (*Shortener, error) {
	x := &Shortener{skills: map[string]skill{}}
	if g == nil {
		return x, nil
	}
	offers, err := g.Offers()
	if err != nil {
		return nil, err
	}
	uses, logs := Uses(&hooks.Claude, s, now), logged(s)
	for _, d := range offers {
		switch {
		case d.Flags&index.IsAgent != 0:
		case d.Name == lookup:
			x.lookup = d.Description
		default:
			x.skills[d.Name] = skill{d.Description, uses[d.Name], logs[d.Name], d.Source == string(catalog.Project), d.ModTime}
		}
	}
	return x, nil
}

// before compares two skills: the one that is listed first comes first.
func (a skill) before(b skill) int {
	project := func(s skill) int {
		if s.project {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(b.uses, a.uses), cmp.Compare(b.logs, a.logs), cmp.Compare(project(b), project(a)),
		cmp.Compare(b.changed, a.changed))
}

// Shorten returns the text of a listing without most of the skills that hints and searches find. Of those it keeps as
// many as fit into budget UTF-16 units: first the most used ones, then those that other sessions used, the project's
// own and the newest. A used one and the plugin's own skill get the description back for which the host had no room.
// Everything else stays: the host's own skills, what is not found, and the lines around them. A line says how many are
// left out. If none is, or the text is not a listing, it is returned as it is.
func (x *Shortener) Shorten(text string, budget int) string {
	list, out := x.shorten(text, budget)
	return list + leftOut(out)
}

// leftOut is the end of a list that leaves out n skills.
func leftOut(n int) string {
	skills := "skills are"
	switch n {
	case 0:
		return ""
	case 1:
		skills = "skill is"
	}
	return fmt.Sprintf("\n\n%d more %s installed that this list leaves out. The Skill tool loads each by its name. "+
		"Hints name those that fit a prompt; the skill_lookup tool finds them by what they are for.", n, skills)
}

// shorten is Shorten without that end: it returns how many are left out.
func (x *Shortener) shorten(text string, budget int) (list string, out int) {
	entries := entriesOf(text)
	var found []int
	size := 0
	for i, e := range entries {
		if _, ok := x.skills[e.name]; ok {
			found = append(found, i)
			size += clip.UTF16(e.text)
		}
	}
	if size <= budget {
		return text, 0
	}
	slices.SortStableFunc(found, func(a, b int) int {
		return x.skills[entries[a].name].before(x.skills[entries[b].name])
	})
	for _, i := range found {
		e := &entries[i]
		if s := x.skills[e.name]; s.uses > 0 {
			e.describe(s.text)
		}
		if n := clip.UTF16(e.text); n <= budget {
			budget -= n
			continue
		}
		e.text = ""
		out++
	}
	var b strings.Builder
	for _, e := range entries {
		if e.name == lookup {
			e.describe(x.lookup)
		}
		b.WriteString(e.text)
	}
	return strings.TrimRight(b.String(), "\n"), out
}

// markup is how the host writes characters of descriptions.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// describe gives a bare name its description.
func (e *entry) describe(text string) {
	if text = strings.Join(strings.Fields(text), " "); text != "" && strings.TrimRight(e.text, "\r\n") == "- "+e.name {
		e.text = "- " + e.name + ": " + markup.Replace(text) + "\n"
	}
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
