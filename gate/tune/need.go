// Package tune trains the models that are part of skillgate: the need model (gate/need), the table of word vectors
// (gate/meaning) and the model of orders (gate/neutral). Training is deterministic: equal input gives equal models.
package tune

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/skillgate/skillgate/gate/need"
)

// Sample is one prompt with its features in one library.
type Sample struct {
	Set        string // library and set, for the report
	ID         string
	Source     string // author; a fold contains all or none of a source's samples
	Genre      string // kind of text; each genre has a separate bias in the text model
	Text       string
	X          need.Features
	Needs      bool // a skill helps with the prompt
	Fold       int
	TextWeight float64 // weight in training the text model; 0 excludes the sample
	Weight     float64 // weight in training the whole model; 0 excludes the sample
	Shown      bool    // the gate would suggest a right skill
}

// Model is a fitted logistic regression.
type Model struct {
	Bias    float64
	Weights need.Features
}

func (m Model) probability(x need.Features) float64 {
	z := m.Bias
	for i, w := range m.Weights {
		z += w * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// fit fits a logistic regression with an L2 penalty to the standardised features of samples. The samples of both labels
// get the same total weight.
func fit(samples []Sample, l2 float64) Model {
	samples = slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Weight == 0 })
	var total [2]float64
	var mean, dev need.Features
	for _, s := range samples {
		total[label(s.Needs)] += s.Weight
		axpy(s.Weight, s.X[:], mean[:])
	}
	for j := range mean {
		mean[j] /= total[0] + total[1]
		for _, s := range samples {
			dev[j] += s.Weight * (s.X[j] - mean[j]) * (s.X[j] - mean[j])
		}
		dev[j] = math.Sqrt(dev[j] / (total[0] + total[1]))
	}
	rows := make([]row, len(samples))
	for i, s := range samples {
		x := make([]float64, len(mean)+1)
		for j := range mean {
			if dev[j] > leastDev {
				x[j] = (s.X[j] - mean[j]) / dev[j]
			}
		}
		x[len(mean)] = 1
		y := label(s.Needs)
		rows[i] = row{x: x, y: float64(y), weight: s.Weight / total[y] / 2}
	}
	theta := regress(rows, append(slices.Repeat([]float64{l2}, len(mean)), 0))
	m := Model{Bias: theta[len(mean)]}
	for j := range mean {
		if dev[j] > leastDev {
			m.Weights[j] = theta[j] / dev[j]
			m.Bias -= m.Weights[j] * mean[j]
		}
	}
	return m
}

const leastDev = 1e-9 // a feature that varies less gets no weight

func label(needs bool) int {
	if needs {
		return 1
	}
	return 0
}

// NeedModel consists of a text model and a regression over all features, which include the text model's logit.
type NeedModel struct {
	Text TextModel
	Model
}

// Packed returns the model in the form that the gate reads.
func (m NeedModel) Packed() need.Model {
	return need.New(m.Text.Table, m.Text.Bias, m.Weights, m.Bias)
}

// CrossValidate returns the probability of each sample, predicted by a model that was not trained on the sample's fold,
// and the models of all folds. Each model is trained on text logits from text models that were not trained on the same
// texts (stacking, Wolpert 1992). use reports whether to use a feature.
func CrossValidate(samples []Sample, folds int, l2, textL2 float64,
	use func(need.Feature) bool) ([]float64, []NeedModel) {
	models := make([]NeedModel, folds)
	var wg sync.WaitGroup
	for f := range folds {
		wg.Go(func() { models[f].Text = fitText(without(samples, f), textL2) })
	}
	wg.Wait()
	held := withTexts(samples, models, use)
	out := make([]float64, len(samples))
	for f := range folds {
		models[f].Model = fit(without(held, f), l2)
		for i, s := range held {
			if s.Fold == f {
				out[i] = models[f].probability(s.X)
			}
		}
	}
	return out, models
}

// FitNeed returns the model fitted to all samples. cross has the models from CrossValidate, which compute the text
// logits.
func FitNeed(samples []Sample, cross []NeedModel, l2, textL2 float64, use func(need.Feature) bool) NeedModel {
	return NeedModel{Text: fitText(samples, textL2), Model: fit(withTexts(samples, cross, use), l2)}
}

// withTexts returns copies of the samples with their text logits, each from the model of the sample's fold, and with
// unused features set to 0.
func withTexts(samples []Sample, models []NeedModel, use func(need.Feature) bool) []Sample {
	held := slices.Clone(samples)
	for i := range held {
		held[i].X[need.Text] = models[held[i].Fold].Text.logit(held[i].Text)
		held[i].X.Cross()
		for j := range held[i].X {
			if !use(need.Feature(j)) {
				held[i].X[j] = 0
			}
		}
	}
	return held
}

func without(samples []Sample, fold int) []Sample {
	return slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Fold == fold })
}

// AUC returns the area under the ROC curve of p: the probability that p is higher for a sample that needs a skill than
// for one that does not.
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

// Threshold returns a limit for p. At most the given share of the samples that need no skill reach it.
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
