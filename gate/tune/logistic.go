package tune

import "math"

// FitLogistic fits a logistic regression with an L2 penalty on standardised features, by
// Newton's method: rows of features, the label of each as a share of 0 to 1, and its weight.
// It returns the bias and the weights of the features as they are in the rows.
func FitLogistic(x [][]float64, y, weight []float64, l2 float64) (bias float64, weights []float64) {
	n := len(x[0])
	mean, dev := make([]float64, n), make([]float64, n)
	total := 0.0
	for i, row := range x {
		total += weight[i]
		for j, v := range row {
			mean[j] += v * weight[i]
		}
	}
	for j := range mean {
		mean[j] /= total
	}
	for i, row := range x {
		for j, v := range row {
			dev[j] += (v - mean[j]) * (v - mean[j]) * weight[i] / total
		}
	}
	for j := range dev {
		dev[j] = math.Sqrt(dev[j])
	}
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
				if dev[j] > 1e-9 {
					scaled[j] = (v - mean[j]) / dev[j]
				}
				z += theta[j] * scaled[j]
			}
			scaled[n] = 1
			p := 1 / (1 + math.Exp(-z))
			w := weight[i] / total
			for j, a := range scaled {
				grad[j] += w * (p - y[i]) * a
				for k, b := range scaled {
					hess[j][k] += w * p * (1 - p) * a * b
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
		if dev[j] > 1e-9 {
			weights[j] = theta[j] / dev[j]
			bias -= theta[j] * mean[j] / dev[j]
		}
	}
	return bias, weights
}
