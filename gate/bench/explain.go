package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
)

func stepName(i int) string { return fmt.Sprintf("step %d", i+1) }

// explain says why d is not fully right for p, "" when it is. deep repeats the
// prompt with a longer list, or returns an empty decision; it is called only
// when something is missing from d.
func explain(p *Prompt, d *gate.Decision, deep func() gate.Decision) string {
	if d.Verdict == gate.Error {
		return fmt.Sprintf("failed: %s", cmp.Or(string(d.Reason), "unknown"))
	}
	switch p.Task {
	case Gate:
		return explainGate(p, d)
	case Pair:
		return join(skippedAs(d), place(p.Helpful, 1, []string{p.Helpful}, d, deep), above(p.Helpful, p.Risky, d))
	case Boundary:
		return join(skippedAs(d), place(p.Gold[0], boundaryPlaces, rightIDs(p), d, deep), above(p.Gold[0], p.NotAbove, d))
	case Composite:
		why := []string{skippedAs(d)}
		for i, step := range p.Steps {
			if r := rankOf(ids(d.Candidates), step...); within(r, compositePlaces) == 0 {
				why = append(why, stepName(i)+": "+place(step[0], compositePlaces, step, d, deep))
			}
		}
		return join(append(why, silenced(d))...)
	default:
		return join(skippedAs(d), place(rightIDs(p)[0], 1, rightIDs(p), d, deep), silenced(d), leftOut(p, d))
	}
}

const compositePlaces = 8 // how many skills a composite request is shown

func explainGate(p *Prompt, d *gate.Decision) string {
	switch p.Kind {
	case kindFalseSkip:
		return skippedAs(d)
	case kindNative:
		if !named(d) {
			return ""
		}
	default:
		if d.Verdict == gate.Skip {
			return ""
		}
		if !named(d) {
			return fmt.Sprintf("searched, not skipped as %s", p.Kind)
		}
	}
	if len(d.Candidates) == 0 {
		return fmt.Sprintf("injected with need %.2f", d.Need)
	}
	top := d.Candidates[0]
	return fmt.Sprintf("injected with need %.2f: %s %.1f (%s)", d.Need, top.ID, top.Score, terms(top.Matched))
}

// skippedAs reports a prompt that the pre-filter took out.
func skippedAs(d *gate.Decision) string {
	if d.Verdict != gate.Skip {
		return ""
	}
	return "skipped by triage as " + cmp.Or(string(d.Reason), "unknown")
}

// silenced reports a searched prompt for which nothing was named.
func silenced(d *gate.Decision) string {
	if d.Verdict != gate.Silent {
		return ""
	}
	top := 0.0
	if len(d.Candidates) > 0 {
		top = d.Candidates[0].Score
	}
	switch d.Reason {
	case gate.BelowNeedMin:
		return fmt.Sprintf("silenced by need %.2f (best score %.1f)", d.Need, top)
	case gate.PlainQuestion:
		return fmt.Sprintf("silenced as a plain question (need %.2f, best score %.1f)", d.Need, top)
	case gate.ByChance:
		return fmt.Sprintf("silenced as met by accident (need %.2f, best score %.1f)", d.Need, top)
	case gate.BelowScoreMin:
		return fmt.Sprintf("silenced by score %.1f (need %.2f)", top, d.Need)
	}
	return fmt.Sprintf("silent: %s", cmp.Or(string(d.Reason), "unknown"))
}

// leftOut reports that an injection names none of the right skills although one
// is in the list.
func leftOut(p *Prompt, d *gate.Decision) string {
	if !named(d) {
		return ""
	}
	right := rightIDs(p)
	listed := 0
	for _, c := range d.Candidates {
		if slices.Contains(right, c.ID) {
			if c.Injected {
				return ""
			}
			if listed == 0 {
				listed = c.Rank
			}
		}
	}
	if listed == 0 {
		return ""
	}
	return fmt.Sprintf("not among the injected (place %d)", listed)
}

// place says where the best of right is when it is not in the first k, and what
// is ranked first instead, with the terms that made it so. main is the one
// named when none is found.
func place(main string, k int, right []string, d *gate.Decision, deep func() gate.Decision) string {
	if d.Verdict == gate.Skip {
		return ""
	}
	rank := rankOf(ids(d.Candidates), right...)
	if within(rank, k) == 1 {
		return ""
	}
	list, asked := d.Candidates, len(d.Candidates)
	if rank == 0 {
		if by := holder(list, right); by != "" {
			return fmt.Sprintf("%s is held back by %s", main, by)
		}
		if more := deep().Candidates; len(more) > len(list) {
			list, asked = more, len(more)
			rank = rankOf(ids(list), right...)
			if by := holder(list, right); rank == 0 && by != "" {
				return fmt.Sprintf("%s is held back by %s", main, by)
			}
		}
	}
	if len(list) == 0 {
		return fmt.Sprintf("%s not retrieved: no candidates", main)
	}
	top := list[0]
	if rank == 0 {
		return fmt.Sprintf("%s not among the %d retrieved; first is %s %.1f (%s)", main, asked, top.ID, top.Score,
			terms(top.Matched))
	}
	own := list[rank-1]
	return fmt.Sprintf("%s at %d with %.1f (%s), below %s %.1f (%s)",
		own.ID, rank, own.Score, terms(own.Matched), top.ID, top.Score, terms(top.Matched))
}

// above reports that bad is ranked before good, both in the list.
func above(good, bad string, d *gate.Decision) string {
	list := ids(d.Candidates)
	g, b := rankOf(list, good), rankOf(list, bad)
	if b == 0 || before(g, b) {
		return ""
	}
	c := d.Candidates[b-1]
	return fmt.Sprintf("%s at %d is above with %.1f (%s)", bad, b, c.Score, terms(c.Matched))
}

// holder is the candidate that holds back one of right, "" when none does.
func holder(list []gate.Candidate, right []string) string {
	for _, c := range list {
		for _, id := range c.HeldBack {
			if slices.Contains(right, id) {
				return c.ID
			}
		}
	}
	return ""
}

// terms names the three terms that give a candidate most of its score, summed
// over fields.
func terms(matched []gate.Match) string {
	const show = 3
	sum := map[string]float64{}
	for _, m := range matched {
		name := m.Term
		if m.Via != "" && m.Via != m.Term {
			name += "→" + m.Via
		}
		sum[name] += m.Score
	}
	names := sorted(sum)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(sum[b], sum[a]) })
	var parts []string
	for _, name := range names[:min(show, len(names))] {
		parts = append(parts, fmt.Sprintf("%s %.1f", name, sum[name]))
	}
	if len(parts) == 0 {
		return "no terms"
	}
	return strings.Join(parts, ", ")
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}
