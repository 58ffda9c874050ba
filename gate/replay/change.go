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

// Change says how two answers to one prompt differ.
type Change string

const (
	NowFires  Change = "now_fires"  // only the second names anything
	NowSilent Change = "now_silent" // only the first does
	Winner    Change = "winner"     // another skill is named first
	Rank      Change = "rank"       // the same first, others or another order after it
	Number    Change = "number"     // the same in the same order, but more or fewer of them
	Unchanged Change = "unchanged"
)

// Changes lists the kinds in the order in which they are shown.
var Changes = []Change{NowFires, NowSilent, Winner, Rank, Number, Unchanged}

// Compare returns how two decisions differ in what they name.
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

// Scores are shown with two digits and needs with three: what looks the same is the same.
func shownScore(x float64) float64 { return math.Round(100*x) / 100 }

func shownNeed(x float64) float64 { return math.Round(1000*x) / 1000 }

// cause says in one line which threshold, feature or term made the difference.
func cause(c Change, a, b *Answer, sa, sb *Side) string {
	x, y := a.Decision, b.Decision
	switch {
	case c == Unchanged:
		return ""
	case x.Verdict == gate.Skip || y.Verdict == gate.Skip:
		return fmt.Sprintf("pre-filter: %s → %s", filtered(x), filtered(y))
	case (x.Verdict == gate.Force) != (y.Verdict == gate.Force):
		if x.Verdict == gate.Force {
			return "no longer asked for by name: " + first(x)
		}
		return "asked for by name: " + first(y)
	case c == NowFires:
		return threshold(x, a, b, sa, sb)
	case c == NowSilent:
		return threshold(y, a, b, sa, sb)
	case c == Winner:
		return overtaken(x, y, 0)
	}
	p, q := named(x), named(y)
	for i := range min(len(p), len(q)) {
		if p[i].Name != q[i].Name {
			return overtaken(x, y, i)
		}
	}
	if !sa.Logged && sa.Settings.TopK != sb.Settings.TopK {
		return fmt.Sprintf("top_k %d → %d", sa.Settings.TopK, sb.Settings.TopK)
	}
	long, floor := q, x
	if len(p) > len(q) {
		long, floor = p, y
	}
	extra := long[min(len(p), len(q))]
	if other := find(floor, extra.Name); other != nil {
		if shownScore(other.Score) == shownScore(extra.Score) {
			return fmt.Sprintf("a threshold: %s scores %.2f on both sides", extra.Name, extra.Score)
		}
		was, is := other, extra
		if len(p) > len(q) {
			was, is = extra, other
		}
		return fmt.Sprintf("%s scores %.2f → %.2f, score_min %.4g: %s", extra.Name, was.Score, is.Score,
			sb.Settings.ScoreMin, termDifference(was.Matched, is.Matched))
	}
	return extra.Name + " is a candidate on one side only"
}

func filtered(d *gate.Decision) string {
	if d.Verdict == gate.Skip {
		return string(d.Reason)
	}
	return "searched"
}

func first(d *gate.Decision) string {
	if n := named(d); len(n) > 0 {
		return n[0].Name
	}
	return "-"
}

func find(d *gate.Decision, name string) *gate.Candidate {
	for i := range d.Candidates {
		if d.Candidates[i].Name == name {
			return &d.Candidates[i]
		}
	}
	return nil
}

// threshold explains why silent, the quiet one of two decisions, is below what
// the other one passes.
func threshold(silent *gate.Decision, a, b *Answer, sa, sb *Side) string {
	x, y := a.Decision, b.Decision
	limit := func(name string, get func(gate.Settings) float64) string {
		if sa.Logged || get(sa.Settings) == get(sb.Settings) {
			return fmt.Sprintf("%s %.4g", name, get(sb.Settings))
		}
		return fmt.Sprintf("%s %.4g → %.4g", name, get(sa.Settings), get(sb.Settings))
	}
	switch silent.Reason {
	case gate.BelowNeedMin:
		text := fmt.Sprintf("need %.3f → %.3f", x.Need, y.Need)
		if shownNeed(x.Need) == shownNeed(y.Need) {
			text = fmt.Sprintf("need %.3f on both sides", x.Need)
		}
		text += ", " + limit("need_min", func(s gate.Settings) float64 { return s.NeedMin })
		if why := needDifference(a, b); why != "" {
			text += ": " + why
		}
		return text
	case gate.BelowScoreMin:
		p, q := top(x), top(y)
		text := fmt.Sprintf("score %.2f → %.2f", p.Score, q.Score)
		if shownScore(p.Score) == shownScore(q.Score) {
			text = fmt.Sprintf("score %.2f on both sides", p.Score)
		}
		text += ", " + limit("score_min", func(s gate.Settings) float64 { return s.ScoreMin })
		if p.Name == q.Name && shownScore(p.Score) != shownScore(q.Score) {
			text += ": " + termDifference(p.Matched, q.Matched)
		} else if p.Name != q.Name {
			text += ": " + overtaken(x, y, 0)
		}
		return text
	case gate.NoCandidates:
		return "no skill shares a word with the prompt on one side"
	}
	return string(silent.Reason)
}

func top(d *gate.Decision) gate.Candidate {
	if len(d.Candidates) == 0 {
		return gate.Candidate{}
	}
	return d.Candidates[0]
}

// needDifference names the features that moved need most; for a logged decision,
// whose features are not kept, the term that moved the best score most.
func needDifference(a, b *Answer) string {
	if a.Features == nil || b.Features == nil {
		p, q := top(a.Decision), top(b.Decision)
		if shownNeed(a.Decision.Need) == shownNeed(b.Decision.Need) {
			return ""
		}
		if p.Name != q.Name {
			return fmt.Sprintf("best is %s, was %s", cmp.Or(q.Name, "none"), cmp.Or(p.Name, "none"))
		}
		return termDifference(p.Matched, q.Matched)
	}
	pa, pb := need.Default().Parts(*a.Features), need.Default().Parts(*b.Features)
	order := make([]int, len(pa))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(pb[j]-pa[j]), math.Abs(pb[i]-pa[i])) })
	var parts []string
	for _, i := range order[:2] {
		if d := pb[i] - pa[i]; shownScore(d) != 0 {
			parts = append(parts, fmt.Sprintf("%s %+.2f", pa.Names()[i], d))
		}
	}
	return strings.Join(parts, ", ")
}

// overtaken explains why another skill has place i among those named.
func overtaken(x, y *gate.Decision, i int) string {
	p, q := at(x, i), at(y, i)
	if p == nil || q == nil {
		return "no candidate on one side"
	}
	now, before := find(y, p.Name), find(x, q.Name)
	switch {
	case now == nil && before == nil:
		return fmt.Sprintf("%s %.2f for %s %.2f: neither is a candidate on the other side", q.Name, q.Score, p.Name, p.Score)
	case before == nil:
		return fmt.Sprintf("%s %.2f was not a candidate: %s; %s scores %.2f → %.2f", q.Name, q.Score,
			termDifference(nil, q.Matched), p.Name, p.Score, now.Score)
	case now == nil:
		return fmt.Sprintf("%s %.2f is no longer a candidate; %s scores %.2f → %.2f", p.Name, p.Score, q.Name, before.Score,
			q.Score)
	}
	gain, loss := shownScore(q.Score)-shownScore(before.Score), shownScore(p.Score)-shownScore(now.Score)
	if gain == 0 && loss == 0 {
		return fmt.Sprintf("%s and %s score the same on both sides: families, steps or a threshold decide", p.Name, q.Name)
	}
	if math.Abs(gain) >= math.Abs(loss) {
		return fmt.Sprintf("%s scores %.2f → %.2f: %s", q.Name, before.Score, q.Score,
			termDifference(before.Matched, q.Matched))
	}
	return fmt.Sprintf("%s scores %.2f → %.2f: %s", p.Name, p.Score, now.Score, termDifference(p.Matched, now.Matched))
}

// at is the skill at place i of what a decision names, or of its candidates where
// it names fewer.
func at(d *gate.Decision, i int) *gate.Candidate {
	if n := named(d); i < len(n) {
		return n[i]
	}
	if i < len(d.Candidates) {
		return &d.Candidates[i]
	}
	return nil
}

// termDifference names the terms whose parts of a score differ most.
func termDifference(before, after []gate.Match) string {
	type key struct{ term, via, field string }
	delta := map[key]float64{}
	var keys []key
	add := func(list []gate.Match, sign float64) {
		for _, m := range list {
			k := key{m.Term, m.Via, m.Field}
			if _, ok := delta[k]; !ok {
				keys = append(keys, k)
			}
			delta[k] += sign * m.Score
		}
	}
	add(before, -1)
	add(after, 1)
	slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(math.Abs(delta[b]), math.Abs(delta[a])) })
	var parts []string
	for _, k := range keys[:min(len(keys), 2)] {
		if shownScore(delta[k]) == 0 {
			continue
		}
		term := k.term
		if k.via != "" {
			term += "→" + k.via
		}
		if term == "" {
			term = "a word not kept" // privacy level hash
		}
		parts = append(parts, fmt.Sprintf("%s in %s %+.2f", term, k.field, delta[k]))
	}
	if len(parts) == 0 {
		return "no term alone"
	}
	return strings.Join(parts, ", ")
}
