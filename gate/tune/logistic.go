package tune

import "math"

// row is one sample of a logistic regression. Its logit is Σ x[i]·weight[i] + each·Σ weight[k] over all k in at.
type row struct {
	x      []float64
	at     []int
	each   float64
	y      float64 // label, 0 or 1
	weight float64 // weight of the row's loss
}

// regress returns the weights with the lowest loss: the weighted log loss of rows plus Σ l2[i]·weight[i]²/2.
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
