package tune

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/skillgate/skillgate/gate/need"
)

// minSources is the minimum number of sources that must contain an n-gram for the model to learn it. The n-grams of a
// single author reflect that author's topic.
const minSources = 3

// vocabulary returns the n-grams of a text model: their positions by hash. If several n-grams share a bucket of the
// table, it keeps the n-gram with the most sources.
func vocabulary(samples []Sample) map[uint32]int {
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
	return numbered(slices.Sorted(maps.Values(best)))
}

func numbered(hashes []uint32) map[uint32]int {
	at := make(map[uint32]int, len(hashes))
	for i, h := range hashes {
		at[h] = i
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

const genreL2 = 1e-6 // L2 penalty of a genre's bias, which is large if all samples of the genre are requests

// fitText fits a logistic regression over n-grams with an L2 penalty. The samples of both labels get the same total
// weight.
func fitText(samples []Sample, l2 float64) TextModel {
	samples = slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.TextWeight == 0 })
	at := vocabulary(samples)
	genres := map[string]int{}
	for _, s := range samples {
		if _, ok := genres[s.Genre]; !ok {
			genres[s.Genre] = 1 + len(genres)
		}
	}
	first := 1 + len(genres) // the n-grams follow the common bias and the genres' biases
	rows := make([]row, len(samples))
	var total [2]float64
	for i, s := range samples {
		r := row{x: make([]float64, first), y: float64(label(s.Needs)), weight: s.TextWeight}
		r.x[0], r.x[genres[s.Genre]] = 1, 1
		need.Hashes(s.Text, func(h uint32) {
			if k, ok := at[h]; ok {
				r.at = append(r.at, first+k)
			}
		})
		r.each = 1 / math.Sqrt(float64(max(len(r.at), 1)))
		total[label(s.Needs)] += s.TextWeight
		rows[i] = r
	}
	for i := range rows {
		rows[i].weight /= 2 * total[int(rows[i].y)]
	}
	penalties := slices.Repeat([]float64{l2}, first+len(at))
	for i := range first {
		penalties[i] = genreL2
	}
	penalties[0] = 0
	theta := regress(rows, penalties)
	m := TextModel{Bias: theta[0], Table: make(map[uint32]float64, len(at))}
	for h, k := range at {
		m.Table[h] = theta[first+k]
	}
	return m
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
