package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate"
)

// Sample is one prompt over one library as the need model sees it.
type Sample struct {
	Group   string // library and kind, for the report
	X       gate.Features
	Needs   bool // a skill helps
	Fold    int
	Weight  float64
	Correct bool // a right skill is among the first five
}

// Model is a fitted logistic regression.
type Model struct {
	Bias    float64
	Weights gate.Features
}

// Probability is the model's estimate that a skill helps.
func (m Model) Probability(x gate.Features) float64 {
	z := m.Bias
	for i, w := range m.Weights {
		z += w * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// Fit fits a logistic regression with an L2 penalty on standardised features, by
// Newton's method. Samples of both labels get the same total weight.
func Fit(samples []Sample, l2 float64) Model {
	n := len(gate.Features{})
	mean, dev := make([]float64, n), make([]float64, n)
	for _, s := range samples {
		for i, v := range s.X {
			mean[i] += v / float64(len(samples))
		}
	}
	for _, s := range samples {
		for i, v := range s.X {
			dev[i] += (v - mean[i]) * (v - mean[i]) / float64(len(samples))
		}
	}
	for i := range dev {
		dev[i] = math.Sqrt(dev[i])
	}
	var total [2]float64
	for _, s := range samples {
		total[label(s.Needs)] += s.Weight
	}
	theta := make([]float64, n+1) // the last is the bias
	row := make([]float64, n+1)
	for range 50 {
		grad := make([]float64, n+1)
		hess := make([][]float64, n+1)
		for i := range hess {
			hess[i] = make([]float64, n+1)
			if i < n {
				hess[i][i] = l2
				grad[i] = l2 * theta[i]
			} else {
				hess[i][i] = 1e-9
			}
		}
		for _, s := range samples {
			z := theta[n]
			for i, v := range s.X {
				row[i] = 0
				if dev[i] > 1e-9 {
					row[i] = (v - mean[i]) / dev[i]
				}
				z += theta[i] * row[i]
			}
			row[n] = 1
			p := 1 / (1 + math.Exp(-z))
			y := float64(label(s.Needs))
			w := s.Weight / total[label(s.Needs)] / 2
			for i, a := range row {
				grad[i] += w * (p - y) * a
				for j, b := range row {
					hess[i][j] += w * p * (1 - p) * a * b
				}
			}
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

// CrossValidate returns each sample's probability by a model that has not seen its fold.
func CrossValidate(samples []Sample, folds int, l2 float64) []float64 {
	out := make([]float64, len(samples))
	for f := range folds {
		var train []Sample
		for _, s := range samples {
			if s.Fold != f {
				train = append(train, s)
			}
		}
		m := Fit(train, l2)
		for i, s := range samples {
			if s.Fold == f {
				out[i] = m.Probability(s.X)
			}
		}
	}
	return out
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

// Passing is the share of samples at or above the threshold, by group and label.
func Passing(samples []Sample, p []float64, threshold float64) map[string][2]int {
	out := map[string][2]int{}
	for i, s := range samples {
		c := out[s.Group]
		if p[i] >= threshold {
			c[0]++
		}
		c[1]++
		out[s.Group] = c
	}
	return out
}
