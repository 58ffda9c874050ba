package ltr

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// modelFile holds one "name weight" pair a line; "#" starts a comment.
// `skillgate tune rerank` writes it.
//
//go:embed model.txt
var modelFile string

// Model is a linear utility: Σ weight · feature.
type Model Features

// Default returns the model that is checked in.
var Default = sync.OnceValue(func() *Model {
	m, err := ParseModel(modelFile)
	if err != nil {
		panic("ltr: model.txt: " + err.Error()) // a test parses the embedded file
	}
	return m
})

// Utility is how well a candidate with features x serves, in units that only
// compare candidates of one prompt.
func (m *Model) Utility(x *Features) float64 {
	var z float64
	for f, w := range m {
		z += w * x[f]
	}
	return z
}

// Order returns the positions of list, the features of one prompt's candidates, by
// falling utility; equal ones keep their order.
func (m *Model) Order(list []Features) []int {
	order, utility := make([]int, len(list)), make([]float64, len(list))
	for i := range list {
		order[i], utility[i] = i, m.Utility(&list[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(utility[b], utility[a]) })
	return order
}

// ParseModel reads a model file. Every feature must have one finite weight.
func ParseModel(text string) (*Model, error) {
	var m Model
	var seen [numFeatures]bool
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d: %q, want a name and a weight", n+1, line)
		}
		f, ok := parseFeature(fields[0])
		if !ok {
			return nil, fmt.Errorf("line %d: unknown feature %q", n+1, fields[0])
		}
		w, err := strconv.ParseFloat(fields[1], 64)
		if err != nil || math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("line %d: %s: %q is not a number", n+1, fields[0], fields[1])
		}
		if seen[f] {
			return nil, fmt.Errorf("line %d: %s stands twice", n+1, fields[0])
		}
		m[f], seen[f] = w, true
	}
	for f, ok := range seen {
		if !ok {
			return nil, fmt.Errorf("no weight for %s", Feature(f))
		}
	}
	return &m, nil
}

// String returns m as a model file.
func (m *Model) String() string {
	var b strings.Builder
	for f, w := range m {
		fmt.Fprintf(&b, "%-14s %s\n", Feature(f), strconv.FormatFloat(w, 'g', 4, 64))
	}
	return b.String()
}

// ModelID identifies the checked-in model.
func ModelID() string {
	sum := sha256.Sum256([]byte(modelFile))
	return hex.EncodeToString(sum[:6])
}
