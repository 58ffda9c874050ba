package catalog

import (
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Shadowed is an entry that another entry of the same name hides.
type Shadowed struct {
	Entry Entry
	By    string // ID of the entry that the host loads instead
}

// Precedence splits entries into those that the host loads and those that a stronger entry of the same name and pool
// hides:
//
//	skills  organisation, user, project (nearest first), commands in that order, .agents/skills;
//	        within a plugin, commands before skills
//	agents  organisation, project (nearest first), user
//
// Among entries of one level the first in the slice wins, so entries must be in the order of Roots. Library entries
// are named by path: they hide nothing and nothing hides them. winners keep the order of entries.
func Precedence(entries []Entry) (winners []Entry, shadowed []Shadowed) {
	type key struct {
		agent bool
		name  string
	}
	first := make(map[key]int, len(entries))
	for i, e := range entries {
		k := key{e.Pool == Agent, e.Name}
		if by, taken := first[k]; e.Source != Library && (!taken || Level(e) < Level(entries[by])) {
			first[k] = i
		}
	}
	for i, e := range entries {
		if e.Source == Library {
			winners = append(winners, e)
			continue
		}
		if by := first[key{e.Pool == Agent, e.Name}]; by != i {
			shadowed = append(shadowed, Shadowed{Entry: e, By: entries[by].ID})
			continue
		}
		winners = append(winners, e)
	}
	return winners, shadowed
}

// Level returns e's precedence among entries of one name, 0 for the highest, from its ID, Pool and Source.
func Level(e Entry) int {
	switch {
	case strings.HasPrefix(e.ID, dirs.Enterprise+"/"), strings.HasPrefix(e.ID, dirs.Enterprise+"-agents/"):
		return 0
	case e.Source == Project && e.Pool == Agent:
		return 1
	case e.Source == Personal && e.Pool != Command:
		return 2
	case e.Source == Project && e.Pool != Command:
		return 3
	case strings.HasPrefix(e.ID, dirs.Enterprise):
		return 4
	case e.Source == Personal:
		return 5
	case e.Source == Project:
		return 6
	case e.Source == Agents:
		return 7
	case e.Pool == Command:
		return 8
	}
	return 9
}
