package terms

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemory(t *testing.T) {
	calls := 0
	m := &memory{find: func(word string) string { calls++; return strings.ToUpper(word) }}
	for range 3 {
		require.Equal(t, "VALVE", m.of("valve"))
	}
	assert.Equal(t, 1, calls)
	long := strings.Repeat("x", maxRemembered+1)
	if m.of(long); m.of(long) != strings.ToUpper(long) || calls != 3 {
		t.Errorf("%d calls, want 3: one for each time of a long word", calls)
	}
}

func TestMemoryOfAPromptIsSmall(t *testing.T) {
	m := &memory{find: strings.ToUpper}
	for i := range fewPlaces {
		m.of(fmt.Sprint("w", i))
	}
	assert.Empty(t, m.many)
	m.of("x")
	assert.Len(t, m.many, manyPlaces)
}

func TestMemoryConcurrent(t *testing.T) {
	m := &memory{find: strings.ToUpper}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 4 * manyPlaces { // some words share a slot
				word := fmt.Sprint("w", i)
				if got := m.of(word); got != fmt.Sprint("W", i) {
					t.Errorf("found %q for %q", got, word)
					return
				}
			}
		})
	}
	all.Wait()
}
