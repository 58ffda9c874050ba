package tune

import (
	"math"
	"slices"
)

type scale struct{ mean, dev []float64 }

func scaleOf(x [][]float64, weight []float64) scale {
	s := scale{make([]float64, len(x[0])), make([]float64, len(x[0]))}
	total := 0.0
	for i, row := range x {
		total += weight[i]
		for j, v := range row {
			s.mean[j] += v * weight[i]
		}
	}
	for j := range s.mean {
		s.mean[j] /= total
	}
	for i, row := range x {
		for j, v := range row {
			s.dev[j] += (v - s.mean[j]) * (v - s.mean[j]) * weight[i] / total
		}
	}
	for j := range s.dev {
		s.dev[j] = math.Sqrt(s.dev[j])
	}
	return s
}

func (s scale) fit(x [][]float64, y, weight []float64, l2 float64) (bias float64, weights []float64) {
	n := len(s.mean)
	theta, scaled := make([]float64, n+1), make([]float64, n+1)
	for range 50 {
		grad, hess := make([]float64, n+1), make([][]float64, n+1)
		for j := range hess {
			hess[j] = make([]float64, n+1)
			hess[j][j], grad[j] = l2, l2*theta[j]
		}
		hess[n][n], grad[n] = 1e-9, 0
		for i, row := range x {
			z := theta[n]
			for j, v := range row {
				scaled[j] = 0
				if s.dev[j] > 1e-9 {
					scaled[j] = (v - s.mean[j]) / s.dev[j]
				}
				z += theta[j] * scaled[j]
			}
			scaled[n] = 1
			p := 1 / (1 + math.Exp(-z))
			for j, a := range scaled {
				grad[j] += weight[i] * (p - y[i]) * a
				for k, b := range scaled {
					hess[j][k] += weight[i] * p * (1 - p) * a * b
				}
			}
		}
		step, move := solve(hess, grad), 0.0
		for j := range theta {
			theta[j] -= step[j]
			move = max(move, math.Abs(step[j]))
		}
		if move < 1e-7 {
			break
		}
	}
	bias, weights = theta[n], make([]float64, n)
	for j := range weights {
		if s.dev[j] > 1e-9 {
			weights[j] = theta[j] / s.dev[j]
			bias -= theta[j] * s.mean[j] / s.dev[j]
		}
	}
	return bias, weights
}

// solve solves a·x = b for a positive definite a, by Gaussian elimination with pivoting.
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
