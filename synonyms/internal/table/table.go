// Package table is the binary form of a compiled dictionary: one string that is used in place, without parsing.
//
//	magic    8 bytes, the last one the format version
//	crc      CRC-32C of everything after it, little endian like all numbers
//	sections 12 pairs of uint32: offset from the start of the table, length
//	Text     strings, each one length byte and its bytes; offset 0 is ""
//	Lists    uint32: a length and that many items; list 0 is empty
//	Heads    records of 4 uint32: text, list of senses, list of stemmed senses, flags
//	tries    Korean, Affix, English: labels, first children, values
//
// A trie's nodes are numbered breadth first. The children of node i are the nodes from i+First[i] up to
// i+1+First[i+1], sorted by their label byte. These numbers repeat, so they compress well. A value is the offset of a
// list, or 0. Reading never fails: everything outside the table reads as zero, so a damaged table gives wrong words
// but does not cause a panic.
package table

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
)

const (
	magic    = "sgsyn\x00\x00\x03"
	sections = 12
	header   = len(magic) + 4 + sections*8

	// headSize is the length of a headword record in bytes.
	headSize = 16
)

// Flags of a headword.
const (
	Generic  = 1 << iota // says little about which skill is wanted
	Function             // a function word, which is left out
	Spaced               // written with a space: a compound whose parts are words
	Verb                 // a verb or adjective in -다
)

// Surface is one form of a word.
type Surface struct {
	Letters string
	Kind    Kind
	Marks   uint32 // DroppedForm, VerbForm or 0
}

// Kind says how a surface form is used in an eojeol.
type Kind uint8

const (
	Noun     Kind = iota // noun or adverb
	Short                // noun of one syllable
	Base                 // stem before consonant endings: 고치(고), 만들(고)
	Vowel                // stem before endings that need a vowel: 고치(ㄴ), 먹으(면), 만드(ㄴ)
	Infinite             // stem with 아/어: 고쳐, 만들어
	Finished             // a whole conjugated form that takes no ending
)

// Marks of a surface.
const (
	SpacedForm  = 1 << (4 + iota) // the dictionary writes the form with a space
	DroppedForm                   // a stem without its ㄹ: 만드 of 만들다
	VerbForm                      // a noun that is probably a verb if an object precedes it: 보고
)

// Tags of the items under an English key.
const (
	Means   = iota // text of a canonical phrase: its stems, joined by spaces
	Same           // like Means, for sets that apply in both directions
	Korean         // a headword with this sense
	Written        // a headword of a language without spaces, under its written form
)

// Trie maps byte strings to values.
type Trie struct {
	labels        string
	first, values string
}

// Root is the node at which every walk starts.
const Root = 0

// Step follows label c from node n. ok is false if no key continues with c.
func (t *Trie) Step(n uint32, c byte) (next uint32, ok bool) {
	lo, hi := n+u32(t.first, n), n+1+u32(t.first, n+1)
	if lo >= hi || hi > uint32(len(t.labels)) {
		return 0, false
	}
	i := strings.IndexByte(t.labels[lo:hi], c)
	if i < 0 {
		return 0, false
	}
	return lo + uint32(i), true
}

// Value returns the list of the key that ends at node n, or 0.
func (t *Trie) Value(n uint32) uint32 { return u32(t.values, n) }

// Find returns the list of key, or 0.
func (t *Trie) Find(key []byte) uint32 {
	n, ok := uint32(Root), true
	for _, c := range key {
		if n, ok = t.Step(n, c); !ok {
			return 0
		}
	}
	return t.Value(n)
}

// Table reads a compiled dictionary.
type Table struct {
	text, lists, heads     string
	Korean, Affix, English Trie
}

var (
	errFormat = errors.New("not a compiled dictionary of this version")
	errDamage = errors.New("the dictionary is damaged")
)

// Open checks the header and the checksum of data and returns a table that reads it.
func Open(data string) (Table, error) {
	if len(data) < header || data[:len(magic)] != magic {
		return Table{}, errFormat
	}
	if sum := checksum(data[len(magic)+4:]); sum != u32(data[len(magic):], 0) {
		return Table{}, fmt.Errorf("the checksum is %08x instead of %08x: %w", u32(data[len(magic):], 0), sum, errDamage)
	}
	return Trusted(data), nil
}

// Trusted is like Open but does not check data.
func Trusted(data string) Table {
	section := func(i uint32) string {
		if len(data) < header {
			return ""
		}
		dir := data[len(magic)+4:]
		from, n := uint64(u32(dir, 2*i)), uint64(u32(dir, 2*i+1))
		if from+n > uint64(len(data)) {
			return ""
		}
		return data[from : from+n]
	}
	trie := func(i uint32) Trie { return Trie{section(i), section(i + 1), section(i + 2)} }
	return Table{section(0), section(1), section(2), trie(3), trie(6), trie(9)}
}

// Text returns the string at offset off of the text section.
func (t *Table) Text(off uint32) string {
	if uint64(off) >= uint64(len(t.text)) {
		return ""
	}
	s := t.text[off:]
	n := int(s[0])
	if len(s) < 1+n {
		return ""
	}
	return s[1 : 1+n]
}

// Len returns the number of items of a list.
func (t *Table) Len(list uint32) int {
	n := u32(t.lists, list)
	if uint64(list)+1+uint64(n) > uint64(len(t.lists)/4) {
		return 0
	}
	return int(n)
}

// Item returns item i of the list at offset list in t.lists.
func (t *Table) Item(list uint32, i int) uint32 { return u32(t.lists, list+1+uint32(i)) }

// Heads returns the number of headwords.
func (t *Table) Heads() int { return len(t.heads) / headSize }

// Head returns the text of a headword, its lists of senses and stemmed senses, and its flags.
func (t *Table) Head(id uint32) (text string, senses, stems, flags uint32) {
	return t.Text(u32(t.heads, 4*id)), u32(t.heads, 4*id+1), u32(t.heads, 4*id+2), u32(t.heads, 4*id+3)
}

func u32(s string, i uint32) uint32 {
	k := uint64(i) * 4
	if k+4 > uint64(len(s)) {
		return 0
	}
	b := s[k : k+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func checksum(s string) uint32 {
	var piece [4096]byte
	polynomial := crc32.MakeTable(crc32.Castagnoli)
	sum := uint32(0)
	for len(s) > 0 {
		n := copy(piece[:], s)
		sum = crc32.Update(sum, polynomial, piece[:n])
		s = s[n:]
	}
	return sum
}
