package rerank

import "math"

// Blend returns what the first candidates score when the model has its say, in
// the unit of bm25, their BM25F scores. weight is the model's share: with 0 the
// order is BM25F's, with 1 the model's. Candidates past result.Scores keep theirs.
//
// The logits l are brought to the mean and spread that the BM25F scores s of the
// same candidates have:
//
//	m_i = mean(s) + sd(s) · (l_i − mean(l)) / max(sd(l), scale/4)
//	blended_i = (1 − weight) · s_i + weight · m_i
//
// so that the mean stays and the spread does not grow, and a model that sees no
// difference (a spread below a quarter of what it usually has) makes little.
//
// Only the order is taken from it. A candidate's score stays its BM25F score, so
// score_min keeps its meaning: nothing is named on the model's word alone, and
// need, which is decided before, does not move.
func Blend(bm25 []float64, result Result, weight float64) []float64 {
	out := append([]float64(nil), bm25...)
	n := min(len(result.Scores), len(bm25))
	if n < 2 || weight <= 0 {
		return out
	}
	s, l := bm25[:n], result.Scores[:n]
	meanS, sdS := spread(s)
	meanL, sdL := spread(l)
	const tiny = 1e-9 // equal scores still leave the model an order
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
