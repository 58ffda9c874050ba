package rank

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/skillgate/skillgate/gate/index"
)

// weightsFile holds one "name value" pair a line; "#" starts a comment.
//
//go:embed weights.txt
var weightsFile string

// Weights are the parameters of ranking. Each has a name in the weights file, which --set uses too.
type Weights struct {
	Field [index.NumFields]float64 // BM25F weight of a field
	B     [index.NumFields]float64 // strength of the normalisation by a field's length, 0 to 1
	K1    float64                  // saturation: how soon repeats of a term stop helping

	Sense1    float64 // weight of the first English sense of a Korean word
	Sense2    float64 // weight of its other senses
	ToKorean  float64 // weight of a Korean word for an English one
	Unknown   float64 // weight of a Korean word that the dictionary does not have
	Synonym   float64 // weight of an English phrase's senses
	Same      float64 // weight of another spelling
	Generic   float64 // weight of a word that says little: make, show, 정리
	Number    float64 // weight of a quantity or version
	Cover     float64 // exponent of the share of the prompt that a document matches
	BodyCover float64 // weight in that share of a term that is only in the body
	NameCover float64 // gain of a document whose whole name is in the prompt
	IDFPower  float64 // exponent of idf; below 1 the rarest words count less
	Elsewhere float64 // number of other people's skills that count for a Latin word's idf
	Literal   float64 // share of its own idf that a literal Korean word keeps; 0: it has that of its meaning
	Both      float64 // weight of the lower score if a document has a Korean word both literally and in translation
	Pair      float64 // weight of two neighbouring words that are neighbours in a name, description or trigger
	Phrase    float64 // weight of a trigger that the prompt contains word for word
	Repeat    float64 // exponent of a term's count in the prompt
	Meaning   float64 // gain of a skill whose vector equals the prompt's, by the highest idf
	MaxTerms  float64 // number of distinct terms of a long prompt that are searched
}

// entries lists every weight with its name, in the order of the file.
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

// DefaultWeights returns the checked-in weights.
func DefaultWeights() Weights {
	w, err := ParseWeights(weightsFile)
	if err != nil {
		panic("rank: weights.txt: " + err.Error()) // a test parses the embedded file
	}
	return w
}

// ParseWeights parses a weights file. Every weight must be set once, within its range.
func ParseWeights(text string) (Weights, error) {
	var w Weights
	entries := w.entries()
	seen := make([]bool, len(entries))
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil {
			return w, fmt.Errorf("line %d: %s: %q is not a number", n+1, name, value)
		}
		found := false
		for i, e := range entries {
			if e.name != name {
				continue
			}
			if math.IsNaN(v) || v < e.lo || v > e.hi {
				return w, fmt.Errorf("line %d: %s is %v, want %v to %v", n+1, name, v, e.lo, e.hi)
			}
			if seen[i] {
				return w, fmt.Errorf("line %d: %s is set twice", n+1, name)
			}
			*e.value, seen[i], found = v, true, true
		}
		if !found {
			return w, fmt.Errorf("line %d: unknown weight %q", n+1, name)
		}
	}
	for i, e := range entries {
		if !seen[i] {
			return w, errors.New(e.name + " is not set")
		}
	}
	return w, nil
}

// Get returns the weight with that name and its range.
func (w *Weights) Get(name string) (value, lo, hi float64, ok bool) {
	for _, e := range w.entries() {
		if e.name == name {
			return *e.value, e.lo, e.hi, true
		}
	}
	return 0, 0, 0, false
}

// Set sets the weight with that name. A value outside its range is an error.
func (w *Weights) Set(name string, value float64) error {
	for _, e := range w.entries() {
		if e.name == name {
			if math.IsNaN(value) || value < e.lo || value > e.hi {
				return fmt.Errorf("%s is %v, want %v to %v", name, value, e.lo, e.hi)
			}
			*e.value = value
			return nil
		}
	}
	return fmt.Errorf("unknown weight %q", name)
}

// WeightsID identifies the checked-in weights.
func WeightsID() string {
	sum := sha256.Sum256([]byte(weightsFile))
	return hex.EncodeToString(sum[:6])
}
