// Package ltr puts the first candidates of a search into the order that a small
// learned model prefers (learning to rank). The model is linear,
//
//	utility(d) = Σ_f w_f · x_f(d)
//
// over features that the search has computed anyway: how much of the prompt a
// candidate meets, where, and at what cost. They are those of SkillResolve's utility
// scorer and of the seven factors (intent match, trigger coverage, boundary
// violation, input sufficiency, output fit, reference dependencies, context cost), as
// far as they can be told from postings without reading a file.
//
// Package gate/tune fits the weights, `skillgate tune rerank` prints what they are
// worth beside BM25F, cross-validated.
package ltr

import (
	"math"
	"strings"

	"github.com/skillgate/skillgate/gate/family"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
)

// Feature is one input of the model.
type Feature int

// The features. A share is of the prompt: of the weight of its concepts, 0 to 1,
// where a concept weighs its idf times its weight and counts as far as the term that
// meets it surely means it.
const (
	Score      Feature = iota // log of the score over the best one's
	Met                       // share of the prompt's concepts met anywhere, each counting the same
	Intent                    // share met in name or description: intent match
	Triggers                  // share met in triggers: trigger coverage
	Boundary                  // share met in the skill's own "Do NOT use for X": boundary violation
	Inputs                    // of the files, links and identifiers in the prompt, the share met: input sufficiency
	Outputs                   // of the kinds of result that the prompt names, the share met outside the body: output fit
	References                // log(1 + files that the body refers to): reference dependencies
	Cost                      // log(1 + terms of the body): context cost
	Contract                  // share met in what other skills send here
	Expanded                  // share met in the expansion
	BodyOnly                  // share met nowhere but in the body
	General                   // share met by words so general that they say little
	Peak                      // share of the one concept that weighs most of those met
	Rarest                    // 1 when the concept that weighs most is met outside the body
	NameSaid                  // share of the name's terms that the prompt says
	NameUnsaid                // idf of the name's terms that the prompt does not say
	Described                 // log(1 + terms of the description)
	Company                   // likeness to the other candidates, each weighed by its score: the family's vote
	Twin                      // likeness to the most similar candidate with a better score
	Korean                    // share met by the prompt's own Korean words
	numFeatures
)

var featureNames = [numFeatures]string{
	"score", "met", "intent", "triggers", "boundary", "inputs", "outputs", "references", "cost", "contract", "expanded",
	"body_only", "general", "peak", "rarest", "name_said", "name_unsaid", "described", "company", "twin", "korean",
}

// String returns the feature's name in model files.
func (f Feature) String() string { return featureNames[f] }

func parseFeature(name string) (Feature, bool) {
	for f, n := range featureNames {
		if n == name {
			return Feature(f), true
		}
	}
	return 0, false
}

// Features is one candidate as the model sees it.
type Features [numFeatures]float64

// Candidate is a document to be ordered.
type Candidate struct {
	Num   uint32 // in the snapshot
	Score float64
	Doc   *index.Doc
}

// Depth is how many candidates are ordered.
const Depth = 15

// Extract returns the features of list, the candidates of one search, best first.
func Extract(r *rank.Ranker, snapshot *index.Snapshot, res *rank.Result, list []Candidate) []Features {
	out := make([]Features, len(list))
	p := profile(res)
	if p.all == 0 || len(list) == 0 || list[0].Score <= 0 {
		return out
	}
	for i, c := range list {
		x := &out[i]
		p.meet(x, c.Num)
		x[Score] = math.Log(max(c.Score/list[0].Score, 1e-6))
		x[References] = math.Log1p(float64(c.Doc.References))
		x[Cost] = math.Log1p(float64(snapshot.Length(c.Num, index.Body)))
		x[Described] = math.Log1p(float64(snapshot.Length(c.Num, index.Description)))
		x[NameSaid], x[NameUnsaid] = p.said(r, c.Doc.Name)
		for j, other := range list {
			if i == j {
				continue
			}
			like := family.Jaccard(c.Doc.Sketch, other.Doc.Sketch)
			x[Company] += like * other.Score / list[0].Score
			if j < i {
				x[Twin] = max(x[Twin], like)
			}
		}
	}
	return out
}

// prompt is what the features ask of a prompt.
type prompt struct {
	concepts        []rank.Concept
	mass            []float64 // of each concept
	input, output   []bool    // it is something given, a kind of result
	all             float64   // mass of all
	inputs, outputs float64   // mass of those
	live            int       // concepts with mass
	heaviest        int
}

func profile(res *rank.Result) prompt {
	n := len(res.Query.Concepts)
	p := prompt{concepts: res.Query.Concepts, mass: make([]float64, n), input: make([]bool, n), output: make([]bool, n)}
	for i := range p.concepts {
		c := &p.concepts[i]
		m := c.Weight * c.IDF()
		if m == 0 {
			continue
		}
		p.mass[i] = m
		p.all += m
		p.live++
		if m > p.mass[p.heaviest] {
			p.heaviest = i
		}
		if p.input[i] = isInput(c); p.input[i] {
			p.inputs += m
		}
		if p.output[i] = isOutput(c); p.output[i] {
			p.outputs += m
		}
	}
	return p
}

// meet fills in the features that say which concepts a document meets, and where.
func (p *prompt) meet(x *Features, doc uint32) {
	for i := range p.concepts {
		if p.mass[i] == 0 {
			continue
		}
		share := p.mass[i] / p.all
		in, own := fieldsOf(&p.concepts[i], doc)
		outside := max(in[index.Name], in[index.Description], in[index.Triggers], in[index.Headings], in[index.Anchors], in[index.Expansion])
		anywhere := max(outside, in[index.Body])
		x[Intent] += share * max(in[index.Name], in[index.Description])
		x[Triggers] += share * in[index.Triggers]
		x[Boundary] += share * in[index.Not]
		x[Contract] += share * in[index.Anchors]
		x[Expanded] += share * in[index.Expansion]
		if anywhere == 0 {
			continue
		}
		x[Met] += 1 / float64(p.live)
		x[Peak] = max(x[Peak], share*anywhere)
		if outside == 0 {
			x[BodyOnly] += share * anywhere
		}
		if p.concepts[i].Generic {
			x[General] += share * anywhere
		}
		if own {
			x[Korean] += share
		}
		if i == p.heaviest && outside > 0 {
			x[Rarest] = 1
		}
		if p.input[i] {
			x[Inputs] += anywhere * p.mass[i] / p.inputs
		}
		if p.output[i] {
			x[Outputs] += outside * p.mass[i] / p.outputs
		}
	}
}

// fieldsOf returns for each field how surely the concept's best term in it means the
// concept, 0 where there is none, and whether the prompt's own Korean word is there.
func fieldsOf(c *rank.Concept, doc uint32) (in [index.NumFields]float64, own bool) {
	for j := range c.Alts {
		a := &c.Alts[j]
		posting, ok := a.Posting(doc)
		if !ok {
			continue
		}
		for f := range index.NumFields {
			if posting.Freq.Get(f) > 0 {
				in[f] = max(in[f], min(a.Weight, 1))
			}
		}
		own = own || c.Korean && a.Term == c.Text
	}
	return in, own
}

// said returns the share of a name's terms that the prompt says and the idf of those
// that it does not.
func (p *prompt) said(r *rank.Ranker, name string) (share, unsaid float64) {
	terms := r.Terms(strings.ReplaceAll(name, "-", " "))
	for _, t := range terms {
		if p.says(t) {
			share += 1 / float64(len(terms))
		} else {
			unsaid += r.TermIDF(t)
		}
	}
	return share, unsaid
}

func (p *prompt) says(term string) bool {
	for i := range p.concepts {
		for j := range p.concepts[i].Alts {
			if p.concepts[i].Alts[j].Term == term {
				return true
			}
		}
	}
	return false
}
