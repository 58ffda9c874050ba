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

// Weights are the numbers of ranking. Each has a name in the weights file, by which --set changes it.
type Weights struct {
	Field [index.NumFields]float64 // BM25F weight of a field
	B     [index.NumFields]float64 // how much a field's length counts, 0 to 1
	K1    float64                  // how soon repeats of a term stop helping

	Sense1    float64 // an English sense of a Korean word: the first
	Sense2    float64 // the others
	ToKorean  float64 // a Korean word for an English one
	Unknown   float64 // a Korean word the dictionary does not know
	Synonym   float64 // what an English phrase means
	Same      float64 // another spelling of the same thing
	Generic   float64 // a word so general that it says little: make, show, 정리
	Number    float64 // a quantity or version
	Cover     float64 // exponent of the share of the prompt that a document meets
	BodyCover float64 // how much a term met in the body alone counts for that share
	NameCover float64 // what a document gains whose whole name the prompt says
	IDFPower  float64 // exponent of idf: below 1 the rarest words tell less
	Elsewhere float64 // how many skills of other people a Latin word's idf is counted in besides
	Literal   float64 // how much of its own idf a literal Korean word has, 0: that of its meaning
	Both      float64 // the lesser of a Korean word's literal and translated score, where a document has both
	Pair      float64 // two neighbouring words that stand side by side in a name, description or trigger
	Phrase    float64 // a trigger that the prompt holds word for word
	Repeat    float64 // exponent of how often the prompt says a term
	Meaning   float64 // what a skill gains that is about the same as the prompt
	MaxTerms  float64 // distinct terms of a long prompt that are searched
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

// DefaultWeights returns the weights that are checked in.
func DefaultWeights() Weights {
	w, err := ParseWeights(weightsFile)
	if err != nil {
		panic("rank: weights.txt: " + err.Error()) // a test parses the embedded file
	}
	return w
}

// ParseWeights reads a weights file. Every weight must be set once, within its range.
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

// Get returns the weight of that name and the range it may have.
func (w *Weights) Get(name string) (value, lo, hi float64, ok bool) {
	for _, e := range w.entries() {
		if e.name == name {
			return *e.value, e.lo, e.hi, true
		}
	}
	return 0, 0, 0, false
}

// Set sets the weight of that name; a value outside its range is an error.
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
