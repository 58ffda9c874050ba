package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Folds deals prompts into k folds for cross-validation and returns each one's
// fold, 0 to k-1. Prompts that want the same skills, such as two wordings of one
// wish, are in the same fold; those that want none go by id. The result depends
// on the prompts and seed, not on their order; folds differ in size by at most
// the largest such family.
func Folds(prompts []Prompt, k int, seed uint64) []int {
	family := make([]string, len(prompts))
	size := map[string]int{}
	for i := range prompts {
		family[i] = familyOf(&prompts[i])
		size[family[i]]++
	}
	keys := sorted(size)
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	slices.SortStableFunc(keys, func(a, b string) int { return size[b] - size[a] })
	filled := make([]int, k)
	fold := map[string]int{}
	for _, key := range keys {
		least := 0
		for f := range filled {
			if filled[f] < filled[least] {
				least = f
			}
		}
		fold[key] = least
		filled[least] += size[key]
	}
	out := make([]int, len(prompts))
	for i := range prompts {
		out[i] = fold[family[i]]
	}
	return out
}

// familyOf is what prompts that must not be separated have in common.
func familyOf(p *Prompt) string {
	want := slices.Concat(p.Gold)
	if p.Task == Pair {
		want = []string{p.Helpful, p.Risky}
	}
	if len(want) == 0 {
		return "id " + p.ID
	}
	slices.Sort(want)
	return strings.Join(want, "\x00")
}
