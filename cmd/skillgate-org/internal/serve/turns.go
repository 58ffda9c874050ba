package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync"
	"time"
)

// shares divides places among tenants. A tenant gets another place while it holds fewer than are free: one tenant
// alone holds at most half of the places, two hold a third each, and some are always left for another. This is the
// dynamic threshold of Choudhury and Hahne (IEEE/ACM Transactions on Networking 6, 1998) with α = 1.
type shares struct {
	places int

	mu   sync.Mutex
	held map[string]int // number of places by tenant
	all  int            // sum of held
}

// take gives tenant a place until done is called. It returns errBusy if the tenant's share is used up.
func (s *shares) take(tenant string) (done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.room(tenant) {
		return nil, errBusy
	}
	if s.held == nil {
		s.held = map[string]int{}
	}
	s.held[tenant]++
	s.all++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		if s.held[tenant]--; s.held[tenant] == 0 {
			delete(s.held, tenant)
		}
	}, nil
}

func (s *shares) free(tenant string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room(tenant)
}

func (s *shares) room(tenant string) bool { return s.held[tenant] < s.places-s.all }

// Maximum numbers of requests, which limit the memory that requests use.
const (
	maxReading = 1024 // requests whose body has not arrived
	maxInside  = 512  // requests in progress, including those that wait for a turn, the database or a slow client
)

// whole reads the body of a request, at most maxRequest bytes, before it calls next. Waiting for a body takes a place
// in s.reading, so that half-sent bodies do not block other requests.
func (s *Service) whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := s.read(w, r)
		switch {
		case errors.Is(err, errBusy):
			s.answer(w, nil, err)
		case errors.As(err, new(*http.MaxBytesError)):
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		case err != nil: // the client is gone or too slow
			w.Header().Set("Connection", "close")
			http.Error(w, "the request body did not arrive in time", http.StatusRequestTimeout)
		default:
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		}
	})
}

func (s *Service) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	done, err := s.reading.take(whoOf(r.Context()).Tenant)
	if err != nil {
		return nil, err
	}
	defer done()
	c := http.NewResponseController(w)
	if err := c.SetReadDeadline(time.Now().Add(s.bodyTime)); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	return body, errors.Join(err, c.SetReadDeadline(time.Time{}))
}

func (s *Service) placed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done, err := s.inside.take(whoOf(r.Context()).Tenant)
		if err != nil {
			s.answer(w, nil, err)
			return
		}
		defer done()
		ctx, cancel := s.within(r.Context())
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// unlessFull answers errBusy before the body is read if the tenant's share of the queue is used up.
func (s *Service) unlessFull(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.turns.queue.free(whoOf(r.Context()).Tenant) {
			s.answer(w, nil, errBusy)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// turns limits how many calls rank or list skills at once, and how many wait. Each call takes up to about 12 bytes of
// memory per skill that it searches.
type turns struct {
	taken chan struct{} // one element per running call
	queue shares        // waiting calls
}

const (
	turnsPerProcessor = 4   // more than one, because a call may wait for a page fault
	maxQueue          = 256 // waiting calls; one tenant gets half of them, which is less than a second of work
)

// errBusy says that the replica is busy or that the tenant has used up its share of it.
var errBusy = errors.New("the server is busy; try again in a second")

func newTurns() *turns {
	return &turns{taken: make(chan struct{}, turnsPerProcessor*runtime.GOMAXPROCS(0)), queue: shares{places: maxQueue}}
}

// take waits for a turn, which lasts until done is called. It returns errBusy if the queue is full or ctx ends.
func (t *turns) take(ctx context.Context) (done func(), err error) {
	select {
	case t.taken <- struct{}{}:
		return t.end, nil
	default:
	}
	leave, err := t.queue.take(whoOf(ctx).Tenant)
	if err != nil {
		return nil, err
	}
	defer leave()
	select {
	case t.taken <- struct{}{}:
		return t.end, nil
	case <-ctx.Done():
		return nil, errBusy
	}
}

func (t *turns) end() { <-t.taken }
