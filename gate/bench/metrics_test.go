package bench

import (
	"maps"
	"math"
	"slices"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 5e-4 }

func TestRankingMeasures(t *testing.T) {
	tests := []struct {
		name   string
		ranked []string
		want   map[string]float64 // grades
		k      int
		recall float64
		gain   float64
		map_   float64
	}{
		{"nothing retrieved", nil, map[string]float64{"a": 1}, 5, 0, 0, 0},
		{"only one, first", []string{"a", "x", "y"}, map[string]float64{"a": 1}, 3, 1, 1, 1},
		{"only one, third", []string{"x", "y", "a"}, map[string]float64{"a": 1}, 3, 1, 0.5, 1.0 / 3},
		{"only one, past k", []string{"x", "y", "a"}, map[string]float64{"a": 1}, 2, 0, 0, 1.0 / 3},
		// dcg = 1/log2(2) + 1/log2(4) = 1.5; ideal = 1 + 1/log2(3) = 1.6309; ap = (1/1 + 2/3)/2
		{"two, at 1 and 3", []string{"a", "x", "b"}, map[string]float64{"a": 1, "b": 1}, 3, 1, 0.9197, 0.8333},
		// dcg = 1/log2(3) = 0.6309; ideal = 1.6309; ap = (1/2)/2
		{"two, one missing", []string{"x", "b", "y"}, map[string]float64{"a": 1, "b": 1}, 3, 0.5, 0.3869, 0.25},
		{"more wanted than k", []string{"a", "b"}, map[string]float64{"a": 1, "b": 1, "c": 1}, 2, 2.0 / 3, 1, 2.0 / 3},
		{"k past the end of the list", []string{"x", "a"}, map[string]float64{"a": 1}, 50, 1, 0.6309, 0.5},
		// dcg = 1/log2(2) + 3/log2(3) = 2.8928; ideal = 3 + 1/log2(3) = 3.6309
		{"grades in the wrong order", []string{"low", "high"}, map[string]float64{"high": 3, "low": 1}, 2, 1, 0.7967, 1},
		// ideal over all grades, k of them: 3 + 3/log2(3) = 4.8928
		{"a grade that is not in the library still counts in the ideal", []string{"h1"},
			map[string]float64{"h1": 3, "h2": 3, "l": 1}, 2, 1.0 / 3, 0.6131, 1.0 / 3},
		{"grades of nothing", []string{"a"}, map[string]float64{"a": 0}, 1, 1, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			gold := slices.Sorted(maps.Keys(tt.want))
			if got := recallAt(tt.ranked, gold, tt.k); !near(got, tt.recall) {
				t.Errorf("recallAt(%v, %v, %d) = %.4f, want %.4f", tt.ranked, tt.want, tt.k, got, tt.recall)
			}
			if got := ndcgAt(tt.ranked, tt.want, tt.k); !near(got, tt.gain) {
				t.Errorf("ndcgAt(%v, %v, %d) = %.4f, want %.4f", tt.ranked, tt.want, tt.k, got, tt.gain)
			}
			if got := averagePrecision(tt.ranked, gold); !near(got, tt.map_) {
				t.Errorf("averagePrecision(%v, %v) = %.4f, want %.4f", tt.ranked, tt.want, got, tt.map_)
			}
		})
	}
}
