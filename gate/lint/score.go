package lint

import (
	"math"

	"github.com/skillgate/skillgate/synonyms/lang"
)

// Score says how well a skill can be found: 100 is best.
type Score struct {
	Grade string `json:"grade"` // A to F
	Total int    `json:"total"` // 0 to 100
	Parts []Part `json:"parts"`
}

// Part is one part of a score.
type Part struct {
	Name string `json:"name"`
	Got  int    `json:"got"`
	Max  int    `json:"max"`
}

// Summary is the outcome of a library.
type Summary struct {
	Skills   int            `json:"skills"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Infos    int            `json:"infos"`
	Grades   map[string]int `json:"grades"` // skills by grade
	Mean     float64        `json:"mean"`   // of the totals
	Risky    int            `json:"risky"`  // skills with a risk of 0.5 or more
}

// The parts of a score. What the retriever measures weighs most, since it is what
// decides; without measurements the other parts are scaled up to 100.
const (
	pointsTriggers = 35 // its own triggers and examples find it
	pointsReach    = 25 // prompts in every language reach it
	pointsRivals   = 15 // no other skill answers to its description
	pointsText     = 25 // the description has all its parts and no mistakes
)

// grade fills in scores, risks and the summary of res.
func grade(l *Library, res *Result, byID map[string]int) {
	lost := make([]float64, len(res.Skills)) // points of text, by skill
	times := map[string]int{}                // findings of a skill by a rule: the second costs half, the third a third
	for i := range res.Findings {
		f := &res.Findings[i]
		switch f.Severity {
		case Error:
			res.Summary.Errors++
		case Warning:
			res.Summary.Warnings++
		case Info:
			res.Summary.Infos++
		}
		at, ok := byID[f.Skill]
		if !ok {
			continue
		}
		if r := Find(f.Rule); (r.Group() == "format" || r.Group() == "description") && !r.OfBody {
			times[f.Skill+f.Rule]++
			lost[at] += map[Severity]float64{Error: 15, Warning: 8, Info: 2}[f.Severity] / float64(times[f.Skill+f.Rule])
		}
	}
	res.Summary.Grades = map[string]int{}
	total := 0
	for i := range res.Skills {
		sr := &res.Skills[i]
		if sr.Risk >= 0.5 {
			res.Summary.Risky++
		}
		s := l.byID[sr.ID]
		sr.Score = score(l, s, lost[i])
		res.Summary.Grades[sr.Score.Grade]++
		total += sr.Score.Total
	}
	res.Summary.Skills = len(res.Skills)
	if n := len(res.Skills); n > 0 {
		res.Summary.Mean = math.Round(10*float64(total)/float64(n)) / 10
	}
}

func score(l *Library, s *Skill, lost float64) Score {
	var sc Score
	add := func(name string, share float64, max int) {
		sc.Parts = append(sc.Parts, Part{name, int(math.Round(math.Max(0, math.Min(1, share)) * float64(max))), max})
	}
	if s.Err != nil {
		return Score{Grade: "F", Parts: []Part{}}
	}
	if m := l.measured(s); m != nil {
		won, tried, said := 0.0, 0, false
		for _, p := range m.Probes {
			said = said || p.Said
		}
		for _, p := range m.Probes {
			if p.Kind == "capability" || said && !p.Said {
				continue
			}
			tried++
			switch {
			case p.Place == 1:
				won++
			case p.Place > 0 && p.Place <= reach:
				won += 0.7
			}
		}
		if tried == 0 {
			add("triggers", 0, pointsTriggers)
		} else {
			add("triggers", won/float64(tried), pointsTriggers)
		}
		found, wanted := 0.0, 0
		for _, language := range lang.All {
			if !l.Wants(language.Code) {
				continue
			}
			r := m.Reach[language.Code]
			wanted++
			switch {
			case r.Found && r.Own:
				found++
			case r.Found:
				found += 0.7 // by the dictionary only
			}
		}
		add("languages", found/math.Max(1, float64(wanted)), pointsReach)
		worst := 0.0
		for _, r := range m.Rivals {
			if !s.sendsTo(l, r.ID) {
				worst = math.Max(worst, r.Ratio)
			}
		}
		add("distinct", 1-(worst-rivalRatio)/(1-rivalRatio), pointsRivals)
	}
	add("text", 1-lost/pointsText, pointsText)
	got, of := 0, 0
	for _, p := range sc.Parts {
		got, of = got+p.Got, of+p.Max
	}
	sc.Total = int(math.Round(100 * float64(got) / float64(of)))
	switch {
	case sc.Total >= 90:
		sc.Grade = "A"
	case sc.Total >= 75:
		sc.Grade = "B"
	case sc.Total >= 60:
		sc.Grade = "C"
	case sc.Total >= 40:
		sc.Grade = "D"
	default:
		sc.Grade = "F"
	}
	return sc
}
