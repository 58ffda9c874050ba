package terms

import (
	"strings"
	"sync/atomic"
)

// stems remembers the stems of words: a library says few words often.
var stems = memory{find: stemmed}

// memory is a bounded memory of what find returns for words: each word has one place, which the
// last word with that place has. It may be used concurrently.
type memory struct {
	find   func(word string) string
	said   atomic.Uint32 // words that have taken a place, up to fewPlaces
	places [1 << 16]atomic.Pointer[remembered]
}

// fewPlaces is how many places the first words have, of a prompt for example: the whole table is on 128
// pages, and each that a process touches takes as long as ten words.
const fewPlaces = 1 << 8

// remembered is a word with what was found for it, side by side, since most look-ups read both and nothing else.
type remembered struct {
	found string
	size  uint8
	word  [maxRemembered]byte
}

// maxRemembered is the length of the longest word that is remembered, in bytes; longer ones are
// rarely said twice.
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
	r := &remembered{found: strings.Clone(m.find(word)), size: uint8(len(word))} // not the whole text for one word of it
	copy(r.word[:], word)
	place.Store(r)
	if few {
		m.said.Add(1)
	}
	return r.found
}
