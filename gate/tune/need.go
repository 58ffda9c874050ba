package tune

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/skillgate/skillgate/gate/need"
)

// Sample is one prompt over one library as the need model sees it.
type Sample struct {
	Set        string // library and set, for the report
	ID         string
	Source     string // who wrote it: its fold
	Genre      string // what it was written for, which has a bias of its own in the model of texts
	Room       string // kind of library and prompt, which has a bias of its own in the model of features
	Text       string
	X          need.Features
	Needs      bool // a skill helps
	Fold       int
	TextWeight float64 // in the model of texts; 0: not in it
	Weight     float64 // in the model of all features; 0: not in it
	Shown      bool    // a right skill is among those that would be named
}

// Model is a fitted logistic regression.
type Model struct {
	Bias    float64
	Weights need.Features
}

// Probability is the model's estimate that a skill helps.
func (m Model) Probability(x need.Features) float64 {
	z := m.Bias
	for i, w := range m.Weights {
		z += w * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// Fit fits a logistic regression with an L2 penalty on standardised features, by
// Newton's method, to the samples whose Weight is not 0. Samples of both labels get the same total weight.
// Every room has a bias of its own beside the common one, under the same penalty, so that what tells
// rooms apart is not learned as what tells requests apart; the model has the common one.
func Fit(samples []Sample, l2 float64) Model {
	samples = slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Weight == 0 })
	var total [2]float64
	rooms := map[string]int{}
	const n = int(need.NumFeatures)
	for _, s := range samples {
		total[label(s.Needs)] += s.Weight
		if _, ok := rooms[s.Room]; !ok {
			rooms[s.Room] = n + 1 + len(rooms)
		}
	}
	var mean, dev [n]float64
	all := total[0] + total[1]
	for _, s := range samples {
		for i, v := range s.X {
			mean[i] += v * s.Weight / all
		}
	}
	for _, s := range samples {
		for i, v := range s.X {
			dev[i] += (v - mean[i]) * (v - mean[i]) * s.Weight / all
		}
	}
	for i := range dev {
		dev[i] = math.Sqrt(dev[i])
	}
	size := n + 1 + len(rooms)
	theta := make([]float64, size) // the features', the bias, those of rooms
	row := make([]float64, n+1)
	for range 50 {
		grad := make([]float64, size)
		hess := make([][]float64, size)
		for i := range hess {
			hess[i] = make([]float64, size)
			hess[i][i], grad[i] = l2, l2*theta[i]
		}
		hess[n][n], grad[n] = 1e-9, 0
		for _, s := range samples {
			own := rooms[s.Room]
			z := theta[n] + theta[own]
			for i, v := range s.X {
				row[i] = 0
				if dev[i] > 1e-9 {
					row[i] = (v - mean[i]) / dev[i]
				}
				z += theta[i] * row[i]
			}
			row[n] = 1
			p := 1 / (1 + math.Exp(-z))
			w := s.Weight / total[label(s.Needs)] / 2
			d, h := w*(p-float64(label(s.Needs))), w*p*(1-p)
			for i, a := range row {
				grad[i] += d * a
				for j, b := range row {
					hess[i][j] += h * a * b
				}
				hess[i][own] += h * a
				hess[own][i] += h * a
			}
			grad[own] += d
			hess[own][own] += h
		}
		step := solve(hess, grad)
		move := 0.0
		for i := range theta {
			theta[i] -= step[i]
			move = max(move, math.Abs(step[i]))
		}
		if move < 1e-7 {
			break
		}
	}
	m := Model{Bias: theta[n]}
	for i := range n {
		if dev[i] > 1e-9 {
			m.Weights[i] = theta[i] / dev[i]
			m.Bias -= theta[i] * mean[i] / dev[i]
		}
	}
	return m
}

func label(needs bool) int {
	if needs {
		return 1
	}
	return 0
}

// solve returns x with a·x = b, by Gaussian elimination with pivoting. a is
// positive definite here.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	m := make([][]float64, n)
	for i := range m {
		m[i] = append(slices.Clone(a[i]), b[i])
	}
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[pivot][c]) {
				pivot = r
			}
		}
		m[c], m[pivot] = m[pivot], m[c]
		for r := c + 1; r < n; r++ {
			f := m[r][c] / m[c][c]
			for k := c; k <= n; k++ {
				m[r][k] -= f * m[c][k]
			}
		}
	}
	x := make([]float64, n)
	for r := n - 1; r >= 0; r-- {
		x[r] = m[r][n]
		for k := r + 1; k < n; k++ {
			x[r] -= m[r][k] * x[k]
		}
		x[r] /= m[r][r]
	}
	return x
}

// NeedModel is a whole need model.
type NeedModel struct {
	Text TextModel
	Model
}

// Packed is the model as the gate reads it.
func (m NeedModel) Packed() need.Model {
	return need.New(m.Text.Table, m.Text.Bias, m.Weights, m.Bias)
}

// CrossValidate returns, for each sample, the probability by a model that has not
// seen its fold, and the model of each fold. The texts' logits that a fold's model
// learns from are those of models that did not see them either (stacking: Wolpert 1992).
func CrossValidate(samples []Sample, folds int, l2, textL2 float64,
	use func(need.Feature) bool) ([]float64, []NeedModel) {
	models := make([]NeedModel, folds)
	held := slices.Clone(samples)
	var wg sync.WaitGroup
	for f := range folds { // each by itself: the same samples give the same models
		wg.Go(func() { models[f].Text = FitText(without(samples, f), textL2) })
	}
	wg.Wait()
	for i := range held {
		held[i].X[need.Text] = models[held[i].Fold].Text.Logit(held[i].Text)
		held[i].X.Cross()
		for j := range held[i].X {
			if !use(need.Feature(j)) {
				held[i].X[j] = 0
			}
		}
	}
	out := make([]float64, len(samples))
	for f := range folds {
		models[f].Model = Fit(without(held, f), l2)
		for i, s := range held {
			if s.Fold == f {
				out[i] = models[f].Probability(s.X)
			}
		}
	}
	return out, models
}

// FitNeed fits the model to all samples, with the logits of their texts as
// CrossValidate has them.
func FitNeed(samples []Sample, cross []NeedModel, l2, textL2 float64, use func(need.Feature) bool) NeedModel {
	held := slices.Clone(samples)
	for i := range held {
		held[i].X[need.Text] = cross[held[i].Fold].Text.Logit(held[i].Text)
		held[i].X.Cross()
		for j := range held[i].X {
			if !use(need.Feature(j)) {
				held[i].X[j] = 0
			}
		}
	}
	return NeedModel{Text: FitText(samples, textL2), Model: Fit(held, l2)}
}

func without(samples []Sample, fold int) []Sample {
	return slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Fold == fold })
}

// AUC is the share of pairs of a sample that needs a skill and one that does not that
// p orders rightly.
func AUC(samples []Sample, p []float64) float64 {
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	var right, pairs, none float64
	for i := 0; i < len(order); {
		j, ties := i, 0.0
		for ; j < len(order) && p[order[j]] == p[order[i]]; j++ {
			if !samples[order[j]].Needs {
				ties++
			}
		}
		for ; i < j; i++ {
			if samples[order[i]].Needs {
				right += none + ties/2
				pairs++
			}
		}
		none += ties
	}
	return right / max(pairs*none, 1)
}

// Threshold returns the lowest probability at which at most share of the samples
// that need no skill pass.
func Threshold(samples []Sample, p []float64, share float64) float64 {
	var none []float64
	for i, s := range samples {
		if !s.Needs {
			none = append(none, p[i])
		}
	}
	slices.SortFunc(none, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(none) == 0 {
		return 0.5
	}
	at := int(share * float64(len(none)))
	return none[min(at, len(none)-1)] + 1e-4
}
