package lint

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// ignoreMark is a skillgate-ignore comment:
//
//	# skillgate-ignore SG203, SG206: driven by another skill   in the frontmatter: applies to the whole file
//	<!-- skillgate-ignore SG507: shown as a warning -->         in the body: applies to its line and the next
type ignoreMark struct {
	line   int
	whole  bool // applies to the whole file
	ids    []string
	reason string
	start  int // offset of the comment
	end    int
}

func readMarks(src *source.File, front *Front) []ignoreMark {
	if !strings.Contains(src.Text, "skillgate-ignore") {
		return nil
	}
	var out []ignoreMark
	for l := range source.EachLine(src.Text, 0) {
		for _, m := range findAll("ignoreComment", l.Text, 1) {
			mark := ignoreMark{line: src.LineAt(l.Start), start: l.Start + m[0], end: l.Start + m[1],
				whole: front.Opened && l.Start >= front.Start && l.Start < front.End,
				ids:   strings.Fields(strings.ReplaceAll(l.Text[m[2]:m[3]], ",", " "))}
			if m[4] >= 0 {
				mark.reason = strings.TrimSpace(l.Text[m[4]:m[5]])
			}
			out = append(out, mark)
		}
	}
	return out
}

// ignored reports whether a comment with a reason in the skill silences findings of rule at the given place.
func (s *Skill) ignored(rule string, at source.Place) bool {
	names := func(id string) bool { return strings.EqualFold(id, rule) }
	return slices.ContainsFunc(s.marks, func(m ignoreMark) bool {
		here := m.whole || at.Path == s.Src.Path && (at.Line == m.line || at.Line == m.line+1)
		return here && m.reason != "" && slices.ContainsFunc(m.ids, names)
	})
}

var sg136 = &Rule{ID: "SG136", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	for _, m := range s.marks {
		if len(m.ids) == 0 || m.reason == "" {
			report.at(s.Src.Span(m.start, m.end), "the skillgate-ignore comment silences nothing without a rule and a reason")
		}
		for _, id := range m.ids {
			if !l.rules[strings.ToUpper(id)] {
				report.at(s.Src.Span(m.start, m.end), "the skillgate-ignore comment names the unknown rule %s", id)
			}
		}
	}
}}
