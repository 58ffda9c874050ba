package rank

import (
	"crypto/sha256"
	"sync"

	"github.com/skillgate/skillgate/gate/index"
)

// Memory keeps the postings that rankers read and what each counts, and the room that they
// search in, for callers that search the same snapshots thousands of times. Rankers may share it,
// also from several goroutines.
type Memory struct {
	weights Weights // those that worth was computed with
	limit   int     // bytes of what is kept, 0: none

	mu    sync.RWMutex
	terms map[termOf]list
	docs  map[termOf]int // document frequencies
	used  int            // bytes, about
	rooms sync.Pool      // of *room
}

// termOf is a term of one snapshot.
type termOf struct {
	snapshot [sha256.Size]byte // hash of its name, which may be long
	term     string
}

// list is the postings of one term.
type list struct {
	index.Postings
	worth []float32 // of each posting, nil where it was not computed
}

// leastKept is of how many documents a term is kept: most that prompts ask for, such as those of their phrases, are of
// none, and one that a single skill has is read as fast as it is found here.
const leastKept = 2

// entrySize is about what a term takes beside its letters and its postings, in bytes.
const entrySize = 250

func (k termOf) size() int { return entrySize + len(k.term) }

func (l list) size() int { return l.Size() + 4*len(l.worth) }

// NewMemory returns a memory for rankers with weights w that keeps about as many bytes as limit says:
// beyond that it forgets any of its terms. 0 means no limit.
func NewMemory(w Weights, limit int) *Memory {
	return &Memory{weights: w, limit: limit, terms: map[termOf]list{}, docs: map[termOf]int{}}
}

// Remember makes the ranker keep what it reads in a memory of its own, which others may share.
func (r *Ranker) Remember() *Memory {
	m := NewMemory(r.Weights, 0)
	r.Share(m, "")
	return m
}

// Share makes the ranker use a memory. Rankers whose snapshots hold other documents, or others of
// them hidden, give other names of their snapshots.
func (r *Ranker) Share(m *Memory, snapshot string) {
	r.memory, r.memoryOf = m, sha256.Sum256([]byte(snapshot))
}

func (m *Memory) list(r *Ranker, term string) (list, error) {
	key := termOf{r.memoryOf, term}
	m.mu.RLock()
	one, ok := m.terms[key]
	m.mu.RUnlock()
	if ok {
		return one, nil
	}
	var err error
	if one.Postings, err = r.snapshot.Postings(term, nil); err != nil || len(one.Numbers) < leastKept {
		return one, err
	}
	if r.Weights == m.weights {
		one.worth = make([]float32, len(one.Numbers))
		r.saturate(&one.Postings, 0, one.worth)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.terms[key]; !ok {
		m.reserve(key.size() + one.size())
		m.terms[key] = one
	}
	return one, nil
}

func (m *Memory) docFreq(r *Ranker, term string) (int, error) {
	key := termOf{r.memoryOf, term}
	m.mu.RLock()
	n, ok := m.docs[key]
	m.mu.RUnlock()
	if ok {
		return n, nil
	}
	n, err := r.snapshot.DocFreq(term)
	if err == nil && n >= leastKept {
		m.mu.Lock()
		defer m.mu.Unlock()
		if _, ok := m.docs[key]; !ok {
			m.reserve(key.size())
			m.docs[key] = n
		}
	}
	return n, err
}

// reserve forgets terms, any of them, until as many bytes more are within the limit. What is asked for
// often is soon there again.
func (m *Memory) reserve(bytes int) {
	m.used += bytes
	if m.limit == 0 {
		return
	}
	for key, one := range m.terms {
		if m.used <= m.limit {
			return
		}
		m.used -= key.size() + one.size()
		delete(m.terms, key)
	}
	for key := range m.docs {
		if m.used <= m.limit {
			return
		}
		m.used -= key.size()
		delete(m.docs, key)
	}
}

// room is what a search needs beside postings.
type room struct {
	scores []float32 // by document, 0 where it holds no word of the prompt
	best   []float32 // of the concept at hand by meaning, by document of a block
	own    []float32 // of its literal Korean word
	worths []float32 // of postings
}

// enter makes the room as large as the snapshot, with all scores 0.
func (r *Ranker) enter() {
	if r.memory != nil && r.scores == nil {
		if used, ok := r.memory.rooms.Get().(*room); ok {
			r.room = *used
		}
	}
	n := r.snapshot.Docs()
	if size := min(block, n); len(r.best) < size {
		r.best, r.own, r.worths = make([]float32, size), make([]float32, size), make([]float32, block)
	} else { // a search that was broken off may have left something
		clear(r.best)
		clear(r.own)
	}
	if cap(r.scores) < n {
		r.scores = make([]float32, n)
	} else {
		r.scores = r.scores[:n]
		clear(r.scores)
	}
}

// Leave gives the room of the last search to other rankers of the same memory. Its result is no longer valid.
func (r *Ranker) Leave() {
	if r.memory != nil && r.scores != nil {
		used := r.room
		r.memory.rooms.Put(&used)
	}
	r.room = room{}
}
