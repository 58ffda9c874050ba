package tune

import (
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/ltr"
)

// Choice is the candidates of one labelled prompt, best first as the search has them.
type Choice struct {
	Set   string
	ID    string
	X     []ltr.Features
	Right []bool
	Fold  int
}

// priorScore is the weight of the feature "score" that the penalty pulls towards:
// without anything learned the order is that of the search.
const priorScore = 3

// Utility fits the learned reranker: the loss of one choice is −log of what the
// softmax of the utilities gives its right candidates together (ListNet's top-one
// loss; Cao et al., Learning to Rank: From Pairwise Approach to Listwise Approach,
// 2007), plus l2/2 times the squared distance of the standardised weights from the
// prior. Newton's method, on features standardised by how they vary within a list.
// Choices without a right candidate teach nothing.
func Utility(choices []Choice, l2 float64) *ltr.Model {
	choices = slices.DeleteFunc(slices.Clone(choices), func(c Choice) bool { return !slices.Contains(c.Right, true) })
	scale := spreadWithin(choices)
	prior := make([]float64, len(scale))
	prior[ltr.Score] = priorScore * scale[ltr.Score]
	theta := slices.Clone(prior)
	loss := math.Inf(1)
	for range 100 {
		l, grad, hess := listwise(choices, theta, scale)
		for i := range theta {
			l += l2 / 2 * (theta[i] - prior[i]) * (theta[i] - prior[i])
			grad[i] += l2 * (theta[i] - prior[i])
			hess[i][i] += l2
		}
		if loss-l < 1e-9*math.Abs(l) {
			break
		}
		loss = l
		for i, step := range solve(hess, grad) {
			theta[i] -= step
		}
	}
	var m ltr.Model
	for f := range m {
		m[f] = theta[f] / scale[f]
	}
	return &m
}

// spreadWithin returns each feature's standard deviation within a list, 1 for one
// that never varies.
func spreadWithin(choices []Choice) []float64 {
	scale := make([]float64, len(ltr.Features{}))
	total := 0
	for _, c := range choices {
		for f := range scale {
			mean := 0.0
			for i := range c.X {
				mean += c.X[i][f] / float64(len(c.X))
			}
			for i := range c.X {
				scale[f] += (c.X[i][f] - mean) * (c.X[i][f] - mean)
			}
		}
		total += len(c.X)
	}
	for f, v := range scale {
		if scale[f] = math.Sqrt(v / float64(max(total, 1))); scale[f] < 1e-9 {
			scale[f] = 1
		}
	}
	return scale
}

// listwise returns the loss of weights theta, its gradient and a positive
// semidefinite approximation of its second derivative: the covariance of the
// features under the softmax.
func listwise(choices []Choice, theta, scale []float64) (loss float64, grad []float64, hess [][]float64) {
	n := len(theta)
	grad = make([]float64, n)
	hess = make([][]float64, n)
	for f := range hess {
		hess[f] = make([]float64, n)
	}
	mean, x := make([]float64, n), make([]float64, n)
	var p []float64
	for _, c := range choices {
		p = p[:0]
		for i := range c.X {
			z := 0.0
			for f := range theta {
				z += theta[f] * c.X[i][f] / scale[f]
			}
			p = append(p, z)
		}
		top, sum, right := slices.Max(p), 0.0, 0.0
		for i := range p {
			p[i] = math.Exp(p[i] - top)
			sum += p[i]
			if c.Right[i] {
				right += p[i]
			}
		}
		loss -= math.Log(right / sum)
		clear(mean)
		for i := range c.X {
			for f := range mean {
				mean[f] += p[i] / sum * c.X[i][f] / scale[f]
			}
		}
		for i := range c.X {
			pull := p[i] / sum
			if c.Right[i] {
				pull -= p[i] / right
			}
			for f := range x {
				x[f] = c.X[i][f]/scale[f] - mean[f]
				grad[f] += pull * x[f]
			}
			for f := range x {
				for g := range x {
					hess[f][g] += p[i] / sum * x[f] * x[g]
				}
			}
		}
	}
	return loss, grad, hess
}

// FirstRight returns the rank of the first right candidate in the model's order, 0
// where there is none. nil keeps the order of the search.
func FirstRight(m *ltr.Model, c Choice) int {
	order := make([]int, len(c.X))
	for i := range order {
		order[i] = i
	}
	if m != nil {
		order = m.Order(c.X)
	}
	for at, i := range order {
		if c.Right[i] {
			return at + 1
		}
	}
	return 0
}

// CrossValidateUtility returns what FirstRight is for each choice under a model that
// was fitted without its fold.
func CrossValidateUtility(choices []Choice, l2 float64) []int {
	out := make([]int, len(choices))
	for fold := range folds(choices) {
		var seen []Choice
		for _, c := range choices {
			if c.Fold != fold {
				seen = append(seen, c)
			}
		}
		m := Utility(seen, l2)
		for i, c := range choices {
			if c.Fold == fold {
				out[i] = FirstRight(m, c)
			}
		}
	}
	return out
}

func folds(choices []Choice) map[int]bool {
	out := map[int]bool{}
	for _, c := range choices {
		out[c.Fold] = true
	}
	return out
}
