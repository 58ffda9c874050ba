package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
)

// Names of the measures that are used by name elsewhere.
const (
	gatedHit        = "gated hit"
	injected        = "injected"
	chatInjected    = "chat injected"
	nativeInjected  = "native injected"
	skipped         = "skipped"
	wronglySkipped  = "wrongly skipped"
	helpfulAbove    = "helpful above"
	boundaryRight   = "boundary right"
	boundaryPlaces  = 5 // the place up to which a boundary prompt's gold must be found
	reciprocalDepth = 10
)

var (
	hitDepths      = []int{1, 3, 5, 10, 20}
	strictDepths   = []int{1, 5}
	recallDepths   = []int{1, 3, 5, 10, 20, 50}
	gainDepths     = []int{1, 3, 5, 10}
	fullDepths     = []int{3, 5, 10}
	coverageDepths = []int{3, 5, 8, 10, 20}
	pairDepths     = []int{1, 3, 5, 10}
)

// lowerIsBetter says for which measures a smaller value is the better one.
func lowerIsBetter(measure string) bool {
	switch measure {
	case chatInjected, nativeInjected, wronglySkipped:
		return true
	}
	return strings.HasPrefix(measure, "HSR@")
}

// Measures lists what is reported on a task in a style, in table order, with
// depths up to k.
func Measures(task Task, style Style, k int) []string {
	var names []string
	at := func(name string, depths ...int) {
		for _, d := range depths {
			if d <= k {
				names = append(names, fmt.Sprintf("%s@%d", name, d))
			}
		}
	}
	switch {
	case style == SkillRetBench:
		at("R", 1, 3, 5, 10)
		at("nDCG", 1, 3, 5, 10)
		return append(names, "MRR", "MAP", injected, gatedHit)
	case style == SkillRouter:
		at("hit", 1)
		at("MRR", 10)
		at("nDCG", 1, 3, 10)
		at("R", 10, 20, 50)
		at("FC", 3, 5, 10)
		return append(names, injected, gatedHit)
	case style == BEIR:
		at("nDCG", 10)
		at("R", 5, 10, 20)
		at("MRR", 10)
		return append(names, "MAP", injected, gatedHit)
	}
	switch task {
	case Pair:
		at("R", 1, 5, 10)
		at("HSR", 1, 3, 5, 10)
		return append(names, helpfulAbove)
	case Boundary:
		at("hit", 1, 5)
		return append(names, boundaryRight)
	case Gate:
		return []string{skipped, chatInjected, nativeInjected, wronglySkipped, injected, gatedHit}
	case Composite:
		at("coverage", 3, 5, 8, 10, 20)
	}
	at("hit", 1, 3, 5, 10, 20)
	at("strict hit", 1, 5)
	at("MRR", 10)
	at("nDCG", 5, 10)
	at("R", 5, 10, 20)
	names = append(names, "MAP")
	at("FC", 10)
	return append(names, injected, gatedHit)
}

// measure computes every measure that applies to p, by name, from the first k
// of the ranking, the verdict and the injected skills of d. twin says whether two skills are the same text. A measure
// of a depth past k is left out.
func measure(p *Prompt, d *gate.Decision, k int, twin func(a, b string) bool) map[string]float64 {
	ranked := ids(d.Candidates[:min(k, len(d.Candidates))])
	v := map[string]float64{}
	at := func(name string, depths []int, value func(k int) float64) {
		for _, depth := range depths {
			if depth <= k {
				v[fmt.Sprintf("%s@%d", name, depth)] = value(depth)
			}
		}
	}
	switch p.Task {
	case Gate:
		measureGate(p, d, v)
		return v
	case Pair:
		helpful, risky := rankOf(ranked, p.Helpful), rankOf(ranked, p.Risky)
		at("R", pairDepths, func(k int) float64 { return within(helpful, k) })
		at("HSR", pairDepths, func(k int) float64 { return within(risky, k) })
		v[helpfulAbove] = truth(before(helpful, risky))
		return v
	case Boundary:
		gold, not := rankOf(ranked, p.Gold...), rankOf(ranked, p.NotAbove)
		right := rankOf(ranked, rightIDs(p)...)
		at("hit", []int{1, 5}, func(k int) float64 { return within(right, k) })
		if k >= boundaryPlaces {
			v[boundaryRight] = truth(within(gold, boundaryPlaces) == 1 && before(gold, not))
		}
		return v
	case Composite:
		at("coverage", coverageDepths, func(k int) float64 { return coverageAt(ranked, p.Steps, k) })
	}
	right := rankOf(ranked, rightIDs(p)...)
	at("hit", hitDepths, func(k int) float64 { return within(right, k) })
	at("MRR", []int{reciprocalDepth}, func(k int) float64 { return reciprocal(right, k) })
	v["MRR"] = reciprocal(right, len(ranked))
	v[injected] = truth(named(d))
	v[gatedHit] = truth(named(d) && slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool {
		return c.Injected && slices.Contains(rightIDs(p), c.ID)
	}))
	if len(p.Gold) == 0 {
		return v
	}
	strict := rankOf(ranked, p.Gold...)
	at("strict hit", strictDepths, func(k int) float64 { return within(strict, k) })
	gold, graded := wants(p, twin)
	at("R", recallDepths, func(k int) float64 { return recallAt(ranked, gold, k) })
	at("FC", fullDepths, func(k int) float64 { return fullAt(ranked, gold, k) })
	at("nDCG", gainDepths, func(k int) float64 { return ndcgAt(ranked, graded, k) })
	v["MAP"] = averagePrecision(ranked, gold)
	return v
}

func measureGate(p *Prompt, d *gate.Decision, v map[string]float64) {
	switch p.Kind {
	case kindGreeting, kindAck, kindCommand:
		v[skipped] = truth(d.Verdict == gate.Skip && len(d.Candidates) == 0)
		v[chatInjected] = truth(named(d))
	case kindNative:
		v[nativeInjected] = truth(named(d))
	case kindFalseSkip:
		v[wronglySkipped] = truth(d.Verdict == gate.Skip)
	}
}

// rightIDs is gold and also_ok, with the steps' ids of a composite prompt.
func rightIDs(p *Prompt) []string {
	right := slices.Concat(p.Gold, p.AlsoOK)
	for _, step := range p.Steps {
		right = append(right, step...)
	}
	return right
}

// wants turns gold into what recall counts and grades into what nDCG does. A
// skill of also_ok with the text of a gold skill stands for the first such one.
func wants(p *Prompt, twin func(a, b string) bool) (gold, graded []wanted) {
	for _, id := range p.Gold {
		gold = append(gold, wanted{ids: []string{id}, grade: 1})
	}
	for _, id := range p.AlsoOK {
		if i := slices.IndexFunc(gold, func(w wanted) bool { return twin(w.ids[0], id) }); i >= 0 {
			gold[i].ids = append(gold[i].ids, id)
		}
	}
	if p.Grades == nil {
		return gold, gold
	}
	for _, id := range sorted(p.Grades) {
		graded = append(graded, wanted{ids: []string{id}, grade: p.Grades[id]})
	}
	return gold, graded
}

// before says whether a has a place and b has none before it.
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

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
