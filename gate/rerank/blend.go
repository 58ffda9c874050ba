package rerank

import "math"

// Blend returns scores that combine the model's logits with bm25, the BM25F scores of the
// first candidates, on the scale of bm25. weight is the share of the model: with 0 the
// order is BM25F's, with 1 the model's. Candidates without a logit keep their score.
//
// The logits l are transformed to the mean and spread of the BM25F scores s of the same candidates:
//
//	m_i = mean(s) + sd(s) · (l_i − mean(l)) / max(sd(l), scale/4)
//	blended_i = (1 − weight) · s_i + weight · m_i
//
// So the mean stays and the spread does not grow. A model that sees no difference (a spread
// below a quarter of its usual one) has little effect.
//
// The result is used for the order only. The score of a candidate remains its BM25F score, so
// score_min keeps its meaning, and the model does not change need.
func Blend(bm25 []float64, result Result, weight float64) []float64 {
	out := append([]float64(nil), bm25...)
	n := min(len(result.Scores), len(bm25))
	if n < 2 || weight <= 0 {
		return out
	}
	s, l := bm25[:n], result.Scores[:n]
	meanS, sdS := spread(s)
	meanL, sdL := spread(l)
	const tiny = 1e-9 // so that with equal BM25F scores the model still decides the order
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
