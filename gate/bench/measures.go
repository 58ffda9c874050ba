package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
)

// Names of measures, which the package comment defines.
const (
	hit1           = "hit@1"
	hit5           = "hit@5"
	rightShown     = "right shown"
	spoken         = "spoken"
	excludedShown  = "excluded shown"
	charsAdded     = "characters"
	coverage8      = "coverage@8"
	ndcg10         = "nDCG@10"
	boundaryRight  = "boundary right"
	hsr5           = "HSR@5"
	helpfulAbove   = "helpful above"
	skipped        = "skipped"
	wronglySkipped = "wrongly skipped"
	reranked       = "reranked"
)

// TableMeasures are the measures of a table in the order of its columns.
var TableMeasures = []string{hit1, hit5, rightShown, spoken, excludedShown, charsAdded, coverage8, ndcg10,
	boundaryRight, hsr5, helpfulAbove, skipped, wronglySkipped, "MRR", "MRR@10", "MAP", "nDCG@1", "nDCG@3", "nDCG@5",
	"R@1", "R@3", "R@5", "R@10", "R@20", "R@50", "FC@3", "FC@5", "FC@10", reranked}

// Measures that apply to prompts of the suite, of prompt files, and of each public set.
var (
	suiteMeasures = []string{hit1, hit5, coverage8, ndcg10, boundaryRight, hsr5, helpfulAbove, skipped, wronglySkipped}
	ownMeasures   = append([]string{rightShown, spoken, "MRR@10", "R@5", reranked}, suiteMeasures...)

	retBenchMeasures = []string{"R@1", "R@3", "R@5", "R@10", "nDCG@1", "nDCG@3", "nDCG@5", ndcg10, "MRR", "MAP",
		rightShown, spoken, reranked}
	skillRouterMeasures = []string{hit1, "MRR@10", "nDCG@1", "nDCG@3", ndcg10, "R@10", "R@20", "R@50", "FC@3", "FC@5",
		"FC@10", rightShown, spoken, reranked}
	sraMeasures      = []string{"R@1", "R@5", "R@10", "R@50", "nDCG@1", "nDCG@5", ndcg10, rightShown, spoken, reranked}
	skillRetMeasures = []string{"nDCG@5", ndcg10, "R@5", "R@10", "FC@5", "FC@10", "MAP", rightShown, spoken, reranked}
	beirMeasures     = []string{ndcg10, "R@5", "R@10", "R@20", "MRR@10", "MAP", rightShown, spoken, reranked}
)

// boundaryPlaces is the number of top ranks in which the gold skill of a boundary prompt counts as found.
const boundaryPlaces = 5

// measure returns the measures that apply to p, by name, computed from the first k candidates, the verdict and the
// suggested skills of d. It leaves out measures at depths greater than k.
func measure(p *Prompt, d *gate.Decision, k int) map[string]float64 {
	ranked := ids(d.Candidates[:min(k, len(d.Candidates))])
	v := map[string]float64{}
	at := func(name string, value func(k int) float64, depths ...int) {
		for _, depth := range depths {
			if depth <= k {
				v[fmt.Sprintf("%s@%d", name, depth)] = value(depth)
			}
		}
	}
	switch p.Task {
	case Gate:
		switch p.Kind {
		case kindFalseSkip:
			v[wronglySkipped] = truth(d.Verdict == gate.Skip)
			return v
		case kindGreeting, kindAck, kindCommand:
			v[skipped] = truth(d.Verdict == gate.Skip && len(d.Candidates) == 0)
		}
		v[spoken] = truth(named(d))
		return v
	case Pair:
		helpful, risky := rankOf(ranked, p.Helpful), rankOf(ranked, p.Risky)
		at("R", func(k int) float64 { return within(helpful, k) }, 1, 5, 10)
		at("HSR", func(k int) float64 { return within(risky, k) }, 5)
		v[helpfulAbove] = truth(before(helpful, risky))
		return v
	case Composite:
		at("coverage", func(k int) float64 { return coverageAt(ranked, p.Steps, k) }, 5, 8)
	}
	right := rankOf(ranked, rightIDs(p)...)
	at("hit", func(k int) float64 { return within(right, k) }, 1, 5)
	if p.Task == Boundary {
		gold, not := rankOf(ranked, p.Gold...), rankOf(ranked, p.NotAbove)
		if k >= boundaryPlaces {
			v[boundaryRight] = truth(within(gold, boundaryPlaces) == 1 && before(gold, not))
		}
		return v
	}
	at("MRR", func(k int) float64 { return reciprocal(right, k) }, 10)
	v["MRR"] = reciprocal(right, len(ranked))
	v[spoken] = truth(named(d))
	v[rightShown] = truth(named(d) && slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool {
		return c.Injected && slices.Contains(rightIDs(p), c.ID)
	}))
	if slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool { return c.Rerank != 0 }) {
		v[reranked] = 1
	} else if slices.ContainsFunc(d.Notes, func(n string) bool { return strings.HasPrefix(n, gate.RerankNote) }) {
		v[reranked] = 0
	}
	if len(p.Gold) == 0 {
		return v
	}
	grades := p.Grades
	if grades == nil {
		grades = map[string]float64{}
		for _, id := range p.Gold {
			grades[id] = 1
		}
	}
	at("R", func(k int) float64 { return recallAt(ranked, p.Gold, k) }, 1, 3, 5, 10, 20, 50)
	at("FC", func(k int) float64 { return truth(recallAt(ranked, p.Gold, k) == 1) }, 3, 5, 10)
	at("nDCG", func(k int) float64 { return ndcgAt(ranked, grades, k) }, 1, 3, 5, 10)
	v["MAP"] = averagePrecision(ranked, p.Gold)
	return v
}

func rightIDs(p *Prompt) []string {
	return slices.Concat(append(p.Steps, p.Gold, p.AlsoOK)...)
}

// before reports whether rank a is better than rank b. Rank 0 means unranked.
func before(a, b int) bool { return a > 0 && (b == 0 || a < b) }

func named(d *gate.Decision) bool { return d.Verdict == gate.Inject || d.Verdict == gate.Force }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func ids(candidates []gate.Candidate) []string {
	out := make([]string, len(candidates))
	for i, c := range candidates {
		out[i] = c.ID
	}
	return out
}
