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
		if !missed(p) || p.Words == 1 && p.Share >= deadShare || n == 3 || expr("openPlace").MatchString(p.Text) {
			continue
		}
		n++
		report.at(s.InDescription(p.Text), "for %q, this skill %s; %s", source.Short(p.Text), placeName(p.Place), l.winner(p))
	}
}}

func missed(p measure.Probe) bool {
	return p.Quoted && p.Words > 0 && (p.Place == 0 || p.Place > reach)
}

func placeName(n int) string {
	if n == 0 {
		return fmt.Sprintf("is not among the first %d", findable.Depth)
	}
	return fmt.Sprintf("has rank %d", n)
}

func (l *Library) winner(p measure.Probe) string {
	name := l.nameOf(p.First)
	if p.By == "" {
		return name + " ranks first"
	}
	return fmt.Sprintf("%s ranks first because of %s", name, p.By)
}

func (l *Library) nameOf(id string) string {
	if s := l.byID[id]; s != nil {
		return s.Name
	}
	return id
}

func (l *Library) measured(s *Skill) *measure.Result {
	if l.Measured == nil || !s.Described() {
		return nil
	}
	return l.Measured[s.ID]
}
