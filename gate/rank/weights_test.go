package rank

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A log must tell decisions of other weights apart: change WeightsID with this sum when a default changes.
func TestWeightsIDChangesWithTheWeights(t *testing.T) {
	sum := sha256.Sum256(fmt.Append(nil, DefaultWeights()))
	assert.Equal(t, "93df5ced0f42 d877b0325bed", hex.EncodeToString(sum[:6])+" "+WeightsID)
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
