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

// shares divides a number of places among tenants. A tenant gets another place while it holds fewer than are free:
// one tenant alone holds at most half of them, two hold a third each, and a tenant that comes later still finds some.
// This is the dynamic threshold of Choudhury and Hahne (IEEE/ACM Transactions on Networking 6, 1998) with α = 1.
type shares struct {
	places int

	mu   sync.Mutex
	held map[string]int // by tenant
	all  int            // held by all tenants
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

// Places for requests, divided among tenants. Each takes some memory.
const (
	maxReading = 1024 // requests whose body has not arrived
	maxInside  = 512  // requests that are answered, including those that wait for a turn, the database or a slow client
)

const bodyTime = 10 * time.Second

// whole passes on requests with their whole body, of at most maxRequest bytes. Others wait for places of their own,
// so that a client that sends half a body keeps nobody from being answered.
func (s *Service) whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := s.read(w, r)
		switch {
		case errors.Is(err, errBusy):
			s.answer(w, nil, err)
		case errors.As(err, new(*http.MaxBytesError)):
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		case err != nil: // the client has gone or is too slow
			w.Header().Set("Connection", "close")
			http.Error(w, "the body of the request did not arrive in time", http.StatusRequestTimeout)
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
	if err := c.SetReadDeadline(time.Now().Add(bodyTime)); err != nil {
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

// unlessFull answers a request with errBusy, before its body is read, if its tenant has no share of the queue left.
func (s *Service) unlessFull(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.turns.queue.free(whoOf(r.Context()).Tenant) {
			s.answer(w, nil, errBusy)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// turns bounds how many calls rank or list at once and how many wait for that: each takes memory, up to some 12 bytes
// a skill of what it searches, so that without a bound more requests than are answered take more and more of it.
type turns struct {
	taken chan struct{} // one for each that works
	queue shares        // of those that wait
}

const (
	turnsPerProcessor = 4   // not one: one that reads a file not in memory leaves its processor to others
	maxQueue          = 256 // calls that wait, less than a second of work for the half that one tenant gets
)

// errBusy says that more is asked than is answered.
var errBusy = errors.New("too much is asked at the moment; try again in a second")

func newTurns() *turns {
	return &turns{taken: make(chan struct{}, turnsPerProcessor*runtime.GOMAXPROCS(0)), queue: shares{places: maxQueue}}
}

// take waits for a turn, which ends with done. errBusy says that too many wait already, or that it took too long.
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
