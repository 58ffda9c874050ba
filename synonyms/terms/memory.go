package terms

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// stems remembers the stems of words: a library says few words often.
var stems = memory{find: stemmed}

// memory is a bounded memory of what find returns for words: each word has one place, which the
// last word with that place has. It may be used concurrently.
type memory struct {
	find   func(word string) string
	places [1 << 14]atomic.Pointer[remembered]
}

type remembered struct{ word, found string }

// maxRemembered is the length of the longest word that is remembered, in bytes; longer ones are
// rarely said twice.
const maxRemembered = 24

var seed = maphash.MakeSeed()

// of returns what find returns for a word.
func (m *memory) of(word string) string {
	if len(word) > maxRemembered {
		return m.find(word)
	}
	place := &m.places[maphash.String(seed, word)%uint64(len(m.places))]
	if r := place.Load(); r != nil && r.word == word {
		return r.found
	}
	word = strings.Clone(word) // not the whole text for one word of it
	r := &remembered{word, m.find(word)}
	place.Store(r)
	return r.found
}
