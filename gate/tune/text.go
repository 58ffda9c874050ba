package tune

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/need"
)

// minSources is the minimum number of sources with an n-gram for it to be learned. The n-grams of a single author
// reflect that author's topic.
const minSources = 3

// vocabulary returns the n-grams of a text model: their positions by hash. If several n-grams share a bucket of the
// table, it keeps the n-gram with the most sources.
func vocabulary(samples []Sample) map[uint32]int32 {
	sources := map[uint32]map[string]bool{}
	for _, s := range samples {
		need.Hashes(s.Text, func(h uint32) {
			if sources[h] == nil {
				sources[h] = map[string]bool{}
			}
			if len(sources[h]) < 64 {
				sources[h][s.Source] = true
			}
		})
	}
	best := map[uint32]uint32{}
	for h, in := range sources {
		if len(in) < minSources {
			continue
		}
		b := need.Bucket(h)
		if old, ok := best[b]; !ok || cmp.Or(cmp.Compare(len(in), len(sources[old])), cmp.Compare(old, h)) > 0 {
			best[b] = h
		}
	}
	kept := slices.Sorted(maps.Values(best))
	at := make(map[uint32]int32, len(kept))
	for i, h := range kept {
		at[h] = int32(i)
	}
	return at
}

// TextModel is the part of a need model that scores n-grams. Table has their weights by hash.
type TextModel struct {
	Bias  float64
	Table map[uint32]float64
}

func (m TextModel) logit(text string) float64 {
	sum, n := 0.0, 0
	need.Hashes(text, func(h uint32) {
		if w, ok := m.Table[h]; ok {
			sum += w
			n++
		}
	})
	return m.Bias + sum/math.Sqrt(float64(max(n, 1)))
}

const genreL2 = 1e-6 // small, because all samples of a genre may be requests

// fitText fits a logistic regression over n-grams with an L2 penalty. The samples of both labels get the same total
// weight.
func fitText(samples []Sample, l2 float64) TextModel {
	samples = slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.TextWeight == 0 })
	at := vocabulary(samples)
	type row struct {
		ids []int32
		val float64
		y   float64
		w   float64
		own int // position of the genre's bias
	}
	rows := make([]row, len(samples))
	var total [2]float64
	n := len(at)
	genres := map[string]int{}
	for i, s := range samples {
		if _, ok := genres[s.Genre]; !ok {
			genres[s.Genre] = n + 1 + len(genres)
		}
		rows[i].own = genres[s.Genre]
		need.Hashes(s.Text, func(h uint32) {
			if id, ok := at[h]; ok {
				rows[i].ids = append(rows[i].ids, id)
			}
		})
		rows[i].val = 1 / math.Sqrt(float64(max(len(rows[i].ids), 1)))
		rows[i].y, rows[i].w = float64(label(s.Needs)), s.TextWeight
		total[label(s.Needs)] += s.TextWeight
	}
	for i := range rows {
		rows[i].w /= 2 * total[int(rows[i].y)]
	}
	theta := minimise(n+1+len(genres), func(theta, grad []float64) float64 {
		loss := 0.0
		for i := range n {
			grad[i] = l2 * theta[i]
			loss += l2 * theta[i] * theta[i] / 2
		}
		for i := n; i < len(grad); i++ {
			grad[i] = 0
		}
		for i := n + 1; i < len(grad); i++ {
			grad[i] = genreL2 * theta[i]
			loss += genreL2 * theta[i] * theta[i] / 2
		}
		for _, r := range rows {
			z := 0.0
			for _, id := range r.ids {
				z += theta[id]
			}
			z = theta[n] + theta[r.own] + z*r.val
			p := 1 / (1 + math.Exp(-z))
			loss += r.w * softplus(z, r.y)
			d := r.w * (p - r.y)
			grad[n] += d
			grad[r.own] += d
			for _, id := range r.ids {
				grad[id] += d * r.val
			}
		}
		return loss
	})
	m := TextModel{Bias: theta[n], Table: make(map[uint32]float64, n)}
	for h, i := range at {
		m.Table[h] = theta[i]
	}
	return m
}

func softplus(z, y float64) float64 {
	if z > 0 {
		return math.Log1p(math.Exp(-z)) + z*(1-y)
	}
	return math.Log1p(math.Exp(z)) - z*y
}

// minimise returns the minimum of f, a smooth convex function of n variables, by L-BFGS with backtracking (Nocedal,
// Wright: Numerical Optimization, 2006, algorithm 7.5).
func minimise(n int, f func(x, grad []float64) float64) []float64 {
	const history, rounds = 8, 120
	x, g := make([]float64, n), make([]float64, n)
	loss := f(x, g)
	var ss, ys [][]float64
	for range rounds {
		d := slices.Clone(g)
		alpha := make([]float64, len(ss))
		for i := len(ss) - 1; i >= 0; i-- {
			alpha[i] = dot(ss[i], d) / dot(ys[i], ss[i])
			axpy(-alpha[i], ys[i], d)
		}
		if k := len(ss) - 1; k >= 0 {
			scale := dot(ss[k], ys[k]) / dot(ys[k], ys[k])
			for i := range d {
				d[i] *= scale
			}
		}
		for i := range ss {
			axpy(alpha[i]-dot(ys[i], d)/dot(ys[i], ss[i]), ss[i], d)
		}
		slope := -dot(g, d)
		step, next, grad := 1.0, make([]float64, n), make([]float64, n)
		var now float64
		for range 30 {
			copy(next, x)
			axpy(-step, d, next)
			if now = f(next, grad); now <= loss+1e-4*step*slope {
				break
			}
			step /= 2
		}
		s, y := slices.Clone(next), slices.Clone(grad)
		axpy(-1, x, s)
		axpy(-1, g, y)
		done := loss-now < 1e-7*max(loss, 1e-3)
		x, g, loss = next, grad, now
		if done {
			break
		}
		if dot(s, y) > 1e-12 {
			ss, ys = append(ss, s), append(ys, y)
		}
		if len(ss) > history {
			ss, ys = ss[1:], ys[1:]
		}
	}
	return x
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func axpy(a float64, x, y []float64) {
	for i, v := range x {
		y[i] += a * v
	}
}
