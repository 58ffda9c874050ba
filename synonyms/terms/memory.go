package terms

import (
	"strings"
	"sync"
	"sync/atomic"
)

// stems caches the stems of words, because most words in the skills of a library occur many times.
var stems = memory{find: stemmed}

// memory is a bounded cache of the results of find. Each slot contains the last word that hashed to it. A memory may
// be used concurrently.
type memory struct {
	find func(word string) string
	said atomic.Uint32 // number of words stored; counted only up to fewPlaces
	few  [fewPlaces]place
	once sync.Once
	many []place // for later words; allocated when needed, because a large global array slows down each start
}

type place = atomic.Pointer[remembered]

// Sizes of few and many. fewPlaces exceeds the number of words in a prompt.
const fewPlaces, manyPlaces = 1 << 8, 1 << 16

// remembered is a cached word and its result. They are adjacent because most look-ups read nothing else.
type remembered struct {
	found string
	size  uint8
	word  [maxRemembered]byte
}

// maxRemembered is the length of the longest cached word in bytes. Longer words are rarely repeated.
const maxRemembered = 24

func (m *memory) of(word string) string {
	if len(word) > maxRemembered {
		return m.find(word)
	}
	h := uint32(2166136261) // FNV-1a
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	places, few := m.few[:], m.said.Load() < fewPlaces
	if !few {
		m.once.Do(func() { m.many = make([]place, manyPlaces) })
		places = m.many
	}
	place := &places[h%uint32(len(places))]
	if r := place.Load(); r != nil && string(r.word[:r.size]) == word {
		return r.found
	}
	r := &remembered{found: strings.Clone(m.find(word)), size: uint8(len(word))}
	copy(r.word[:], word)
	place.Store(r)
	if few {
		m.said.Add(1)
	}
	return r.found
}
