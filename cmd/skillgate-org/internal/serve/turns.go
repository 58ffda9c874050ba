package serve

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"sync/atomic"
)

// maxInside is how many requests are being answered at once, those among them that wait for a turn, the database or a
// client that sends slowly. All take some memory, and the next ones are refused while that is cheap and soon done.
const maxInside = 512

// bounded answers a request with errBusy, before anything is done for it, where maxInside are inside.
func bounded(next http.Handler) http.Handler {
	var inside atomic.Int32
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer inside.Add(-1)
		if inside.Add(1) > maxInside {
			answer(w, nil, errBusy)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// unlessFull answers a request with errBusy, before anything is done for it, where no more may wait for a turn.
func (t *turns) unlessFull(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t.waiting.Load() >= maxQueue {
			answer(w, nil, errBusy)
			return
		}
		next.ServeHTTP(w, r)
	})
}

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
