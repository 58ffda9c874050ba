package tune

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/gate/need"
)

// separable returns samples that need a skill if Share is high or the text is polite. Mean does not matter.
func separable() []Sample {
	var out []Sample
	for i := range 60 {
		var s Sample
		s.Needs = i%2 == 0
		s.X[need.Share] = float64(i%7)/10 + float64(label(s.Needs))*3
		s.X[need.Mean] = float64(i * 37 % 11)
		s.Text = fmt.Sprintf("%s number %d", []string{"please prepare the quarterly", "no, that is still wrong"}[i%2], i)
		s.Weight, s.TextWeight, s.Fold, s.Source = 1, 1, i%3, fmt.Sprint(i%12)
		out = append(out, s)
	}
	return out
}

func everything(need.Feature) bool { return true }

func TestFitTellsApart(t *testing.T) {
	samples := separable()
	m := fit(samples, 1e-3)
	for _, s := range samples {
		if p := m.probability(s.X); (p > 0.5) != s.Needs {
			t.Errorf("Probability(%v) = %.3f, want needs: %v", s.X[:2], p, s.Needs)
		}
	}
	if m.Weights[need.Share] <= 0 || math.Abs(m.Weights[need.Mean]) > m.Weights[need.Share]/10 {
		t.Errorf("weights %.3f and %.3f, want the first to decide", m.Weights[need.Share], m.Weights[need.Mean])
	}
	assert.Equal(t, float64(0), m.Weights[need.Z])
	p, models := CrossValidate(samples, 3, 1e-3, 1e-3, everything)
	for i := range p {
		if (p[i] > 0.5) != samples[i].Needs {
			t.Errorf("cross-validated probability of sample %d = %.3f, want needs: %v", i, p[i], samples[i].Needs)
		}
	}
	assert.Equal(t, float64(1), AUC(samples, p))
	assert.Greater(t, FitNeed(samples, models, 1e-3, 1e-3, everything).Weights[need.Text], float64(0))
}

func TestTheGateReadsTheModelThatWasFitted(t *testing.T) {
	samples := separable()
	_, models := CrossValidate(samples, 3, 1e-3, 1e-3, everything)
	m := FitNeed(samples, models, 1e-3, 1e-3, everything)
	packed := m.Packed()
	for _, s := range samples {
		logit := m.Text.logit(s.Text)
		assert.LessOrEqual(t, math.Abs(packed.Text(s.Text)-logit), 0.05*math.Abs(logit)+0.01, logit)
		s.X[need.Text] = logit
		got, want := packed.Probability(s.X), m.probability(s.X)
		assert.LessOrEqual(t, math.Abs(got-want), float64(1e-5), "need: packed %.6f, fitted %.6f", got, want)
	}
}

func TestTrainingIsRepeatable(t *testing.T) {
	fit := func() []byte {
		samples := separable()
		_, models := CrossValidate(samples, 3, 1e-3, 1e-3, everything)
		out := FitNeed(samples, models, 1e-3, 1e-3, everything).Packed().Bytes()
		for _, m := range models {
			out = append(out, m.Packed().Bytes()...)
		}
		return out
	}
	assert.Equal(t, fit(), fit(), "the same samples give other models")
}

// A word of a single author is not learned.
func TestFitTextLeavesOutWhatOneSourceSays(t *testing.T) {
	samples := separable()
	for i := range samples {
		if samples[i].Source == "0" {
			samples[i].Text += " zebra"
		}
	}
	m := fitText(samples, 1e-3)
	a, b := m.logit("zebra"), m.logit("")
	assert.Equal(t, b, a)
}

func TestAUC(t *testing.T) {
	of := func(needs ...bool) (out []Sample) {
		for _, n := range needs {
			out = append(out, Sample{Needs: n})
		}
		return out
	}
	for _, test := range []struct {
		name    string
		samples []Sample
		p       []float64
		want    float64
	}{
		{"in order", of(false, false, true), []float64{1, 2, 3}, 1},
		{"reversed", of(true, false), []float64{1, 2}, 0},
		{"ties", of(true, false, true, false), []float64{1, 1, 1, 1}, 0.5},
		{"mixed", of(false, true, false, true), []float64{1, 2, 3, 4}, 0.75},
	} {
		assert.Equal(t, test.want, AUC(test.samples, test.p), test.name)
	}
}

func TestThreshold(t *testing.T) {
	samples := separable()
	p := make([]float64, len(samples))
	for i := range p {
		p[i] = float64(i) / 100
	}
	for _, share := range []float64{0, 0.1, 0.5} {
		at := Threshold(samples, p, share)
		passed, all := 0, 0
		for i, s := range samples {
			if !s.Needs {
				all++
				if p[i] >= at {
					passed++
				}
			}
		}
		if float64(passed) > share*float64(all) {
			t.Errorf("Threshold(%v) = %v lets %d of %d pass", share, at, passed, all)
		}
	}
	assert.Equal(t, float64(0.5), Threshold([]Sample{{Needs: true}}, []float64{0.9}, 0.1))
}
