package lint

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/skillgate/skillgate/gate/fault"
)

func TestParallelCallsEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		calls := make([]atomic.Int32, n)
		parallel(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("parallel(%d) called f(%d) %d times, want once", n, i, got)
			}
		}
	}
}

// A panic of a worker is one of the caller, who may recover.
func TestParallelPanicsInTheCaller(t *testing.T) {
	err := fault.Caught(func() error {
		parallel(1000, func(i int) {
			if i == 500 {
				panic("boom")
			}
		})
		return nil
	})
	if !errors.Is(err, fault.ErrCaught) {
		t.Errorf("parallel with a panic = %v, want the panic", err)
	}
}
