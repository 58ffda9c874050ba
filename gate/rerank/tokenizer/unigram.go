package tokenizer

import (
	"math"
	"slices"
	"unicode/utf8"
)

// lattice holds the state of a Viterbi search by byte position.
type lattice struct {
	score []float64 // score of the best path to the position
	from  []int     // start of the last piece of that path
	id    []int32   // ID of the last piece of that path
}

// unigram appends the IDs of the most probable pieces of word (Viterbi). A character that is not a piece may be
// unknown, with a fixed score, and adjacent unknown characters become one token. If paths are equally probable, the one
// with the longer last piece wins.
func (t *Tokenizer) unigram(ids []int32, word string, l *lattice) []int32 {
	if word == "" {
		return ids
	}
	n := len(word)
	l.score = slices.Grow(l.score[:0], n+1)[:n+1]
	l.from = slices.Grow(l.from[:0], n+1)[:n+1]
	l.id = slices.Grow(l.id[:0], n+1)[:n+1]
	for i := range l.score {
		l.score[i] = math.Inf(-1)
	}
	l.score[0] = 0
	for at := 0; at < n; {
		_, width := utf8.DecodeRuneInString(word[at:])
		here := l.score[at]
		single := false
		node := int32(0)
		for i := at; i < n; i++ {
			var ok bool
			if node, ok = t.trie.step(node, word[i]); !ok {
				break
			}
			id := t.values[node]
			if id < 0 {
				continue
			}
			single = single || i+1-at == width
			if s := here + t.scores[id]; s > l.score[i+1] {
				l.score[i+1], l.from[i+1], l.id[i+1] = s, at, id
			}
		}
		if s := here + t.settings.UnkScore; !single && s > l.score[at+width] {
			l.score[at+width], l.from[at+width], l.id[at+width] = s, at, t.settings.Unknown
		}
		at += width
	}
	from := len(ids)
	for at := n; at > 0; at = l.from[at] {
		if id := l.id[at]; id != t.settings.Unknown || len(ids) == from || ids[len(ids)-1] != id {
			ids = append(ids, id)
		}
	}
	slices.Reverse(ids[from:])
	return ids
}
