package tune

import "math"

// row is one sample of a logistic regression. Its logit is the sum of x times the first weights, plus each times the
// sum of the weights in at.
type row struct {
	x      []float64
	at     []int
	each   float64
	y      float64 // 1 or 0
	weight float64 // weight of its loss
}

// regress returns the weights of the least loss: the weighted log loss of rows plus l2·weight²/2 for each weight.
func regress(rows []row, l2 []float64) []float64 {
	return minimise(len(l2), func(theta, grad []float64) float64 {
		loss := 0.0
		for i, v := range theta {
			grad[i] = l2[i] * v
			loss += grad[i] * v / 2
		}
		for _, r := range rows {
			sum := 0.0
			for _, k := range r.at {
				sum += theta[k]
			}
			z := r.each*sum + dot(r.x, theta)
			loss += r.weight * softplus(z, r.y)
			d := r.weight * (1/(1+math.Exp(-z)) - r.y)
			axpy(d, r.x, grad)
			for _, k := range r.at {
				grad[k] += d * r.each
			}
		}
		return loss
	})
}

func softplus(z, y float64) float64 {
	if z > 0 {
		return math.Log1p(math.Exp(-z)) + z*(1-y)
	}
	return math.Log1p(math.Exp(z)) - z*y
}
