// Package need estimates the probability that a skill helps with a prompt.
//
// Logistic regression combines two kinds of evidence. A linear model over hashed n-grams of the prompt (Model.Text)
// recognizes the kind of turn. Features of the search results (see rank.Evidence) show whether the library has an
// answer. They are relative to the prompt and to the library's answers to unrelated prompts, so that they mean the
// same for short and long prompts and for libraries of six or 80,000 skills.
//
//	need = 1 / (1 + exp(−(bias + Σ weight·feature)))
//
// `skillgate-dev train` writes the model: a table with a weight for each bucket of n-grams, from which no text can be
// recovered, and the weights of the features. It is read in place, without parsing.
package need

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Feature is the index of one feature of the model.
type Feature int

// The features. Shares range from 0 to 1. "The best" is the best-ranked skill. The features from Share to Rarest are in
// standard deviations from the library's answers to unrelated prompts (Features.Against).
const (
	Text          Feature = iota // logit of the n-gram model
	Share                        // best score / highest score possible for the prompt (rank.Evidence)
	Mean                         // mean of the best five scores / highest score possible
	Z                            // log(1 + number of standard deviations from the mean of all scores to the best)
	NQC                          // standard deviation of the best 20 scores / highest score possible
	PerRoot                      // log(1 + best score / √tokens)
	PerRare                      // log(1 + best score / (√tokens · idf of an unknown term))
	Known                        // share of the prompt's weight in words that the library contains
	Met                          // share of the prompt's weight in words that the best contains
	Head                         // like Met, without words that occur only in the body
	AnyHead                      // highest Head among the best five
	HeadCount                    // share of the prompt's informative concepts that occur in the best outside its body
	HeadTerms                    // log(1 + number of informative concepts that occur in the best outside its body)
	Rarest                       // highest idf of a concept in the best outside its body / idf of an unknown term
	Lead                         // 1 − second score / best score
	Gap                          // 1 − sixth score / best score
	Spread                       // 1 − mean of the sixth to the twentieth score / best score
	Phrase                       // share of the prompt's words that are quoted from one trigger of the best
	NameCover                    // share of the best's name that the prompt contains
	NameShare                    // share of the best score that comes from the name
	TriggerShare                 // share of the best score that comes from triggers
	BodyShare                    // share of the best score that comes from the body
	OneTerm                      // share of the best score that comes from the term with the highest score
	Small                        // 1 for a library of one skill, falling logarithmically to 0 for a thousand
	Length                       // log(1 + tokens)
	Lines                        // log(1 + line breaks)
	Code                         // log(1 + number of paths, identifiers and code marks)
	Question                     // 1 if the prompt asks about something rather than for an action
	AtHand                       // share of the prompt's concepts that are about editing the current code
	AppParts                     // share of the prompt's concepts that name parts of an app under construction
	Composite                    // 1 for a request with several steps
	PlainQuestion                // 1 for a question that a model can answer without a skill (see Plain)
	Spaceless                    // share of the prompt's letters in scripts without spaces between words
	Purpose                      // 1 for a few words, not a question, that all occur in the best's name or triggers
	SmallText                    // Small × Text
	SpacelessText                // Spaceless × Text
	PurposeHand                  // Purpose × AtHand
	NumFeatures
)

var names = [NumFeatures]string{
	"text", "share", "mean", "z", "nqc", "per_root", "per_rare", "known", "met", "head", "any_head", "head_count",
	"head_terms", "rarest",
	"lead", "gap", "spread", "phrase", "name_cover", "name_share", "trigger_share", "body_share",
	"one_term", "small", "length", "lines", "code", "question", "at_hand", "app_parts", "composite", "plain_question",
	"spaceless", "purpose", "small_text", "spaceless_text", "purpose_hand",
}

func (f Feature) String() string { return names[f] }

// SmallOf returns the value of the feature Small for a library of n skills.
func SmallOf(n int) float64 { return max(0, 1-math.Log(float64(max(n, 1)))/math.Log(1000)) }

// Cross sets the features that are products of others.
func (x *Features) Cross() {
	x[SmallText], x[SpacelessText] = x[Small]*x[Text], x[Spaceless]*x[Text]
	x[PurposeHand] = x[Purpose] * x[AtHand]
}

// Background describes how a library answers unrelated prompts. It has the means of the features from Share to Rarest
// and then their standard deviations: first for prompts in scripts with spaces, then for prompts in other scripts.
type Background []float64

const (
	relative  = int(Rarest-Share) + 1
	leastDev  = 0.02 // minimum standard deviation, for a library without words of the unrelated prompts
	farthest  = 5.0  // maximum of Against's results, in standard deviations
	precision = 1e4  // values are rounded to multiples of 1/precision
)

// BackgroundOf returns the background of a library from the features of its answers to unrelated prompts.
func BackgroundOf(answers []Features) Background {
	var of [2][]Features
	for i := range answers {
		of[answers[i].script()] = append(of[answers[i].script()], answers[i])
	}
	return append(background(of[0]), background(of[1])...)
}

// script returns 1 if most letters of the prompt are in scripts without spaces, and 0 otherwise.
func (x *Features) script() int {
	if x[Spaceless] > 0.5 {
		return 1
	}
	return 0
}

func background(answers []Features) Background {
	b := make(Background, 2*relative)
	n := float64(max(len(answers), 1))
	for _, x := range answers {
		for i, v := range x[Share : Rarest+1] {
			b[i] += v / n
		}
	}
	for _, x := range answers {
		for i, v := range x[Share : Rarest+1] {
			b[relative+i] += (v - b[i]) * (v - b[i]) / n
		}
	}
	for i := range relative {
		b[relative+i] = max(math.Sqrt(b[relative+i]), leastDev)
	}
	for i, v := range b {
		b[i] = math.Round(v*precision) / precision
	}
	return b
}

// Against converts the features from Share to Rarest to standard deviations from b, so that a match counts by how much
// better it is than matches with unrelated prompts. It does nothing if b is empty.
func (x *Features) Against(b Background) {
	if len(b) != 4*relative {
		return
	}
	b = b[x.script()*2*relative:]
	for i := range relative {
		f := &x[int(Share)+i]
		*f = max(-farthest, min(farthest, (*f-b[i])/b[relative+i]))
	}
}

// Features holds the model's inputs for one prompt and library.
type Features [NumFeatures]float64

// Names returns the names of all features, in order.
func (Features) Names() []string { return names[:] }

// Buckets is the number of buckets in the n-gram table.
const Buckets = 1 << 15

// Model is a trained model in the format of model.bin. For each bucket of n-grams it has a byte of the n-gram's hash,
// or 0 if the bucket is empty, and the n-gram's weight as a signed number of steps. The step size, the bias of Text,
// the bias of the whole model and the weights of the features follow as little-endian 32-bit floats. The last six bytes
// are the start of the SHA-256 of everything before.
type Model struct{ data string }

const (
	idSize    = 6
	tableSize = 2 * Buckets
	modelSize = tableSize + 4*(3+int(NumFeatures)) + idSize
)

//go:embed model.bin
var embedded string

// Default returns the embedded model.
func Default() Model { return Model{embedded} }

// Parse returns the model stored in data, and false if data has the wrong length.
func Parse(data []byte) (Model, bool) { return Model{string(data)}, len(data) == modelSize }

// New returns a model. table has the weights of n-grams by hash. No two hashes may be in the same Bucket.
func New(table map[uint32]float64, tableBias float64, weights Features, bias float64) Model {
	top := 1e-9
	for _, w := range table {
		top = max(top, math.Abs(w))
	}
	step := top / 127
	b := make([]byte, tableSize, modelSize)
	for h, w := range table {
		at := 2 * Bucket(h)
		b[at], b[at+1] = mark(h), byte(int8(math.Round(w/step)))
	}
	put := func(v float64) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v))) }
	put(step)
	put(tableBias)
	put(bias)
	for _, w := range weights {
		put(w)
	}
	sum := sha256.Sum256(b)
	return Model{string(append(b, sum[:idSize]...))}
}

// Bytes returns m in the format of model.bin.
func (m Model) Bytes() []byte { return []byte(m.data) }

// ID returns part of the model's SHA-256, which identifies it.
func (m Model) ID() string { return hex.EncodeToString([]byte(m.data[modelSize-idSize:])) }

// number returns the i-th number after the n-gram table.
func (m Model) number(i int) float64 {
	at := tableSize + 4*i
	return float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(m.data[at : at+4]))))
}

// Text returns the logit for text: the sum of its n-grams' weights, divided by the square root of their number so that
// long texts do not count more than short ones.
func (m Model) Text(text string) float64 {
	sum, n := 0, 0
	Hashes(text, func(h uint32) {
		at := 2 * Bucket(h)
		if m.data[at] == mark(h) {
			sum += int(int8(m.data[at+1]))
			n++
		}
	})
	return m.number(0)*float64(sum)/math.Sqrt(float64(max(n, 1))) + m.number(1)
}

// Bucket returns the bucket of the n-gram with hash h.
func Bucket(h uint32) uint32 { return (h ^ h>>15) % Buckets }

// mark returns the fingerprint of h, which distinguishes the n-grams of a bucket and is never 0.
func mark(h uint32) byte { return byte(h>>24) | 1 }

// Probability returns the estimated probability that a skill helps.
func (m Model) Probability(x Features) float64 {
	z := m.number(2)
	for _, part := range m.Parts(x) {
		z += part
	}
	return 1 / (1 + math.Exp(-z))
}

// Parts returns each feature's contribution to the logit of Probability.
func (m Model) Parts(x Features) Features {
	for i := range x {
		x[i] *= m.number(3 + i)
	}
	return x
}
