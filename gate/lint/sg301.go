package lint

import (
	"fmt"
)

var losesTrigger = &Rule{
	ID:       "SG301",
	Title:    "own trigger finds other skills",
	Why:      "the gate names five skills at most: for this prompt, which the description itself gives, the skill is not among them",
	Advice:   "say the phrase with a word that only this skill has, or say its words in the first sentence; if the other skill is the right one, take the trigger out",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	Bad: Example{
		Crowd: Crowd{12, "Summarises a meeting of team %s. Use when the user says \"summarise the meeting\"."},
		Files: []ExampleFile{
			skill("budget", "Adds up the costs of a quarter by cost centre for the board, with a chart for every month of the year. Use when the user says \"costs of a quarter\", \"summarise the meeting\"."),
		},
	},
	Good: Example{
		Crowd: Crowd{12, "Summarises a meeting of team %s."},
		Files: []ExampleFile{
			skill("budget", "Adds up the costs of a quarter by cost centre for the board, with a chart for every month of the year. Use when the user says \"costs of a quarter\"."),
		},
	},
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || m.lost() {
			return // SG402 says more
		}
		n := 0
		for _, p := range m.Probes {
			if !p.missed() || commonWord(p) || n == 3 || openPlace.get().MatchString(p.Text) {
				continue
			}
			n++
			report(Problem{At: s.probePlace(p), Text: fmt.Sprintf("%q finds this skill %s; %s", printableShort(p.Text), placeName(p.Place), l.winner(p)), Hint: l.makeParticular(p)})
		}
	},
}

// makeParticular says what to do about a trigger that finds other skills.
func (l *Library) makeParticular(p Probe) string {
	first := l.nameOf(p.First)
	switch {
	case p.With != "" && p.First != "":
		return fmt.Sprintf("with %q in it the phrase finds this skill; where %s is the right one, take it out", p.With, first)
	case p.With != "":
		return fmt.Sprintf("with %q in it the phrase finds this skill", p.With)
	case p.First != "":
		return "words of its name do not help this phrase: take it out, or say its words in the first sentence"
	}
	return ""
}

// missed reports whether a prompt that should find the skill does not bring it
// into reach.
func (p Probe) missed() bool {
	return p.Said && p.Words > 0 && (p.Place == 0 || p.Place > reach)
}

// lost reports whether nothing that the skill says of itself brings it into reach,
// nor its name.
func (m *Measured) lost() bool {
	for _, r := range m.Reach {
		if r.Found {
			return false
		}
	}
	tried := 0
	for _, p := range m.Probes {
		if p.Place > 0 && p.Place <= reach {
			return false
		}
		if p.Words > 0 {
			tried++
		}
	}
	return tried > 0
}

func placeName(n int) string {
	if n == 0 {
		return fmt.Sprintf("not among the first %d", depth)
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
