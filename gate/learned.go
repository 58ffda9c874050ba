package gate

import (
	"slices"

	"github.com/skillgate/skillgate/gate/ltr"
	"github.com/skillgate/skillgate/gate/rank"
)

// learned puts the first candidates of a search into the order of the learned
// reranker where the user has it on. Scores stay as they are, and those above
// score_min stay before those below it, so that as many are named as without.
func (g *Gate) learned(res *rank.Result, list []candidate) []candidate {
	if !g.Settings.Rerank.Learned || len(list) < 2 {
		return list
	}
	first := list[:min(ltr.Depth, len(list))]
	out := make([]candidate, 0, len(list))
	for _, i := range ltr.Default().Order(g.ltrFeatures(res, first)) {
		out = append(out, first[i])
	}
	floor := g.Settings.ScoreMin
	slices.SortStableFunc(out, func(a, b candidate) int {
		switch aboveA, aboveB := a.Score >= floor, b.Score >= floor; {
		case aboveA == aboveB:
			return 0
		case aboveA:
			return -1
		}
		return 1
	})
	return append(out, list[len(first):]...)
}

func (g *Gate) ltrFeatures(res *rank.Result, list []candidate) []ltr.Features {
	candidates := make([]ltr.Candidate, len(list))
	for i := range list {
		candidates[i] = ltr.Candidate{Num: list[i].num, Score: list[i].Score, Doc: &list[i].doc}
	}
	return ltr.Extract(g.ranker, g.snapshot, res, candidates)
}
