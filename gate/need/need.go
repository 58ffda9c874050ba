// Package need estimates whether a skill would help with a prompt.
//
// Logistic regression combines two sources of evidence. A linear model over hashed
// n-grams of the text (Text) says what kind of turn it is. Features of the search
// results say whether the library has an answer. They are relative to the prompt and to
// how the library answers unrelated prompts, so that they mean the same for short and
// long prompts, and for six skills and 80,000. (Query-performance prediction:
// gate/rank.Evidence.)
//
//	need = 1 / (1 + exp(−(bias + Σ weight·feature)))
//
// `skillgate-dev train` makes the model: a table with a weight for each bucket of
// n-grams, from which no text can be recovered, and the features' weights. It is
// read in place; nothing is parsed when a program starts.
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

// The features. Shares are 0 to 1. "The best" is the first candidate in the ranking.
// The features from Share to Rarest are in standard deviations from the library's answers to
// unrelated prompts (Features.Against).
const (
	Text          Feature = iota // logit of the n-gram model
	Share                        // best score / highest score possible for the prompt (rank.Evidence)
	Mean                         // mean of the best five scores / highest score possible
	Z                            // log(1 + standard deviations of the best score above the mean of all skills)
	NQC                          // standard deviation of the best 20 scores / highest score possible
	PerRoot                      // log(1 + best score / √tokens)
	PerRare                      // log(1 + best score / (√tokens · highest possible idf))
	Known                        // share of the prompt's weight from words that the library has
	Met                          // share of the prompt's weight from words in the text of the best
	Head                         // Met without words that are only in the body
	AnyHead                      // the largest Head among the best five
	HeadCount                    // share of the prompt's informative concepts that the best has outside its body
	HeadTerms                    // log(1 + number of the concepts that HeadCount counts)
	Rarest                       // idf of the rarest concept that the best has outside its body / highest possible idf
	Lead                         // 1 − second score / best score
	Gap                          // 1 − sixth score / best score
	Spread                       // 1 − mean of the sixth to the twentieth score / best score
	Phrase                       // share of the prompt's words that are quoted by the best trigger of the best
	NameCover                    // share of the name of the best that the prompt contains
	NameShare                    // share of the best score from the name
	TriggerShare                 // share of the best score from triggers
	BodyShare                    // share of the best score from the body
	OneTerm                      // share of the best score from the term that scores most
	Small                        // 1 for a library of one skill, 0 from a thousand on, logarithmic between
	Length                       // log(1 + tokens)
	Lines                        // log(1 + line breaks)
	Code                         // log(1 + paths, identifiers and code marks)
	Question                     // 1 if the prompt asks about something rather than for something
	AtHand                       // share of the prompt's concepts that are work on the present code
	AppParts                     // share of the prompt's concepts that are parts of an app under construction
	Composite                    // 1 for a request of several steps
	PlainQuestion                // 1 for a question that a model answers from its own knowledge (Plain)
	Spaceless                    // share of the prompt's letters in scripts without spaces
	Purpose                      // 1 for a few words, not a question, that are all in the name or triggers of the best
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

// SmallOf returns the feature Small of a library of n skills.
func SmallOf(n int) float64 { return max(0, 1-math.Log(float64(max(n, 1)))/math.Log(1000)) }

// Cross sets the features that are products of others.
func (x *Features) Cross() {
	x[SmallText], x[SpacelessText] = x[Small]*x[Text], x[Spaceless]*x[Text]
	x[PurposeHand] = x[Purpose] * x[AtHand]
}

// Background says how a library answers unrelated prompts: the means of the features from Share to Rarest over them,
// then the standard deviations. First come those for prompts in scripts with spaces, then those for prompts in
// scripts without.
type Background []float64

const (
	relative  = int(Rarest-Share) + 1
	leastDev  = 0.02 // lowest standard deviation, for a library with hardly any words of those prompts
	farthest  = 5.0  // limit for the result of Against, in standard deviations
	precision = 1e4  // a background is rounded to multiples of 1/precision
)

// BackgroundOf returns the background of a library from its answers to unrelated prompts.
func BackgroundOf(answers []Features) Background {
	var of [2][]Features
	for i := range answers {
		of[answers[i].script()] = append(of[answers[i].script()], answers[i])
	}
	return append(background(of[0]), background(of[1])...)
}

// script returns 1 for a prompt mostly in scripts without spaces, otherwise 0.
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

// Against expresses the features from Share to Rarest in standard deviations from a
// library's background: a match counts by how much better it is than the library's matches with unrelated prompts.
// Without a background the features stay as they are.
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

// Features is the model's input for one prompt over one library.
type Features [NumFeatures]float64

// Names returns the features' names, in order.
func (Features) Names() []string { return names[:] }

// Buckets is the size of the table of n-grams.
const Buckets = 1 << 15

// Model is a trained model in the format of model.bin. For each bucket it has a byte of the hash of its n-gram, 0 for
// an empty bucket, and the n-gram's weight as a signed number of steps. Then follow, as little-endian 32-bit floats,
// the size of a step, the table's bias, the model's bias and its weights, and then six bytes of the SHA-256 of
// everything before.
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

// Parse returns the model whose Bytes are data.
func Parse(data []byte) (Model, bool) { return Model{string(data)}, len(data) == modelSize }

// New makes a model. table has the n-grams' weights by hash; no two hashes may have the same Bucket.
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

// Bytes returns the model in the format of model.bin.
func (m Model) Bytes() []byte { return []byte(m.data) }

// ID identifies the model.
func (m Model) ID() string { return hex.EncodeToString([]byte(m.data[modelSize-idSize:])) }

// number returns the i-th number after the table.
func (m Model) number(i int) float64 {
	at := tableSize + 4*i
	return float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(m.data[at : at+4]))))
}

// Text returns the logit of a text: the sum of the weights of its n-grams in the table, divided
// by the square root of their number so that long texts count no more than short ones.
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

// Bucket returns the position in the table of an n-gram with hash h.
func Bucket(h uint32) uint32 { return (h ^ h>>15) % Buckets }

// mark returns the byte of a hash that the table keeps. It is never 0.
func mark(h uint32) byte { return byte(h>>24) | 1 }

// Probability returns the model's estimate that a skill helps.
func (m Model) Probability(x Features) float64 {
	z := m.number(2)
	for _, part := range m.Parts(x) {
		z += part
	}
	return 1 / (1 + math.Exp(-z))
}

// Parts returns the contribution of each feature to the logit of Probability.
func (m Model) Parts(x Features) Features {
	for i := range x {
		x[i] *= m.number(3 + i)
	}
	return x
}
