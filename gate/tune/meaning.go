package tune

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Texts is the training data for a table of word vectors (gate/meaning). Skills and requests refer to words by their
// index in Words.
type Texts struct {
	Words    []string  // words, most frequent first
	Share    []float64 // for each word, its share of all words in the texts
	Skills   [][]int32
	Requests []Asked
}

// Asked is a request for a skill, as the skill's author wrote it.
type Asked struct {
	Skill  int32
	Words  []int32
	Weight float64 // relative probability of drawing this request
}

// Learning holds the training parameters of LearnMeaning.
type Learning struct {
	Dim, Steps, Batch int
	Rate, Temperature float64
	WeightRate        float64 // learning rate of the weights
	Drop              float64 // probability of omitting a word from a drawn text
	Seed              uint64
	Progress          func(step int, loss float64)
}

// LearnMeaning returns a weighted vector for each word of t.
//
// Each step draws requests for different skills. It adjusts the vectors so that each request comes nearer to its skill
// than to the other skills of the batch, and each skill nearer to its request (softmax in both directions, Adam).
func LearnMeaning(t *Texts, l Learning) [][]float32 {
	m := newLearner(t, l)
	for step := range l.Steps {
		loss := m.step(1 - float64(step)/float64(l.Steps))
		if l.Progress != nil {
			l.Progress(step, loss)
		}
	}
	out := make([][]float32, len(t.Words))
	for w := range out {
		row := make([]float32, l.Dim)
		scale := float32(math.Exp(float64(m.weight.x[w])))
		for j := range row {
			row[j] = scale * m.rows.x[w*l.Dim+j]
		}
		out[w] = row
	}
	return out
}

type params struct{ x, grad, mean, square []float32 }

func newParams(n int) params {
	return params{make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)}
}

func (p *params) update(rate float64, step int) {
	const b1, b2 = 0.9, 0.999
	by := float32(rate * math.Sqrt(1-math.Pow(b2, float64(step))) / (1 - math.Pow(b1, float64(step))))
	parallel(len(p.x), func(from, to int) {
		for i := from; i < to; i++ {
			g := p.grad[i]
			p.mean[i] += (1 - b1) * (g - p.mean[i])
			p.square[i] += (1 - b2) * (g*g - p.square[i])
			p.x[i] -= by * p.mean[i] / (float32(math.Sqrt(float64(p.square[i]))) + 1e-8)
			p.grad[i] = 0
		}
	})
}

// parallel splits the range 0 to n among the processors. The results of do must not depend on how the range is split.
func parallel(n int, do func(from, to int)) {
	var wait sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for i := range parts {
		wait.Go(func() { do(n*i/parts, n*(i+1)/parts) })
	}
	wait.Wait()
}

type learner struct {
	t      *Texts
	l      Learning
	rand   *rand.Rand
	drawn  []float64 // cumulative weights of the requests
	rows   params
	weight params // logarithms of the words' weights
	steps  int

	asked, skills side
	scores        []float32 // Batch × Batch
	turned        []float32 // transposed scores
}

// side holds the texts, vectors and gradients of a batch, for either its requests or its skills.
type side struct {
	words  [][]int32
	length []float32
	vector []float32 // Batch × Dim, normalised to length 1
	grad   []float32
}

// spread is the typical initial length of a vector. Vectors of rare words stay near it.
const spread = 0.3

func newLearner(t *Texts, l Learning) *learner {
	m := &learner{t: t, l: l, rand: rand.New(rand.NewPCG(l.Seed, 1))}
	m.rows, m.weight = newParams(len(t.Words)*l.Dim), newParams(len(t.Words))
	for i := range m.rows.x {
		m.rows.x[i] = float32(spread * m.rand.NormFloat64() / math.Sqrt(float64(l.Dim)))
	}
	for w, share := range t.Share {
		m.weight.x[w] = float32(math.Log(1e-3 / (1e-3 + share)))
	}
	sum := 0.0
	for _, r := range t.Requests {
		sum += r.Weight
		m.drawn = append(m.drawn, sum)
	}
	for _, s := range []*side{&m.asked, &m.skills} {
		*s = side{make([][]int32, l.Batch), make([]float32, l.Batch), make([]float32, l.Batch*l.Dim),
			make([]float32, l.Batch*l.Dim)}
	}
	m.scores, m.turned = make([]float32, l.Batch*l.Batch), make([]float32, l.Batch*l.Batch)
	return m
}

func (m *learner) draw() {
	seen := map[int32]bool{}
	for i := 0; i < m.l.Batch; {
		at := m.rand.Float64() * m.drawn[len(m.drawn)-1]
		lo, _ := slices.BinarySearchFunc(m.drawn, at, func(sum, at float64) int {
			if sum <= at {
				return -1
			}
			return 1
		})
		r := &m.t.Requests[lo]
		if seen[r.Skill] {
			continue
		}
		seen[r.Skill] = true
		m.asked.words[i], m.skills.words[i] = m.some(r.Words), m.some(m.t.Skills[r.Skill])
		i++
	}
}

// some drops words at random and returns the rest. If it would drop all words, it returns all.
func (m *learner) some(words []int32) []int32 {
	out := make([]int32, 0, len(words))
	for _, w := range words {
		if m.rand.Float64() >= m.l.Drop {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return words
	}
	return out
}

func (m *learner) forward(s *side) {
	d := m.l.Dim
	parallel(m.l.Batch, func(from, to int) {
		for i := from; i < to; i++ {
			v := s.vector[i*d : (i+1)*d]
			clear(v)
			for _, w := range s.words[i] {
				a, row := float32(math.Exp(float64(m.weight.x[w]))), m.rows.x[int(w)*d:int(w+1)*d]
				for j, x := range row {
					v[j] += a * x
				}
			}
			square := float32(0)
			for _, x := range v {
				square += x * x
			}
			s.length[i] = float32(math.Sqrt(float64(square))) + 1e-9
			for j := range v {
				v[j] /= s.length[i]
			}
		}
	})
}

// backward adds the gradients of s's vectors to the gradients of the words. It drops the part of a gradient that is
// parallel to its vector, because vectors always have length 1.
func (m *learner) backward(s *side) {
	d := m.l.Dim
	along := make([]float32, m.l.Batch)
	parallel(m.l.Batch, func(from, to int) {
		for i := from; i < to; i++ {
			v, g := s.vector[i*d:(i+1)*d], s.grad[i*d:(i+1)*d]
			for j := range v {
				along[i] += v[j] * g[j]
			}
			for j := range v {
				g[j] = (g[j] - along[i]*v[j]) / s.length[i]
			}
		}
	})
	parallel(d, func(from, to int) { // split by column, because several texts can contain a word
		for i, words := range s.words {
			g := s.grad[i*d+from : i*d+to]
			for _, w := range words {
				a, into := float32(math.Exp(float64(m.weight.x[w]))), m.rows.grad[int(w)*d+from:int(w)*d+to]
				for j, x := range g {
					into[j] += a * x
				}
			}
		}
	})
	for i, words := range s.words {
		g := s.grad[i*d : (i+1)*d]
		for _, w := range words {
			a, row := float32(math.Exp(float64(m.weight.x[w]))), m.rows.x[int(w)*d:int(w+1)*d]
			dot := float32(0)
			for j, x := range g {
				dot += x * row[j]
			}
			m.weight.grad[w] += a * dot
		}
	}
}

func (m *learner) step(slower float64) float64 {
	m.draw()
	m.forward(&m.asked)
	m.forward(&m.skills)
	n, d := m.l.Batch, m.l.Dim
	inverse := float32(1 / m.l.Temperature)
	parallel(n, func(from, to int) { multiply(m.scores, m.asked.vector, m.skills.vector, n, d, from, to, inverse) })
	parallel(n, func(from, to int) {
		for i := from; i < to; i++ {
			for j := range n {
				m.turned[i*n+j] = m.scores[j*n+i]
			}
		}
	})
	losses := make([]float64, n)
	parallel(n, func(from, to int) {
		for i := from; i < to; i++ {
			losses[i] = softmax(m.scores[i*n:(i+1)*n], i) + softmax(m.turned[i*n:(i+1)*n], i)
		}
	})
	loss := 0.0
	for _, x := range losses {
		loss += x
	}
	scale := inverse / float32(2*n)
	parallel(n, func(from, to int) {
		for i := from; i < to; i++ {
			for j := range n {
				m.scores[i*n+j] = scale * (m.scores[i*n+j] + m.turned[j*n+i])
			}
			m.scores[i*n+i] -= 2 * scale
		}
	})
	parallel(n, func(from, to int) {
		for i := from; i < to; i++ {
			for j := range n {
				m.turned[i*n+j] = m.scores[j*n+i]
			}
		}
	})
	parallel(n, func(from, to int) { combine(m.asked.grad, m.scores, m.skills.vector, n, d, from, to) })
	parallel(n, func(from, to int) { combine(m.skills.grad, m.turned, m.asked.vector, n, d, from, to) })
	m.backward(&m.asked)
	m.backward(&m.skills)
	m.steps++
	m.rows.update(m.l.Rate*slower, m.steps)
	m.weight.update(m.l.WeightRate*slower, m.steps)
	return loss / float64(2*n)
}

// softmax replaces scores by their softmax and returns the loss. right is the index of the right score.
func softmax(scores []float32, right int) float64 {
	top := scores[0]
	for _, x := range scores {
		top = max(top, x)
	}
	sum := float32(0)
	for i, x := range scores {
		scores[i] = float32(math.Exp(float64(x - top)))
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
	return -math.Log(float64(scores[right]) + 1e-20)
}

// multiply sets the rows [from, to) of the n×n matrix out to factor·a·bᵀ. a and b are n×d.
func multiply(out, a, b []float32, n, d, from, to int, factor float32) {
	for j := 0; j+4 <= n; j += 4 {
		b0, b1, b2, b3 := b[j*d:(j+1)*d], b[(j+1)*d:(j+2)*d], b[(j+2)*d:(j+3)*d], b[(j+3)*d:(j+4)*d]
		for i := from; i < to; i++ {
			row := a[i*d : (i+1)*d]
			var s0, s1, s2, s3 float32
			b0, b1, b2, b3 := b0[:len(row)], b1[:len(row)], b2[:len(row)], b3[:len(row)]
			for k, x := range row {
				s0 += x * b0[k]
				s1 += x * b1[k]
				s2 += x * b2[k]
				s3 += x * b3[k]
			}
			o := out[i*n+j : i*n+j+4]
			o[0], o[1], o[2], o[3] = factor*s0, factor*s1, factor*s2, factor*s3
		}
	}
}

// combine sets the rows [from, to) of the n×d matrix out to a·b. a is n×n and b is n×d.
func combine(out, a, b []float32, n, d, from, to int) {
	for i := from; i < to; i++ {
		o := out[i*d : (i+1)*d]
		clear(o)
		for j := 0; j+4 <= n; j += 4 {
			x := a[i*n+j : i*n+j+4]
			x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
			b0, b1, b2, b3 := b[j*d:(j+1)*d], b[(j+1)*d:(j+2)*d], b[(j+2)*d:(j+3)*d], b[(j+3)*d:(j+4)*d]
			b0, b1, b2, b3 = b0[:len(o)], b1[:len(o)], b2[:len(o)], b3[:len(o)]
			for k := range o {
				o[k] += x0*b0[k] + x1*b1[k] + x2*b2[k] + x3*b3[k]
			}
		}
	}
}
