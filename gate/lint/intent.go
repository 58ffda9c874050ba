package lint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/ir"
	"github.com/skillgate/skillgate/gate/lint/measure"
	"github.com/skillgate/skillgate/gate/lint/source"
)

var sg601 = &Rule{ID: "SG601", Severity: Error, Within: func(l *Library, s *Skill, report Report) {
	var fault *ir.Problem
	switch {
	case errors.As(s.IRErr, &fault):
		report.at(s.IRSrc.Line(fault.Line), "%s", fault.Text)
		return
	case s.IRErr != nil:
		report.at(s.Src.Whole(), "%s: %s", ir.File, s.IRErr)
		return
	case s.IR == nil:
		return
	}
	for _, p := range s.IR.Validate(l.Languages, s.Has) {
		report.at(s.IRSrc.Line(p.Line), "%s", p.Text)
	}
}}

func (s *Skill) intentPlace(line int) source.Place {
	if line == 0 {
		return s.Key("description")
	}
	return s.IRSrc.Line(line)
}

var sg602 = &Rule{ID: "SG602", Severity: Warning, Check: func(s *Skill, report Report) {
	if s.IR == nil {
		return
	}
	n := 0
	for _, d := range s.IR.Compare(s.Entry) {
		if d.Only != ir.File && s.alternative(d.Value) {
			continue
		}
		if n++; n > 10 {
			return
		}
		at := s.intentPlace(d.Line)
		if d.Only != ir.File {
			at = s.InDescription(d.Value)
		}
		report.at(at, "%s: %q is only in %s", d.Field, source.Short(d.Value), d.Only)
	}
}}

func (s *Skill) alternative(name string) bool {
	text := strings.Join(strings.Fields(s.Text()), " ")
	return slices.ContainsFunc(s.IR.Boundaries, func(b ir.Boundary) bool {
		return b.Use != "" && slices.ContainsFunc([]string{" or ", "/", ", ", " / ", " 또는 ", "나 "}, func(or string) bool {
			return strings.Contains(text, b.Use+or+name)
		})
	})
}

var sg603 = &Rule{ID: "SG603", Severity: Warning, NeedsAll: true, Within: func(l *Library, s *Skill, report Report) {
	if s.IR == nil {
		return
	}
	for i, b := range s.IR.Boundaries {
		if b.Use != "" && len(l.ByName(b.Use)) == 0 {
			report.at(s.intentPlace(s.IR.Line(fmt.Sprintf("boundaries.%d", i))), "no skill is named %q", b.Use)
		}
	}
}}

var sg604 = &Rule{ID: "SG604", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	m := l.measured(s)
	if m == nil {
		return
	}
	claims := slices.DeleteFunc(slices.Clone(m.Claims), func(c measure.Claim) bool { return conflict(c) == "" })
	slices.SortStableFunc(claims, func(a, b measure.Claim) int { return cmp.Compare(margin(b), margin(a)) })
	reported := set{}
	for i, c := range claims {
		if !reported.add(c.Other) {
			continue
		}
		text := fmt.Sprintf("the trigger %q finds %s", c.Trigger, conflict(c))
		var more []string
		for _, d := range claims[i+1:] {
			if d.Other == c.Other {
				more = append(more, d.Trigger)
			}
		}
		if more != nil {
			text += "; the same applies to " + `"` + strings.Join(more, `", "`) + `"`
		}
		report.at(s.intentPlace(s.IR.Line(c.Path)), "%s", text)
	}
}}

// margin returns the lead of the other skill as a share of that skill's score. It is 1 if this skill is not found.
func margin(c measure.Claim) float64 {
	if c.Own == 0 {
		return 1
	}
	return 1 - 1/max(c.Ratio, 1e-9)
}

func conflict(c measure.Claim) string {
	switch {
	case c.Other == "":
		return ""
	case c.Own == 0:
		return fmt.Sprintf("%s, but this skill is not among the first %d results", c.Other, findable.Depth)
	case c.Ratio > 1:
		return fmt.Sprintf("%s first, with a score %.0f %% above this skill's", c.Other, 100*(c.Ratio-1))
	case !c.Sent && c.Ratio >= nearClaim && c.Head >= nearClaim:
		return fmt.Sprintf("%s too, with a score only %.0f %% below this skill's", c.Other, 100*(1-c.Ratio))
	}
	return ""
}

const nearClaim = 0.8 // minimum Ratio of a conflict; above it, one more word can reverse the order
