package serve

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
)

// turns bounds how many calls rank or list at once and how many wait for that: each takes memory, up to some 12 bytes
// a skill of what it searches, so that without a bound more requests than are answered take more and more of it.
type turns struct {
	taken   chan struct{} // one for each that works
	waiting atomic.Int32
}

const (
	turnsPerProcessor = 4   // not one: one that reads a file not in memory leaves its processor to others
	maxQueue          = 128 // calls that wait, less than a second of work
)

// errBusy says that more is asked than is answered.
var errBusy = errors.New("too much is asked at the moment; try again in a second")

func newTurns() *turns {
	return &turns{taken: make(chan struct{}, turnsPerProcessor*runtime.GOMAXPROCS(0))}
}

// take waits for a turn, which ends with done. errBusy says that too many wait already, or that it took too long.
func (t *turns) take(ctx context.Context) (done func(), err error) {
	select {
	case t.taken <- struct{}{}:
		return t.end, nil
	default:
	}
	defer t.waiting.Add(-1)
	if t.waiting.Add(1) > maxQueue {
		return nil, errBusy
	}
	select {
	case t.taken <- struct{}{}:
		return t.end, nil
	case <-ctx.Done():
		return nil, errBusy
	}
}

func (t *turns) end() { <-t.taken }
