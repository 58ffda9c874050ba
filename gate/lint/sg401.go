package lint

import (
	"fmt"
	"strings"
)

var nearDuplicate = &Rule{
	ID:       "SG401",
	Title:    "copy of another skill",
	Why:      "the gate shows one of the copies; a change to one leaves the others as they were",
	Advice:   "delete the copies, or make them one skill with options",
	See:      sraURL,
	Since:    v1,
	Group:    GroupLibrary,
	Severity: Warning,
	Bad: Example{Files: []ExampleFile{
		{Path: "rooms/SKILL.md", Text: "---\nname: rooms\ndescription: Books meeting rooms for a team. Use when the user asks to find a free room with a projector.\n---\n" + roomText},
		{Path: "rooms-2/SKILL.md", Text: "---\nname: rooms-2\ndescription: Books meeting rooms for a team. Use when the user asks to find a free room with a projector.\n---\n" + roomText},
	}},
	Good: Example{Files: []ExampleFile{
		{Path: "rooms/SKILL.md", Text: "---\nname: rooms\ndescription: Books meeting rooms for a team. Use when the user asks to find a free room with a projector.\n---\n" + roomText},
		skill("desks", "Books desks for a day. Use when the user asks for a desk."),
	}},
	Within: func(l *Library, s *Skill, report Report) {
		copies := l.copies(s)
		if len(copies) == 0 {
			return
		}
		names := make([]string, 0, 3)
		for _, c := range copies {
			if len(names) == 3 {
				names = append(names, fmt.Sprintf("%d more", len(copies)-3))
				break
			}
			names = append(names, c.ID)
		}
		report(Problem{At: s.Src.Line(1), Text: "nearly the same text as " + strings.Join(names, ", ")})
	},
}

// copies lists the other skills with nearly the text of s. Skills that are one text
// for different things, as for one service each, are not copies.
func (l *Library) copies(s *Skill) []*Skill {
	if l.families == nil {
		return nil
	}
	var out []*Skill
	var own map[string]bool
	for _, other := range l.families[l.familyOf[s.ID]] {
		if other == s {
			continue
		}
		if own == nil {
			own = stems(s.Description + " " + s.Body)
		}
		if !template(s, other, own) {
			out = append(out, other)
		}
	}
	return out
}

// template reports whether two skills with nearly one text are for different things:
// s speaks of a word of its name that the other's has not, and nowhere of those that
// only the other's name has. own is the words of s.
func template(s, other *Skill, own map[string]bool) bool {
	mine, theirs := nameStems(s), nameStems(other)
	speaks, strange := false, false
	for w := range mine {
		speaks = speaks || !theirs[w] && own[w]
	}
	for w := range theirs {
		if !mine[w] {
			if own[w] {
				return false
			}
			strange = true
		}
	}
	return speaks && strange
}

// nameStems are the words of a skill's name, without numbers that tell copies apart.
func nameStems(s *Skill) map[string]bool {
	return stems(strings.Join(nameWords(s), " "))
}

// Families notes which skills are copies of one text.
func (l *Library) Families(r *Retriever) {
	l.families, l.familyOf = map[uint64][]*Skill{}, map[string]uint64{}
	for _, s := range l.Skills {
		if doc, ok := r.byID[s.ID]; ok && r.docs[doc].family != 0 {
			f := r.docs[doc].family
			l.familyOf[s.ID] = f
			l.families[f] = append(l.families[f], s)
		}
	}
}
