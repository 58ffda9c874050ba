package lint

import (
	"fmt"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint/measure"
	"github.com/skillgate/skillgate/gate/lint/source"
)

var sg301 = &Rule{ID: "SG301", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	m := l.measured(s)
	if m == nil {
		return
	}
	n := 0
	for _, p := range m.Probes {
		if !p.Quoted || p.Words == 0 || p.Place > 0 && p.Place <= reach || p.Words == 1 && p.Share >= deadShare || n == 3 ||
			expr("openPlace").MatchString(p.Text) {
			continue
		}
		n++
		place, first, because := fmt.Sprintf("has rank %d", p.Place), p.First, ""
		if p.Place == 0 {
			place = fmt.Sprintf("is not among the first %d results", findable.Depth)
		}
		if other := l.byID[first]; other != nil {
			first = other.Name
		}
		if p.By != "" {
			because = " because of " + p.By
		}
		report.at(s.InDescription(p.Text), "for %q, this skill %s; %s ranks first%s", source.Short(p.Text), place, first,
			because)
	}
}}

func (l *Library) measured(s *Skill) *measure.Result {
	if l.Measured == nil || !s.Described() {
		return nil
	}
	return l.Measured[s.ID]
}
