package lint

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/findable"
)

// Score says how surely requests for a skill find it among the others (package findable).
// What rules find is a reason for a grade, and never a part of it.
type Score struct {
	Grade    string   `json:"grade"`    // one of Grades
	First    float64  `json:"first"`    // share of users' requests for it that it is expected to be first for, 0 to 1
	Five     float64  `json:"five"`     // share that it is expected to be among the first five for
	Requests int      `json:"requests"` // of its own, each taken out of its text when asked, that this rests on
	Given    int      `json:"given"`    // of its author's trigger files and the user's log, that this rests on
	Written  int      `json:"written"`  // that enrich had a model write, that this rests on
	Steals   int      `json:"steals"`   // requests of other skills that were checked which it is first for
	Reasons  []string `json:"reasons"`
}

// NotMeasured is the grade of what no prompt can find: the model may not invoke it.
const NotMeasured = "-"

// Unread is the grade of a file that cannot be read.
const Unread = "F"

// Grades are all grades, best first.
var Grades = []string{"A", "B", "C", Unread, NotMeasured}

// Summary is the outcome of a library.
type Summary struct {
	Skills   int            `json:"skills"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Infos    int            `json:"infos"`
	Grades   map[string]int `json:"grades"` // skills by grade
	Mean     float64        `json:"mean"`   // of First, over the skills that were measured
	Risky    int            `json:"risky"`  // skills with a risk of 0.5 or more
}

// grade fills in scores and the summary of res.
func grade(l *Library, res *Result) {
	found := map[string][]string{} // titles of what is wrong with a description, by skill
	malformed := map[string]bool{} // skills whose file has errors of format
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
		g := Find(f.Rule).Group()
		if g == "format" && f.Severity == Error {
			malformed[f.Skill] = true
		}
		if f.Severity >= Warning && (g == "description" || g == "measured") && !slices.Contains(found[f.Skill], f.Title) {
			found[f.Skill] = append(found[f.Skill], f.Title)
		}
	}
	steals := map[string]int{}
	if l.Measured != nil {
		for _, m := range l.Measured.ByID {
			for _, r := range m.Evidence.Requests {
				if r.Place > 1 {
					steals[r.First]++
				}
			}
		}
	}
	res.Summary.Grades = map[string]int{}
	measured := 0.0
	for i := range res.Skills {
		sr := &res.Skills[i]
		if sr.Risk >= 0.5 {
			res.Summary.Risky++
		}
		sr.Score = score(l, l.byID[sr.ID], found[sr.ID], malformed[sr.ID])
		sr.Score.Steals = steals[sr.ID]
		res.Summary.Grades[sr.Score.Grade]++
		if sr.Score.Grade != NotMeasured {
			measured++
			res.Summary.Mean += sr.Score.First
		}
	}
	res.Summary.Skills = len(res.Skills)
	res.Summary.Mean = hundredths(res.Summary.Mean / max(measured, 1))
}

func hundredths(v float64) float64 { return math.Round(100*v) / 100 }

// maxReasons is how many titles of findings are among the reasons of a grade.
const maxReasons = 3

// score is the grade of a skill whose description has these mistakes, and whose file may
// have errors of format.
func score(l *Library, s *Skill, mistakes []string, malformed bool) Score {
	if s.Err != nil {
		return Score{Grade: Unread, Reasons: []string{s.Err.Error()}}
	}
	if l.Measured == nil {
		return Score{Grade: NotMeasured, Reasons: []string{"there are no other skills to search among"}}
	}
	m := l.Measured.ByID[s.ID]
	switch {
	case m == nil && malformed:
		return Score{Grade: NotMeasured, Reasons: []string{"its file cannot be read as a skill"}}
	case m == nil:
		return Score{Grade: NotMeasured, Reasons: []string{"the model may not invoke it, so no prompt names it"}}
	case m.Evidence.X == findable.Features{}:
		return Score{Grade: NotMeasured, Reasons: []string{"only its design was checked"}}
	}
	e := m.Evidence.Estimate()
	sc := Score{Grade: e.Grade(), First: hundredths(e.First), Five: hundredths(e.Five), Requests: e.Own, Given: e.Given,
		Written: e.Written, Reasons: []string{}}
	if sc.Grade != findable.Grades[0] {
		sc.Reasons = append(reasons(l, m), mistakes[:min(len(mistakes), maxReasons)]...)
	}
	return sc
}

// reasons says why requests for a skill may not find it first.
func reasons(l *Library, m *Measured) (out []string) {
	x := &m.Evidence.X
	for _, said := range []struct {
		kinds []findable.Kind
		what  string
	}{
		{[]findable.Kind{findable.Trigger, findable.Clause}, "requests of its own, taken out of its text,"},
		{[]findable.Kind{findable.Given}, "requests of its trigger file or the log"},
		{[]findable.Kind{findable.Written}, "requests that enrich had written"},
	} {
		first, five, asked := 0, 0, 0
		for _, r := range m.Evidence.Requests {
			if !slices.Contains(said.kinds, r.Kind) {
				continue
			}
			asked++
			if r.Place == 1 {
				first++
			}
			if r.Place <= reach {
				five++
			}
		}
		if asked > 0 {
			out = append(out, fmt.Sprintf("%d of %d %s find it first, %d among the first %d", first, asked, said.what, five,
				reach))
		}
	}
	switch {
	case len(out) == 0:
		out = append(out, "its description says nothing to ask for beside its name")
	case len(m.Evidence.Rivals) > 0:
		out[0] += fmt.Sprintf("; %s is first most often in its place", l.nameOf(m.Evidence.Rivals[0]))
	}
	if x[findable.NoTriggers] == 1 {
		out = append(out, "no trigger phrase says what users say")
	}
	if x[findable.Unique] == 0 {
		out = append(out, "every telling word of its description is in those of two others or more")
	}
	if x[findable.Rare] < rare {
		out = append(out, "its words are common among these skills")
	}
	return out
}

// rare is a mean idf of a skill's rarest words, as a share of the highest, below which they
// are common: the lower quarter of 10,000 public skills.
const rare = 0.5

// written lists the requests that a model wrote for a skill.
func (s *Skill) written(l *Library) []string {
	if l.Written == nil {
		return nil
	}
	out := l.Written(&s.Entry)
	return out[:min(len(out), maxGiven)]
}

// maxGiven is how many prompts that are known to be meant for a skill are asked.
const maxGiven = 20

// given lists prompts that are known to be meant for a skill: those of trigger-evaluation
// files in its folder, and those after which the model loaded it.
func (s *Skill) given(l *Library) []string {
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
