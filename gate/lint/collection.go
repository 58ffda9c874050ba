package lint

var sg405 = &Rule{ID: "SG405", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	by := l.Shadowed[s.ID]
	if by == "" {
		return
	}
	where := by
	if w := l.byID[by]; w != nil {
		where = w.Src.Path
	}
	report.at(s.Key("name"), "the host loads %s instead of this skill; both are named %q", where, s.Name)
}}
