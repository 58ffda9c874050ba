package index

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system"
)

func TestInOrder(t *testing.T) {
	const n = 10_000
	at := 0
	for i, square := range inOrder(n, func(i int) (int, error) {
		if i == 7 {
			panic("seven")
		}
		return i * i, nil
	}) {
		if caught := errors.Is(square.err, system.ErrCaught); i != at || caught != (i == 7) || !caught && square.value != i*i {
			t.Fatalf("result %d is that of %d: %v", at, i, square)
		}
		at++
	}
	require.Equal(t, n, at)
	for range inOrder(0, func(int) (int, error) { return 0, nil }) {
		t.Fatal("a result of nothing")
	}
}

func TestInOrderEnds(t *testing.T) {
	var running, called atomic.Int64
	for i := range inOrder(1_000_000, func(int) (int, error) {
		called.Add(1)
		running.Add(1)
		defer running.Add(-1)
		return 0, nil
	}) {
		if i == 3 {
			break
		}
	}
	assert.Equal(t, int64(0), running.Load())
	assert.LessOrEqual(t, called.Load(), int64(100_000))
}
