package rank

import (
	"sync"

	"github.com/skillgate/skillgate/gate/index"
)

// Memory keeps the postings that rankers read and what each counts, for callers that search
// one snapshot thousands of times. Rankers over the same snapshot may share it, also from
// several goroutines.
type Memory struct {
	weights Weights // those that worth was computed with

	mu    sync.RWMutex
	terms map[string]list
	docs  map[string]int // document frequencies
}

// list is the postings of one term.
type list struct {
	postings []index.Posting
	worth    []float32 // of each posting, nil where it was not computed
}

// Remember makes the ranker keep what it reads in a memory of its own, which others may share.
func (r *Ranker) Remember() *Memory {
	m := &Memory{weights: r.Weights, terms: map[string]list{}, docs: map[string]int{}}
	r.Share(m)
	return m
}

// Share makes the ranker use a memory that a ranker over the same snapshot has.
func (r *Ranker) Share(m *Memory) { r.memory = m }

func (m *Memory) list(r *Ranker, term string) (list, error) {
	m.mu.RLock()
	one, ok := m.terms[term]
	m.mu.RUnlock()
	if ok {
		return one, nil
	}
	var err error
	if one.postings, err = r.snapshot.Postings(term, nil, 0); err != nil {
		return one, err
	}
	if r.Weights == m.weights {
		one.worth = make([]float32, len(one.postings))
		for i, p := range one.postings {
			one.worth[i] = r.saturated(p)
		}
	}
	m.mu.Lock()
	m.terms[term] = one
	m.mu.Unlock()
	return one, nil
}

func (m *Memory) docFreq(s *index.Snapshot, term string) (int, error) {
	m.mu.RLock()
	n, ok := m.docs[term]
	m.mu.RUnlock()
	if ok {
		return n, nil
	}
	n, err := s.DocFreq(term)
	if err == nil {
		m.mu.Lock()
		m.docs[term] = n
		m.mu.Unlock()
	}
	return n, err
}
