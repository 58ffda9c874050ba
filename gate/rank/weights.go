package rank

import (
	"fmt"
	"math"

	"github.com/skillgate/skillgate/gate/index"
)

// Weights are the parameters of ranking. Set and Get access them by name.
type Weights struct {
	Field [index.NumFields]float64 // BM25F weight of each field
	B     [index.NumFields]float64 // strength of length normalisation by field, 0 to 1
	K1    float64                  // saturation: higher values make repeated terms count more

	Sense1    float64 // weight of the first English sense of a Korean word
	Sense2    float64 // weight of the other English senses of a Korean word
	ToKorean  float64 // weight of a Korean word as an alternative for an English one
	Unknown   float64 // weight of a Korean word that is not in the dictionary
	Synonym   float64 // weight of the senses of an English phrase
	Same      float64 // weight of another spelling of a word
	Generic   float64 // weight of a word with little information: make, show, 정리
	Number    float64 // weight of a quantity, date or version
	Cover     float64 // exponent for the share of the prompt that a document matches
	BodyCover float64 // weight, in the share for Cover, of terms that a document has only in its body
	NameCover float64 // relative gain in score of a document whose whole name is in the prompt
	IDFPower  float64 // exponent of idf; values below 1 reduce the weight of rare words
	Elsewhere float64 // number of imaginary skills in the idf of a Latin word; see meaningIDF
	Literal   float64 // weight of the difference between a literal Korean word's idf and that of its first sense
	Both      float64 // weight of the lower score if a document has a Korean word both literally and in translation
	Pair      float64 // weight of two adjacent words that are also adjacent in a name, description or trigger
	Phrase    float64 // weight of a trigger that the prompt contains literally
	Repeat    float64 // exponent of a term's count in the prompt
	Meaning   float64 // gain in score of a skill with the same vector as the prompt, in units of the highest idf
	MaxTerms  float64 // maximum number of concepts that are searched
}

func (w *Weights) entries() []entry {
	var out []entry
	for f := range index.NumFields {
		out = append(out, entry{"field." + f.String(), &w.Field[f], 0, 20})
	}
	for f := range index.NumFields {
		out = append(out, entry{"b." + f.String(), &w.B[f], 0, 1})
	}
	return append(out,
		entry{"k1", &w.K1, 0.01, 10},
		entry{"sense1", &w.Sense1, 0, 2},
		entry{"sense2", &w.Sense2, 0, 2},
		entry{"to_korean", &w.ToKorean, 0, 2},
		entry{"unknown", &w.Unknown, 0, 2},
		entry{"synonym", &w.Synonym, 0, 2},
		entry{"same", &w.Same, 0, 2},
		entry{"generic", &w.Generic, 0, 2},
		entry{"number", &w.Number, 0, 2},
		entry{"idf_power", &w.IDFPower, 0.3, 3},
		entry{"elsewhere", &w.Elsewhere, 0, 100_000},
		entry{"cover", &w.Cover, 0, 3},
		entry{"body_cover", &w.BodyCover, 0, 1},
		entry{"name_cover", &w.NameCover, 0, 3},
		entry{"literal", &w.Literal, 0, 1},
		entry{"both", &w.Both, 0, 1},
		entry{"pair", &w.Pair, 0, 2},
		entry{"phrase", &w.Phrase, 0, 10},
		entry{"repeat", &w.Repeat, 0, 2},
		entry{"meaning", &w.Meaning, 0, 40},
		entry{"max_terms", &w.MaxTerms, 1, 400},
	)
}

type entry struct {
	name   string
	value  *float64
	lo, hi float64
}

// DefaultWeights returns the weights fitted to dev_ko_library, dev_en_library, dev_usecases and dev_skillsbench in the
// bench folder. To measure other values, run `skillgate-dev table BENCH --set NAME=VALUE`.
func DefaultWeights() Weights {
	return Weights{
		Field: [index.NumFields]float64{
			index.Body: 0.133, index.Description: 0.825, index.Triggers: 1.08, index.Headings: 0.3,
			index.Anchors: 0.6, index.Expansion: 1.2, index.Name: 3,
		},
		B: [index.NumFields]float64{
			index.Body: 0.825, index.Description: 0.66, index.Triggers: 0.4, index.Headings: 0.5,
			index.Anchors: 0.5, index.Expansion: 0, index.Name: 0.3,
		},
		K1:        1.32,
		Sense1:    1,
		Sense2:    0.8,
		ToKorean:  0.6,
		Unknown:   0.8,
		Synonym:   0.5,
		Same:      0.5063,
		Generic:   0.7,
		Number:    0.2,
		IDFPower:  0.675,
		Elsewhere: 300,
		Cover:     0.3,
		BodyCover: 0.665,
		NameCover: 0.2,
		Literal:   0.8,
		Both:      0.3,
		Pair:      0.3,
		Phrase:    2,
		Repeat:    0.165,
		Meaning:   1.9,
		MaxTerms:  42.56,
	}
}

// WeightsID identifies DefaultWeights in logs.
const WeightsID = "d877b0325bed"

// Get returns the named weight and its range.
func (w *Weights) Get(name string) (value, lo, hi float64, ok bool) {
	for _, e := range w.entries() {
		if e.name == name {
			return *e.value, e.lo, e.hi, true
		}
	}
	return 0, 0, 0, false
}

// Set sets the named weight. It fails if the name is unknown or value is outside the weight's range.
func (w *Weights) Set(name string, value float64) error {
	for _, e := range w.entries() {
		if e.name == name {
			if math.IsNaN(value) || value < e.lo || value > e.hi {
				return fmt.Errorf("%s is %v but must be %v to %v", name, value, e.lo, e.hi)
			}
			*e.value = value
			return nil
		}
	}
	return fmt.Errorf("unknown weight %q", name)
}
