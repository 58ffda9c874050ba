package replay

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/need"
)

// Change is the kind of difference between two decisions for the same prompt.
type Change string

const (
	NowFires  Change = "now_fires"  // only the second decision suggests skills
	NowSilent Change = "now_silent" // only the first decision suggests skills
	Winner    Change = "winner"     // the first suggested skill differs
	Rank      Change = "rank"       // the first skill is the same, but later skills or their order differ
	Number    Change = "number"     // same skills in the same order, but one decision suggests more
	Unchanged Change = "unchanged"
)

// Changes lists all kinds of change in the order of reports.
var Changes = []Change{NowFires, NowSilent, Winner, Rank, Number, Unchanged}

// Compare returns the kind of difference between the suggestions of a and b.
func Compare(a, b *gate.Decision) Change {
	switch fa, fb := fires(a), fires(b); {
	case !fa && fb:
		return NowFires
	case fa && !fb:
		return NowSilent
	case !fa:
		return Unchanged
	}
	x, y := named(a), named(b)
	same := func(p, q *gate.Candidate) bool { return p.Name == q.Name && p.Pool == q.Pool }
	switch {
	case len(x) == 0 || len(y) == 0:
		if len(x) == len(y) {
			return Unchanged
		}
		return Number
	case !same(x[0], y[0]):
		return Winner
	}
	n := min(len(x), len(y))
	switch {
	case !slices.EqualFunc(x[:n], y[:n], same):
		return Rank
	case len(x) != len(y):
		return Number
	}
	return Unchanged
}

func cause(c Change, a, b *Answer, sa, sb *Side) string {
	x, y := a.Decision, b.Decision
	switch {
	case c == Unchanged:
		return ""
	case x.Verdict == gate.Skip || y.Verdict == gate.Skip:
		return fmt.Sprintf("triage: %s → %s", filtered(x), filtered(y))
	case x.Verdict == gate.Force && y.Verdict != gate.Force:
		return "no longer asked for by name: " + named(x)[0].Name
	case y.Verdict == gate.Force && x.Verdict != gate.Force:
		return "asked for by name: " + named(y)[0].Name
	case c == NowFires:
		return threshold(x.Reason, a, b, sa, sb)
	case c == NowSilent:
		return threshold(y.Reason, a, b, sa, sb)
	case c == Number && !sa.Logged && sa.Settings.TopK != sb.Settings.TopK:
		return fmt.Sprintf("top_k %d → %d", sa.Settings.TopK, sb.Settings.TopK)
	}
	p, q := named(x), named(y)
	i := 0
	for i < len(p) && i < len(q) && p[i].Name == q[i].Name {
		i++
	}
	var out []string
	for _, list := range [][]*gate.Candidate{q, p} {
		if i < len(list) {
			out = append(out, scores(list[i].Name, x, y))
		}
	}
	return strings.Join(out, "; ")
}

func filtered(d *gate.Decision) string {
	if d.Verdict == gate.Skip {
		return string(d.Reason)
	}
	return "searched"
}

func scores(name string, x, y *gate.Decision) string {
	was, is := find(x, name), find(y, name)
	switch {
	case was == nil && is == nil:
		return name + " is not a candidate"
	case was == nil:
		return fmt.Sprintf("%s (score %.2f) is now a candidate: %s", name, is.Score, termDifference(nil, is.Matched))
	case is == nil:
		return fmt.Sprintf("%s (score %.2f) is no longer a candidate", name, was.Score)
	}
	text, moved := values(name+" scores", "%.2f", was.Score, is.Score)
	if moved {
		text += ": " + termDifference(was.Matched, is.Matched)
	}
	return text
}

func find(d *gate.Decision, name string) *gate.Candidate {
	i := slices.IndexFunc(d.Candidates, func(c gate.Candidate) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Candidates[i]
}

func values(what, format string, was, is float64) (text string, moved bool) {
	x, y := fmt.Sprintf(format, was), fmt.Sprintf(format, is)
	if x == y {
		return what + " " + x + " in both cases", false
	}
	return what + " " + x + " → " + y, true
}

func threshold(reason gate.Reason, a, b *Answer, sa, sb *Side) string {
	x, y := a.Decision, b.Decision
	limit := func(name string, was, is float64) string {
		if sa.Logged || was == is {
			return fmt.Sprintf(", %s %.4g", name, is)
		}
		return fmt.Sprintf(", %s %.4g → %.4g", name, was, is)
	}
	switch reason {
	case gate.BelowNeedMin:
		text, _ := values("need", "%.3f", x.Need, y.Need)
		text += limit("need_min", sa.Settings.NeedMin, sb.Settings.NeedMin)
		if why := needDifference(a, b); why != "" {
			text += ": " + why
		}
		return text
	case gate.BelowScoreMin:
		p, q := top(x), top(y)
		text, moved := values("score", "%.2f", p.Score, q.Score)
		text += limit("score_min", sa.Settings.ScoreMin, sb.Settings.ScoreMin)
		if p.Name != q.Name {
			text += ": " + scores(q.Name, x, y)
		} else if moved {
			text += ": " + termDifference(p.Matched, q.Matched)
		}
		return text
	case gate.NoCandidates:
		return "in one of the two cases, no skill shares a word with the prompt"
	}
	return string(reason)
}

func top(d *gate.Decision) gate.Candidate {
	if len(d.Candidates) == 0 {
		return gate.Candidate{Name: "none"}
	}
	return d.Candidates[0]
}

// needDifference describes the two features whose contributions to need differ most. Logged decisions have no features,
// so for them it describes the terms whose contributions to the best score differ most.
func needDifference(a, b *Answer) string {
	if a.Features == nil || b.Features == nil {
		p, q := top(a.Decision), top(b.Decision)
		switch _, moved := values("", "%.3f", a.Decision.Need, b.Decision.Need); {
		case !moved:
			return ""
		case p.Name != q.Name:
			return fmt.Sprintf("the best candidate is %s instead of %s", q.Name, p.Name)
		}
		return termDifference(p.Matched, q.Matched)
	}
	model := need.Default()
	was, is := model.Parts(*a.Features), model.Parts(*b.Features)
	var parts []part
	for i, name := range was.Names() {
		parts = append(parts, part{name, is[i] - was[i]})
	}
	return largest(parts)
}

type part struct {
	name string
	by   float64
}

func largest(parts []part) string {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(math.Abs(b.by), math.Abs(a.by)) })
	var out []string
	for _, p := range parts[:min(2, len(parts))] {
		if math.Abs(p.by) >= 0.005 {
			out = append(out, fmt.Sprintf("%s %+.2f", p.name, p.by))
		}
	}
	return strings.Join(out, ", ")
}

func termDifference(before, after []gate.Match) string {
	var parts []part
	add := func(list []gate.Match, sign float64) {
		for _, m := range list {
			name := cmp.Or(m.Term, "a word that was not logged") // logs at privacy level hash have no terms
			if m.Via != "" {
				name += "→" + m.Via
			}
			name += " in " + m.Field
			i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
			if i < 0 {
				i = len(parts)
				parts = append(parts, part{name: name})
			}
			parts[i].by += sign * m.Score
		}
	}
	add(before, -1)
	add(after, 1)
	return cmp.Or(largest(parts), "no single term accounts for this")
}
