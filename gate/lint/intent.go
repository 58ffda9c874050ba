package lint

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/gate/ir"
)

var sg601 = &Rule{ID: "SG601", Severity: Error, Within: func(l *Library, s *Skill, report Report) {
	if s.IRErr != nil {
		src := s.IRSrc
		if src == nil {
			src = s.Src
		}
		report.at(src.Whole(), "%s", s.IRErr.Error())
		return
	}
	if s.IR == nil {
		return
	}
	for _, p := range s.IR.Validate(l.Languages, s.Has) {
		report.at(s.IRSrc.Line(p.Line), "%s", p.Text)
	}
}}

// intentPlace is a line of a skill's intent.yaml.
func (s *Skill) intentPlace(line int) Place {
	if line == 0 {
		return s.Key("description")
	}
	return s.IRSrc.Line(line)
}

// isFile reports whether a difference is of something only intent.yaml has.
func isFile(d ir.Difference) bool { return d.Only == ir.File }

var sg602 = &Rule{ID: "SG602", Severity: Warning, Check: func(s *Skill, report Report) {
	if s.IR == nil {
		return
	}
	n := 0
	for _, d := range s.IR.Compare(s.Entry) {
		if !isFile(d) && s.alternative(d.Value) {
			continue
		}
		if n++; n > 10 {
			return
		}
		at := s.intentPlace(d.Line)
		if !isFile(d) {
			at = s.InDescription(d.Value)
		}
		report.at(at, "%s: %q is only in %s", d.Field, printableShort(d.Value), d.Only)
	}
}}

// alternative reports whether the description offers the skill beside one that
// intent.yaml names: "use simplify or deep-review". A boundary has room for one.
func (s *Skill) alternative(name string) bool {
	text := strings.Join(strings.Fields(s.Text()), " ")
	for _, b := range s.IR.Boundaries {
		for _, or := range []string{" or ", "/", ", ", " / ", " 또는 ", "나 "} {
			if b.Use != "" && strings.Contains(text, b.Use+or+name) {
				return true
			}
		}
	}
	return false
}

var sg603 = &Rule{ID: "SG603", Severity: Warning, NeedsAll: true, Within: func(l *Library, s *Skill, report Report) {
	if s.IR == nil {
		return
	}
	for i, b := range s.IR.Boundaries {
		if b.Use != "" && len(l.Named(b.Use)) == 0 {
			report.at(s.intentPlace(s.IR.Line(fmt.Sprintf("boundaries.%d", i))), "there is no skill %q", b.Use)
		}
	}
}}

var sg604 = &Rule{ID: "SG604", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	if s.IR == nil {
		return
	}
	for _, lang := range s.IR.Languages() {
		for i, t := range s.IR.Triggers[lang] {
			for _, other := range l.claims(t) {
				if other == s || l.isCopy(s, other) {
					continue
				}
				report.at(s.intentPlace(s.IR.Line(fmt.Sprintf("triggers.%s.%d", lang, i))), "%q is a trigger of %s too", t, other.Name)
				break
			}
		}
	}
}}

func (l *Library) isCopy(a, b *Skill) bool {
	f, ok := l.familyOf[a.ID]
	return ok && f == l.familyOf[b.ID]
}

// claims lists the skills that have a trigger, whatever its case and spaces.
func (l *Library) claims(trigger string) []*Skill {
	l.claimOnce.Do(func() {
		l.claimed = map[string][]*Skill{}
		for _, s := range l.Skills {
			for _, t := range s.Triggers {
				key := strings.ToLower(strings.Join(strings.Fields(t), " "))
				if list := l.claimed[key]; len(list) == 0 || list[len(list)-1] != s {
					l.claimed[key] = append(list, s)
				}
			}
		}
	})
	return l.claimed[strings.ToLower(strings.Join(strings.Fields(trigger), " "))]
}
