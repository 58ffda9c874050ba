// Package need estimates whether a skill would help with a prompt.
//
// Two questions are answered apart and joined by logistic regression. What kind of
// turn is this? A linear model over hashed n-grams of the text says (Text). Does
// the library at hand hold an answer? Features of what the search found say, all
// relative to the prompt and to how this library answers prompts that have nothing to do
// with it, so that they mean the same for a short prompt and a long one, and among six
// skills and among 80,000. (Query-performance prediction: gate/rank.Evidence.)
//
//	need = 1 / (1 + exp(−(bias + Σ weight·feature)))
//
// The model is data made by `skillgate-dev train`: a table of one byte for each
// bucket of n-grams, from which no text can be read back, and the weights. It is
// read where it lies; nothing is parsed when a program starts.
package need

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Feature is one input of the model.
type Feature int

// The features. Shares are 0 to 1. The best candidate is the first in the ranking.
// Those from Share to Rarest say how well the library answers, and stand in deviations from
// how it answers prompts that have nothing to do with it (Features.Against).
const (
	Text          Feature = iota // what the n-grams of the text say, in logits
	Share                        // best score by what the prompt could score at best here (rank.Evidence)
	Mean                         // mean of the best five by that
	Z                            // log(1 + standard deviations by which it is above the mean of all skills)
	NQC                          // standard deviation of the best 20 by the ideal score
	PerRoot                      // log(1 + best score / √tokens)
	PerRare                      // log(1 + best score / (√tokens · the highest idf there can be))
	Known                        // share of the prompt's weight that the library has words for
	Met                          // share of the prompt's weight that the best one's text holds
	Head                         // the same without its body
	AnyHead                      // the largest such share among the best five
	HeadCount                    // share of the prompt's informative concepts that the best one's head holds
	HeadTerms                    // log(1 + their number)
	Rarest                       // idf of the rarest concept in the best one's head, by the highest there can be
	Lead                         // share by which the best score is above the second
	Gap                          // share by which it is above the sixth
	Spread                       // share by which it is above the mean of the sixth to the twentieth
	Phrase                       // share of the prompt's words that are a trigger of the best one, met as a whole
	NameCover                    // share of its name that the prompt says
	NameShare                    // share of its score from its name
	TriggerShare                 // share of its score from triggers
	BodyShare                    // share of its score from its body
	OneTerm                      // share of its score from the term that scores most
	Small                        // 1 for a library of one skill, 0 for one of a thousand or more, logarithmic between
	Length                       // log(1 + tokens)
	Lines                        // log(1 + line breaks)
	Code                         // log(1 + paths, identifiers and code marks)
	Question                     // 1 when the prompt asks about something rather than for something
	AtHand                       // share of its concepts that are work on the code at hand
	AppParts                     // share of its concepts that are parts of an app under construction
	Composite                    // 1 for a request of several steps
	PlainQuestion                // 1 for what a model answers from what it knows (Plain)
	Spaceless                    // share of its letters that are of scripts without spaces
	Purpose                      // 1 for a few words, no question, that are all in the best one's name or triggers
	SmallText                    // Small × Text
	SpacelessText                // Spaceless × Text
	PurposeHand                  // Purpose × AtHand
	NumFeatures
)

// names are the features' names, in order.
var names = [NumFeatures]string{
	"text", "share", "mean", "z", "nqc", "per_root", "per_rare", "known", "met", "head", "any_head", "head_count",
	"head_terms", "rarest",
	"lead", "gap", "spread", "phrase", "name_cover", "name_share", "trigger_share", "body_share",
	"one_term", "small", "length", "lines", "code", "question", "at_hand", "app_parts", "composite", "plain_question",
	"spaceless", "purpose", "small_text", "spaceless_text", "purpose_hand",
}

func (f Feature) String() string { return names[f] }

// SmallOf is the feature Small of a library of n skills.
func SmallOf(n int) float64 { return max(0, 1-math.Log(float64(max(n, 1)))/math.Log(1000)) }

// Cross fills in the features that are products of others.
func (x *Features) Cross() {
	x[SmallText], x[SpacelessText] = x[Small]*x[Text], x[Spaceless]*x[Text]
	x[PurposeHand] = x[Purpose] * x[AtHand]
}

// Background is how a library answers prompts that have nothing to do with it: the means of the
// features from Share to Rarest over them, then their standard deviations, of prompts in scripts with spaces and of
// those without.
type Background []float64

const (
	relative  = int(Rarest-Share) + 1
	leastDev  = 0.02 // where a library has hardly a word of those prompts
	farthest  = 5.0  // deviations that are told apart
	precision = 1e4  // of what an index keeps
)

// BackgroundOf returns the background of a library that answers unrelated prompts so: by those in scripts with spaces,
// then by those without.
func BackgroundOf(answers []Features) Background {
	var of [2][]Features
	for i := range answers {
		of[answers[i].script()] = append(of[answers[i].script()], answers[i])
	}
	return append(background(of[0]), background(of[1])...)
}

// script is 1 for a prompt most of whose letters are of scripts without spaces.
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

// Against puts what the features from Share to Rarest are in deviations from a
// library's background: what counts is not how much of a prompt a skill holds, but how much more
// than this library holds of anything. Without a background they stay as they are.
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

// Features is one prompt over one library as the model sees it.
type Features [NumFeatures]float64

// Names returns the features' names, in order.
func (Features) Names() []string { return names[:] }

// Buckets is the size of the table of n-grams.
const Buckets = 1 << 15

// Model is a trained model. Its memory is one string: for each of Buckets places of the table
// a byte of the hash of the one n-gram that it holds, 0 for none, and that n-gram's weight
// as a signed number of steps; then, as little-endian
// 32-bit floats, the size of a step, the table's bias, the model's bias and its weights,
// then six bytes of the SHA-256 of all that.
type Model struct{ data string }

const (
	idSize    = 6
	tableSize = 2 * Buckets
	modelSize = tableSize + 4*(3+int(NumFeatures)) + idSize
)

//go:embed model.bin
var embedded string

// Default is the model that skillgate comes with.
func Default() Model { return Model{embedded} }

// Parse returns the model that Bytes wrote.
func Parse(data []byte) (Model, bool) { return Model{string(data)}, len(data) == modelSize }

// New makes a model of the logits of n-grams, by hash, of which no two may have one
// Bucket, the table's bias, the weights of the features and their bias.
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

// Bytes is the model as model.bin holds it.
func (m Model) Bytes() []byte { return []byte(m.data) }

// ID identifies the model.
func (m Model) ID() string { return hex.EncodeToString([]byte(m.data[modelSize-idSize:])) }

// number returns the i-th number behind the table.
func (m Model) number(i int) float64 {
	at := tableSize + 4*i
	return float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(m.data[at : at+4]))))
}

// Text returns the logit of a text alone: the sum of the weights of its n-grams that the table
// holds by the root of their number, so that a long text says no more than a short one.
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

// Bucket is the table's place of an n-gram's hash.
func Bucket(h uint32) uint32 { return (h ^ h>>15) % Buckets }

// mark is the byte of a hash that the table keeps, never 0.
func mark(h uint32) byte { return byte(h>>24) | 1 }

// Probability is the model's estimate that a skill helps.
func (m Model) Probability(x Features) float64 {
	z := m.number(2)
	for _, part := range m.Parts(x) {
		z += part
	}
	return 1 / (1 + math.Exp(-z))
}

// Parts returns what each feature adds to the logit of the probability.
func (m Model) Parts(x Features) Features {
	for i := range x {
		x[i] *= m.number(3 + i)
	}
	return x
}
