package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/secret"
)

// Score describes how a skill ranks for requests that should find it (package findable), whatever its findings.
type Score struct {
	Own     Tally              `json:"own"`            // requests from its triggers and description
	Given   Tally              `json:"given"`          // requests from trigger files and the log
	Written Tally              `json:"written"`        // requests written by a model
	Steals  int                `json:"steals"`         // number of other skills' requests that find this skill first
	Missed  []findable.Request `json:"missed"`         // requests of all three kinds that do not find it first
	Note    string             `json:"note,omitempty"` // why there are no requests
}

// Tally counts requests by the rank of a skill.
type Tally struct {
	Asked int `json:"asked"`
	First int `json:"first"` // requests for which the skill is the first hit
	Five  int `json:"five"`  // requests for which it is among the first five
}

func (t *Tally) add(place int) {
	t.Asked++
	if place == 1 {
		t.First++
	}
	if place <= reach {
		t.Five++
	}
}

// Summary holds the totals of a library.
type Summary struct {
	Skills   int   `json:"skills"`
	Errors   int   `json:"errors"`
	Warnings int   `json:"warnings"`
	Infos    int   `json:"infos"`
	Own      Tally `json:"own"`   // sum of the skills' Score.Own
	Risky    int   `json:"risky"` // number of skills with a risk of 0.5 or more
}

func sumUp(l *Library, res *Result) {
	malformed := map[string]bool{} // IDs of skills with format errors
	for _, f := range res.Findings {
		malformed[f.Skill] = malformed[f.Skill] || f.Severity == Error && Find(f.Rule).Group() == "format"
	}
	steals := map[string]int{}
	for _, m := range l.Measured {
		for _, r := range m.Requests {
			if r.Place > 1 {
				steals[r.First]++
			}
		}
	}
	res.Summary.Skills = len(res.Skills)
	for i := range res.Skills {
		sr := &res.Skills[i]
		if sr.Risk >= 0.5 {
			res.Summary.Risky++
		}
		sr.Score = score(l, l.byID[sr.ID], malformed[sr.ID])
		sr.Score.Steals = steals[sr.ID]
		sum, own := &res.Summary.Own, sr.Score.Own
		sum.Asked, sum.First, sum.Five = sum.Asked+own.Asked, sum.First+own.First, sum.Five+own.Five
	}
}

func score(l *Library, s *Skill, malformed bool) Score {
	sc := Score{Missed: []findable.Request{}, Note: unasked(l, s, malformed)}
	if sc.Note != "" {
		return sc
	}
	for _, r := range l.Measured[s.ID].Requests {
		switch r.Kind {
		case findable.Given:
			sc.Given.add(r.Place)
		case findable.Written:
			sc.Written.add(r.Place)
		default:
			sc.Own.add(r.Place)
		}
		if r.Place > 1 {
			r.Text = secret.Redact(r.Text)
			sc.Missed = append(sc.Missed, r)
		}
	}
	return sc
}

func unasked(l *Library, s *Skill, malformed bool) string {
	m := l.Measured[s.ID]
	switch {
	case s.Err != nil:
		return s.Err.Error()
	case l.Measured == nil:
		return "there are no other skills to compare it with"
	case m == nil && malformed:
		return "its file cannot be read as a skill"
	case m == nil:
		return "the model is not allowed to invoke it, so it is never suggested"
	case m.DesignOnly:
		return "only its intent.yaml was checked"
	case len(m.Requests) == 0:
		return "apart from the name, its description contains nothing that a user could ask for"
	}
	return ""
}

func (s *Skill) generatedRequests(l *Library) []string {
	if l.Written == nil {
		return nil
	}
	out := l.Written(&s.Entry)
	return out[:min(len(out), maxGiven)]
}

const maxGiven = 20

// Known returns prompts known to be meant for s: from its trigger files and the log.
func (l *Library) Known(s *Skill) []string {
	out := slices.Clone(l.Usage[s.Name].Prompts)
	for _, file := range s.Files {
		base := strings.ToLower(path.Base(file))
		if !strings.HasSuffix(base, ".json") || !strings.Contains(base, "trigger") &&
			!strings.Contains(strings.ToLower(file), "eval") {
			continue
		}
		text, err := s.Read(file)
		if err != nil {
			continue
		}
		for _, q := range findable.Queries([]byte(text)) {
			if q.Should && !strings.HasPrefix(q.Text, "/") {
				out = append(out, q.Text)
			}
		}
	}
	return out[:min(len(out), maxGiven)]
}
