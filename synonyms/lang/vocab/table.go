// Package vocab looks words up in the word lists of all languages.
//
// The lists are YAML files in the folders below lang: one folder per language, "other" for languages without one, and
// "code" for shell commands and file names. They are compiled into table.bin, which is used in place, so a process
// spends time only on the words that it looks up. A look-up takes one hash and nearly always one comparison. Each list
// has the words of all languages.
//
// The table, with little-endian numbers:
//
//	magic    8 bytes, the last one the format version
//	lists    two uint32 per list: offset of its first record, offset after its last
//	slots    uint32: number of slots, a power of two; then one uint32 per slot: offset of a record, or 0
//	records  length byte, word, value (uint32), in the order of the sources
//
// A word's slot is its hash modulo the number of slots, or the next free slot. If a list gives texts for its words, a
// word's value is the offset of a record with the text.
//
//go:generate go run ../../internal/gen lists
package vocab

import (
	"iter"
	"strings"
)

// Magic is the start of every table.
const Magic = "sgwords\x01"

// Hash returns the FNV-1a hash of a word of a list.
func Hash(l List, word string) uint32 {
	h := (uint32(2166136261) ^ uint32(l)) * 16777619
	for i := 0; i < len(word); i++ {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return h
}

// Value returns the value of a word, and whether it is in the list.
func (l List) Value(word string) (value uint32, ok bool) {
	from, to := l.bounds()
	slots := uint32(len(Magic) + 8*int(Count))
	n := u32(slots)
	for i := Hash(l, word); n > 0; i++ {
		at := u32(slots + 4 + 4*(i&(n-1)))
		if at == 0 {
			break
		}
		if from <= at && at < to && record(at) == word {
			return u32(at + 1 + uint32(len(word))), true
		}
	}
	return 0, false
}

// Has reports whether the list has the word.
func (l List) Has(word string) bool {
	_, ok := l.Value(word)
	return ok
}

// Text returns the text for a word, or "".
func (l List) Text(word string) string {
	at, ok := l.Value(word)
	if !ok {
		return ""
	}
	return record(at)
}

// All yields the words of the list in the order of its sources.
func (l List) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		from, to := l.bounds()
		for from < to {
			w := record(from)
			if !yield(w) {
				return
			}
			from += 1 + uint32(len(w)) + 4
		}
	}
}

// CutPrefix returns s without the first word of the list that it starts with, and whether there is one.
func (l List) CutPrefix(s string) (rest string, ok bool) {
	for w := range l.All() {
		if rest, ok := strings.CutPrefix(s, w); ok {
			return rest, true
		}
	}
	return s, false
}

// CutSuffix returns s without the first word of the list that it ends with, and whether there is one.
func (l List) CutSuffix(s string) (rest string, ok bool) {
	for w := range l.All() {
		if rest, ok := strings.CutSuffix(s, w); ok {
			return rest, true
		}
	}
	return s, false
}

// Begins reports whether s starts with a word of the list.
func (l List) Begins(s string) bool {
	_, ok := l.CutPrefix(s)
	return ok
}

// Ends reports whether s ends with a word of the list.
func (l List) Ends(s string) bool {
	_, ok := l.CutSuffix(s)
	return ok
}

// In reports whether s contains a word of the list.
func (l List) In(s string) bool {
	for w := range l.All() {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func (l List) bounds() (from, to uint32) {
	at := uint32(len(Magic)) + 8*uint32(l)
	return u32(at), u32(at + 4)
}

func record(at uint32) string {
	if uint64(at) >= uint64(len(table)) {
		return ""
	}
	s := table[at+1:]
	return s[:min(int(table[at]), len(s))]
}

func u32(at uint32) uint32 {
	if uint64(at)+4 > uint64(len(table)) {
		return 0
	}
	b := table[at : at+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
