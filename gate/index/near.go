package index

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// signature is a SimHash (Charikar 2002). Texts that share most of their word triples have signatures that differ in
// few bits.
type signature uint64

// signer computes the signature of a sequence of words from its triples.
type signer struct {
	words  int
	open   [2]uint64  // hash states of the two unfinished triples: with the last two words, and with the last word
	counts [32]uint64 // bit b of counts[i] is bit i of the number of hashes with bit b set
}

const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

// text adds the words of a text, split as by strings.Fields(strings.ToLower(text)).
func (s *signer) text(text string) {
	for len(text) > 0 {
		text = s.word(text)
	}
}

// word adds the first word of a text, if there is one, and returns the rest.
func (s *signer) word(text string) string {
	a, b, c := s.open[0], s.open[1], uint64(fnvStart)
	i, found := 0, false
	for i < len(text) {
		if x := text[i]; x < utf8.RuneSelf {
			i++
			if x == ' ' || x >= '\t' && x <= '\r' {
				break
			}
			if x >= 'A' && x <= 'Z' {
				x += 'a' - 'A'
			}
			a, b, c = (a^uint64(x))*fnvPrime, (b^uint64(x))*fnvPrime, (c^uint64(x))*fnvPrime
		} else {
			r, n := utf8.DecodeRuneInString(text[i:])
			if i += n; unicode.IsSpace(r) {
				break
			}
			var room [utf8.UTFMax]byte
			for _, x := range utf8.AppendRune(room[:0], unicode.ToLower(r)) {
				a, b, c = (a^uint64(x))*fnvPrime, (b^uint64(x))*fnvPrime, (c^uint64(x))*fnvPrime
			}
		}
		found = true
	}
	if found {
		if s.words++; s.words > 2 {
			s.count(a * fnvPrime) // the same hash as with a zero byte after the word
		}
		s.open = [2]uint64{b * fnvPrime, c * fnvPrime}
	}
	return text[i:]
}

func (s *signer) count(x uint64) {
	// FNV's high bits vary little over short texts. One round of mixing evens them out.
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	for i := 0; x != 0; i++ {
		s.counts[i], x = s.counts[i]^x, s.counts[i]&x
	}
}

// signature returns the SimHash of the words so far. A bit is set if most hashes have it set.
func (s signer) signature() signature {
	for _, x := range s.open[max(0, 2-s.words):] { // the last two triples are incomplete
		s.count(x)
	}
	var out signature
	for b := range 64 {
		n := 0
		for i, x := range s.counts {
			n |= int(x>>b&1) << i
		}
		if 2*n > s.words {
			out |= 1 << b
		}
	}
	return out
}

func (s signature) distance(t signature) int { return bits.OnesCount64(uint64(s ^ t)) }

// Maximum numbers of differing bits between the signatures of near-equal skills, for their texts and descriptions.
// Skills made from one template share the text but not the description. If at most 3 bits differ, at least one of four
// 16-bit bands is equal, so pairs are found by equal bands.
const (
	nearText        = 3
	nearDescription = 10
)

// signed is a document for assignFamilies, which sets family.
type signed struct {
	text, description signature
	family            uint32 // 0 if not assigned
}

// assignFamilies gives near-equal documents the same family number. It keeps existing numbers. Documents without text
// (signature 0) get none.
func assignFamilies(docs []*signed) {
	var top uint32
	for _, d := range docs {
		top = max(top, d.family)
	}
	// For each of the four bands, the documents are in linked lists by the band's value modulo chains. Elements are
	// indexes in docs plus 1; 0 ends a list.
	chains := min(1<<bits.Len(uint(len(docs))), 1<<16)
	var first, last, next [4][]int32
	for b := range next {
		first[b], last[b], next[b] = make([]int32, chains), make([]int32, chains), make([]int32, len(docs)+1)
	}
	for i, d := range docs {
		if d.text == 0 {
			continue
		}
	search:
		for b := range next {
			left := mostCompared
			for j := first[b][band(d.text, b)%chains]; j > 0 && left > 0; j = next[b][j] {
				other := docs[j-1]
				if band(d.text, b) != band(other.text, b) {
					continue
				}
				left--
				if d.text.distance(other.text) > nearText || d.description.distance(other.description) > nearDescription {
					continue
				}
				switch {
				case d.family == 0 && other.family == 0:
					top++
					d.family, other.family = top, top
				case d.family == 0:
					d.family = other.family
				case other.family == 0:
					other.family = d.family
				}
				break search
			}
		}
		for b := range next {
			chain := band(d.text, b) % chains
			if j := last[b][chain]; j > 0 {
				next[b][j] = int32(i + 1)
			} else {
				first[b][chain] = int32(i + 1)
			}
			last[b][chain] = int32(i + 1)
		}
	}
}

// mostCompared is the maximum number of documents with an equal band that a document is compared with. A few are enough
// if hundreds of texts are equal.
const mostCompared = 64

func band(text signature, b int) int { return int(uint16(text >> (16 * b))) }
