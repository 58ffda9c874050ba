package rerank

import "math"

// Blend combines the logits in result with bm25, the BM25F scores of the first candidates. The returned scores are on
// the scale of bm25. weight is the share of the model: 0 gives the order of bm25 and 1 the order of the logits.
// Candidates without a logit keep their scores.
//
// The logits l are transformed to the mean and spread of the BM25F scores s of the same candidates:
//
//	m_i = mean(s) + sd(s) · (l_i − mean(l)) / max(sd(l), scale/4)
//	blended_i = (1 − weight) · s_i + weight · m_i
//
// So the mean stays the same and the spread does not grow. If the model hardly distinguishes the candidates, so that
// the spread of the logits is below a quarter of its usual value, it has little effect.
//
// The result determines only the order. The score of a candidate remains its BM25F score, so that score_min keeps its
// meaning and the model does not affect need.
func Blend(bm25 []float64, result Result, weight float64) []float64 {
	out := append([]float64(nil), bm25...)
	n := min(len(result.Scores), len(bm25))
	if n < 2 || weight <= 0 {
		return out
	}
	s, l := bm25[:n], result.Scores[:n]
	meanS, sdS := spread(s)
	meanL, sdL := spread(l)
	const tiny = 1e-9 // lets the model decide the order if all BM25F scores are equal
	sdS = max(sdS, tiny)
	sdL = max(sdL, result.Scale/4, tiny)
	for i := range n {
		out[i] = (1-weight)*s[i] + weight*(meanS+sdS*(l[i]-meanL)/sdL)
	}
	return out
}

func spread(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		sd += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(sd / float64(len(v)))
}
