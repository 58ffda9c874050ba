package terms

import (
	"strings"
	"sync/atomic"
)

// stems caches the stems of words, because most words in the skills of a library occur many times.
var stems = memory{find: stemmed}

// memory is a bounded cache of the results of find. Each slot contains the last word that hashed to it. A memory may
// be used concurrently.
type memory struct {
	find   func(word string) string
	said   atomic.Uint32 // number of words stored; counted only up to fewPlaces
	places [1 << 16]atomic.Pointer[remembered]
}

// fewPlaces is the number of slots for the first words, such as those of a prompt. The whole table takes 128 pages,
// and touching a page takes as long as ten words.
const fewPlaces = 1 << 8

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
	places := uint32(len(m.places))
	few := m.said.Load() < fewPlaces
	if few {
		places = fewPlaces
	}
	place := &m.places[h%places]
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
