package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/synonyms/lang"
)

var sg301 = &Rule{ID: "SG301", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	m := l.measured(s)
	if m == nil {
		return
	}
	n := 0
	for _, p := range m.Probes {
		if !p.missed() || commonWord(p) || n == 3 || openPlace.get().MatchString(p.Text) {
			continue
		}
		n++
		report.at(s.probePlace(p), "%q finds this skill %s; %s", printableShort(p.Text), placeName(p.Place), l.winner(p))
	}
}}

// missed reports whether a prompt that should find the skill does not bring it
// into reach.
func (p Probe) missed() bool {
	return p.Said && p.Words > 0 && (p.Place == 0 || p.Place > reach)
}

func placeName(n int) string {
	if n == 0 {
		return fmt.Sprintf("not among the first %d", findable.Depth)
	}
	return fmt.Sprintf("in place %d", n)
}

// winner says which skill is first for a probe, and why.
func (l *Library) winner(p Probe) string {
	name := l.nameOf(p.First)
	if p.By == "" {
		return "first is " + name
	}
	return fmt.Sprintf("first is %s, by %s", name, p.By)
}

// nameOf returns the name of the skill with that ID.
func (l *Library) nameOf(id string) string {
	if s := l.byID[id]; s != nil {
		return s.Name
	}
	return id
}

// measured returns what the retriever said about s, nil where it was not asked or
// there is no description to ask about.
func (l *Library) measured(s *Skill) *Measured {
	if l.Measured == nil || !s.Described() {
		return nil // SG106 says more
	}
	return l.Measured.ByID[s.ID]
}

// probePlace is where the prompt of a probe stands in the skill.
func (s *Skill) probePlace(p Probe) Place {
	if p.Kind == "example" {
		if start, end, ok := s.Src.find(p.Text, s.Front.Body, len(s.Src.Text)); ok {
			return s.Src.Span(start, end)
		}
	}
	return s.InDescription(p.Text)
}

var (
	sg302 = unreached("SG302", lang.All[1:])
	sg303 = unreached("SG303", lang.All[:1])
)

// unreached is a rule for skills that no prompt in one of some languages reaches.
func unreached(id string, languages []*lang.Language) *Rule {
	return &Rule{ID: id, Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || internalOnly(s) {
			return
		}
		for _, language := range languages {
			r := m.Reach[language.Code]
			if l.Wants(language.Code) && !r.Found && (r.Tried || leads(language)) {
				report.at(s.DescriptionPlace(), "%s", unreachedText(r, m, language.Name))
			}
		}
	}}
}

func unreachedText(r *Reach, m *Measured, language string) string {
	switch {
	case r.Own:
		return fmt.Sprintf("none of its %s triggers brings it among the first %d", language, reach)
	case r.Tried:
		return fmt.Sprintf("there is no %s trigger, and %q does not bring it among the first %d", language, r.Prompt, reach)
	}
	if len(m.Telling) == 0 {
		return fmt.Sprintf("there is no %s trigger, and no telling word to look up in the dictionary", language)
	}
	return fmt.Sprintf("there is no %s trigger, and the dictionary has no %s for its words (%s)", language, language,
		quoteList(m.Telling, 4))
}

var sg308 = &Rule{ID: "SG308", Severity: Info, Within: func(l *Library, s *Skill, report Report) {
	second := l.Usage[s.Name].Second
	names := sortedNames(second)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(second[b], second[a]) })
	for _, first := range names {
		if second[first] < minSecond {
			return
		}
		for _, other := range l.Named(first) {
			if s.sendsTo(l, other.ID) {
				continue
			}
			report.at(s.DescriptionPlace(), "second %d times in %d days to %s", second[first], l.Days, first)
			return
		}
	}
}}

const minSecond = 5 // prompts; fewer may be one user's one task
