package rerank

import (
	"math"
	"slices"
	"testing"
)

func order(scores []float64) []int {
	out := make([]int, len(scores))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	return out
}

func TestBlend(t *testing.T) {
	bm25 := []float64{18, 12, 9, 7, 4}
	tests := []struct {
		name   string
		bm25   []float64
		result Result
		weight float64
		want   []int
	}{
		{"weight 0 is BM25F's order", bm25, Result{[]float64{-9, -3, 0, 3, 9}, 5}, 0, []int{0, 1, 2, 3, 4}},
		{"weight 1 is the model's", bm25, Result{[]float64{-9, -3, 0, 3, 9}, 5}, 1, []int{4, 3, 2, 1, 0}},
		{"no scores change nothing", bm25, Result{}, 1, []int{0, 1, 2, 3, 4}},
		{"a model that sees no difference makes none", bm25, Result{[]float64{1.00, 1.01, 1.02, 1.03, 1.04}, 8}, 0.5, []int{0, 1, 2, 3, 4}},
		{"only the head is reordered", bm25, Result{[]float64{-9, 9}, 5}, 1, []int{1, 0, 2, 3, 4}},
		{"equal BM25F scores leave the order to the model", []float64{5, 5, 5}, Result{[]float64{1, 3, 2}, 1}, 0.5, []int{1, 2, 0}},
		{"a close second overtakes where the model is sure", []float64{10, 9.5, 3}, Result{[]float64{-4, 6, -8}, 5}, 0.5, []int{1, 0, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Blend(tt.bm25, tt.result, tt.weight)
			if !slices.Equal(order(got), tt.want) {
				t.Errorf("Blend(%v, %v, %v) = %v, order %v, want %v", tt.bm25, tt.result, tt.weight, got, order(got), tt.want)
			}
		})
	}
}

// Blended scores stay on the scale of BM25F: their mean does not change and their spread does not grow.
func TestBlendKeepsMeanAndSpread(t *testing.T) {
	bm25 := []float64{21, 13, 12, 6, 5.5}
	for _, logits := range [][]float64{{9, -9, 3, 1, -4}, {0.1, 0.2, 0.1, 0.3, 0.1}, {-800, 900, 3, 4, 5}} {
		for _, weight := range []float64{0.25, 0.5, 1} {
			got := Blend(bm25, Result{logits, 6}, weight)
			m0, s0 := spread(bm25)
			m1, s1 := spread(got)
			if math.Abs(m0-m1) > 1e-9 || s1 > s0+1e-9 {
				t.Errorf("Blend(%v, %v, %v): mean %.3f and spread %.3f, want %.3f and at most %.3f", bm25, logits, weight, m1, s1, m0, s0)
			}
		}
	}
}
