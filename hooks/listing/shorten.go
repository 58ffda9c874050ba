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

// Shortener shortens Claude Code's skill list to the skills that are most likely to be needed.
type Shortener struct {
	skills map[string]skill // skills that the gate can suggest, by name; only these may be left out
	lookup string           // description of the plugin's find-skills skill
}

// skill holds the description and the sort keys of a skill.
type skill struct {
	text    string  // description
	uses    float64 // number of uses, weighted as by Claude Code
	logs    int     // number of other sessions, of any host, that used the skill
	project bool    // the skill belongs to the project
	changed int64   // modification time of its file
}

// lookup is the name of the plugin's own skill, which explains how to find the skills that are left out.
const lookup = plugin.Name + ":find-skills"

// NewShortener returns a shortener for session s with the skills of g. If g is nil, it does not change lists.
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

// before returns a negative number if a comes before b in the list, and a positive number if it comes after b.
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

// Shorten returns the skill list text without most of the skills that the gate can suggest. Of these skills it keeps as
// many as fit into budget UTF-16 units, in this order: the most used skills, skills that other sessions used, skills of
// the project, the newest skills. It adds missing descriptions of used skills and of the plugin's own skill. All other
// skills and lines stay. A last line says how many skills are left out. If none is left out, or text is not a skill
// list, Shorten returns text unchanged.
func (x *Shortener) Shorten(text string, budget int) string {
	list, out := x.shorten(text, budget)
	return list + leftOut(out)
}

func leftOut(n int) string {
	skills := "skills are"
	switch n {
	case 0:
		return ""
	case 1:
		skills = "skill is"
	}
	return fmt.Sprintf("\n\n%d more %s installed but not listed here. The Skill tool loads each by its name. "+
		"Suggestions name the skills that fit a prompt; the skill_lookup tool finds skills by their purpose.", n, skills)
}

// shorten is like Shorten, but returns the number of skills that are left out instead of adding a sentence.
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

// markup escapes descriptions as the host does.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (e *entry) describe(text string) {
	if text = strings.Join(strings.Fields(text), " "); text != "" && strings.TrimRight(e.text, "\r\n") == "- "+e.name {
		e.text = "- " + e.name + ": " + markup.Replace(text) + "\n"
	}
}

// entry holds the lines of one skill, or, with an empty name, the lines before the first skill.
type entry struct{ name, text string }

// entriesOf splits a list of lines "- name: description". A description may have several lines, and each of them may
// begin with a dash.
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

func nameOf(line string) string {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "- ")
	name, _, _ := strings.Cut(rest, ": ")
	name = strings.TrimSuffix(name, ":")
	if !ok || strings.ContainsAny(name, " \t") {
		return ""
	}
	return name
}
