package bench

import (
	"maps"
	"math"
	"slices"
)

func rankOf(ranked []string, ids ...string) int {
	for i, id := range ranked {
		if slices.Contains(ids, id) {
			return i + 1
		}
	}
	return 0
}

func within(rank, k int) float64 {
	if rank > 0 && rank <= k {
		return 1
	}
	return 0
}

func reciprocal(rank, k int) float64 {
	if within(rank, k) == 0 {
		return 0
	}
	return 1 / float64(rank)
}

func recallAt(ranked []string, want []string, k int) float64 {
	found := 0.0
	for _, w := range want {
		found += within(rankOf(ranked, w), k)
	}
	return found / float64(len(want))
}

// averagePrecision returns the mean, over the IDs in want, of the precision at the ID's rank. Missing IDs count as 0.
func averagePrecision(ranked []string, want []string) float64 {
	ranks := make([]int, 0, len(want))
	for _, w := range want {
		if r := rankOf(ranked, w); r > 0 {
			ranks = append(ranks, r)
		}
	}
	slices.Sort(ranks)
	sum := 0.0
	for i, r := range ranks {
		sum += float64(i+1) / float64(r)
	}
	return sum / float64(len(want))
}

// ndcgAt returns the discounted cumulative gain of the first k IDs, divided by the gain of the ideal order.
func ndcgAt(ranked []string, grades map[string]float64, k int) float64 {
	gain, ideal := 0.0, 0.0
	for i, id := range ranked[:min(k, len(ranked))] {
		gain += grades[id] / math.Log2(float64(i)+2)
	}
	best := slices.Sorted(maps.Values(grades))
	slices.Reverse(best)
	for i, g := range best[:min(k, len(best))] {
		ideal += g / math.Log2(float64(i)+2)
	}
	if ideal == 0 {
		return 0
	}
	return gain / ideal
}

func coverageAt(ranked []string, steps [][]string, k int) float64 {
	found := 0.0
	for _, step := range steps {
		found += within(rankOf(ranked, step...), k)
	}
	return found / float64(len(steps))
}
