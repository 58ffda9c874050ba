package rank

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/index"
)

func TestCheckedInWeights(t *testing.T) {
	w, err := ParseWeights(weightsFile)
	require.NoError(t, err)
	if w.K1 <= 0 || w.Field[index.Name] <= 0 || w.MaxTerms < 1 {
		t.Errorf("weights.txt: k1 %v, name %v, max_terms %v, want all above 0", w.K1, w.Field[index.Name], w.MaxTerms)
	}
	if len(WeightsID()) != 12 {
		t.Errorf("WeightsID() = %q, want 12 hex digits", WeightsID())
	}
}

func TestParseWeightsRefuses(t *testing.T) {
	whole := weightsFile
	tests := []struct {
		name, text, want string
	}{
		{"nothing", "", "is not set"},
		{"a weight that is missing", strings.Replace(whole, "k1 ", "# k1 ", 1), "k1 is not set"},
		{"a weight twice", whole + "k1 1\n", "k1 is set twice"},
		{"a weight that is none", whole + "k2 1\n", `unknown weight "k2"`},
		{"no number", "k1 much\n", `line 1: k1: "much" is not a number`},
		{"a number out of range", "k1 11\n", "line 1: k1 is 11, want 0.01 to 10"},
		{"not a number", "k1 NaN\n", "line 1: k1 is NaN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseWeights(tt.text)
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestWeightsByName(t *testing.T) {
	w := DefaultWeights()
	for _, e := range w.entries() {
		name := e.name
		value, lo, hi, ok := w.Get(name)
		if !ok || value < lo || value > hi {
			t.Errorf("Get(%q) = %v, %v to %v, %v, want a value within its range", name, value, lo, hi, ok)
		}
		err := w.Set(name, hi)
		assert.NoError(t, err, "Set(%q, %v): %v", name, hi, err)
		got, _, _, _ := w.Get(name)
		assert.Equal(t, hi, got, name)
		assert.Error(t, w.Set(name, hi+1), "Set(%q, %v): no error, want one: its range ends at %v", name, hi+1, hi)
	}
	assert.Error(t, w.Set("nonsense", 1), "Set of an unknown weight: no error")
	_, _, _, ok := w.Get("nonsense")
	assert.False(t, ok, "Get of an unknown weight: ok")
}

func FuzzParseWeights(f *testing.F) {
	f.Add(weightsFile)
	f.Add("k1 1e309\n")
	f.Add("# only a comment")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseWeights(text)
		if err != nil {
			return
		}
		for _, e := range w.entries() {
			if *e.value < e.lo || *e.value > e.hi {
				t.Errorf("ParseWeights(%q) sets %s to %v, want %v to %v", text, e.name, *e.value, e.lo, e.hi)
			}
		}
	})
}
