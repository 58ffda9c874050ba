package lint

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/wording"
)

var sg401 = &Rule{ID: "SG401", Severity: Info, Within: func(l *Library, s *Skill, report Report) {
	copies := l.copies(s)
	if len(copies) == 0 || s.order < copies[0].order { // said of the later ones
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
	report.at(s.Src.Line(1), "%s", "nearly the same text as "+strings.Join(names, ", "))
}}

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

func nameStems(s *Skill) map[string]bool {
	return stems(strings.Join(nameWords(s), " "))
}

func nameWords(s *Skill) []string {
	name := s.Name
	if given, ok := s.Front.Scalar("name"); ok && strings.TrimSpace(given) != "" {
		name = given
	}
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Families notes which skills are copies of one text.
func (l *Library) Families(r *findable.Retriever) {
	l.families, l.familyOf = map[uint64][]*Skill{}, map[string]uint64{}
	for _, s := range l.Skills {
		if doc, ok := r.ByID[s.ID]; ok && r.Docs[doc].Family != 0 {
			f := r.Docs[doc].Family
			l.familyOf[s.ID] = f
			l.families[f] = append(l.families[f], s)
		}
	}
}

var sg404 = &Rule{ID: "SG404", Severity: Info, Whole: func(l *Library, report Report) {
	if x := l.Listing; x != nil && len(x.Dropped) > 0 {
		report(Problem{Text: fmt.Sprintf("names and descriptions do not fit into %d characters; without their "+
			"description: %s: %s", x.Budget, wording.Count(len(x.Dropped), "skill"), firstOf(x.Dropped, maxListed))})
	}
}}

const maxListed = 40 // names that a message has room for

func firstOf(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:n], ", "), len(list)-n)
}

// Listing is what the host's listing of skills has no room for.
type Listing struct {
	Budget  int      // characters
	Dropped []string // names of the skills that are listed without their description
}

var sg405 = &Rule{ID: "SG405", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	by := l.Shadowed[s.ID]
	if by == "" {
		return
	}
	where := by
	if w := l.byID[by]; w != nil {
		where = w.Src.Path
	}
	report.at(s.Key("name"), "the host loads %s under the name %q", where, s.Name)
}}
