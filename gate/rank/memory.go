package rank

import (
	"crypto/sha256"
	"sync"

	"github.com/skillgate/skillgate/gate/index"
)

// Memory caches postings with their scores, and scratch buffers, for callers that search the same snapshots thousands
// of times. Rankers in different goroutines may share it.
type Memory struct {
	weights Weights // ranking weights of the cached scores
	limit   int     // maximum of used, in bytes; 0 means no limit

	mu    sync.RWMutex
	terms map[termOf]list
	docs  map[termOf]int // number of documents by term
	used  int            // estimated size of the cache, in bytes
	rooms sync.Pool      // unused buffers, of type *scratch
}

type termOf struct {
	snapshot [sha256.Size]byte // hash of the snapshot's name
	term     string
}

type list struct {
	index.Postings
	worth []float32 // score of each posting without the idf factor; nil if not yet computed
}

// leastKept is the minimum number of documents that a term must occur in to be cached. Most terms, such as phrases, are
// in no document, and reading one posting from the index is as fast as from the cache.
const leastKept = 2

// entrySize is the estimated overhead of a cached term besides its letters and postings, in bytes.
const entrySize = 250

func (k termOf) size() int { return entrySize + len(k.term) }

func (l list) size() int { return l.Size() + 4*len(l.worth) }

// NewMemory returns an empty Memory for rankers with weights w. When it exceeds limit bytes, it drops arbitrary terms.
// If limit is 0, it never does.
func NewMemory(w Weights, limit int) *Memory {
	return &Memory{weights: w, limit: limit, terms: map[termOf]list{}, docs: map[termOf]int{}}
}

// Remember makes the ranker use a new Memory without limit and returns it.
func (r *Ranker) Remember() *Memory {
	m := NewMemory(r.Weights, 0)
	r.Share(m, "")
	return m
}

// Share makes the ranker use m. snapshot names the ranker's snapshot. Two snapshots need different names if they have
// different documents or hide different documents.
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

// reserve adds bytes to the size of the cache. If the size exceeds the limit, it drops arbitrary terms. Frequent terms
// are soon cached again.
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

// scratch holds the buffers that a search needs besides postings.
type scratch struct {
	scores []float32 // score by document; 0 if the document contains no word of the prompt
	best   []float32 // by document of a block: highest score of the current concept's senses
	own    []float32 // by document of a block: score of the current concept's literal Korean word
	worths []float32 // by posting of a block: score without idf
}

// reset enlarges the buffers to the size of the snapshot and clears the scores.
func (r *Ranker) reset() {
	if r.memory != nil && r.scores == nil {
		if used, ok := r.memory.rooms.Get().(*scratch); ok {
			r.scratch = *used
		}
	}
	n := r.snapshot.Docs()
	if size := min(block, n); len(r.best) < size {
		r.best, r.own, r.worths = make([]float32, size), make([]float32, size), make([]float32, block)
	} else { // an interrupted search may have left scores
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

// Leave releases the buffers of the last search for other rankers with the same Memory. The search's result becomes
// invalid.
func (r *Ranker) Leave() {
	if r.memory != nil && r.scores != nil {
		used := r.scratch
		r.memory.rooms.Put(&used)
	}
	r.scratch = scratch{}
}
