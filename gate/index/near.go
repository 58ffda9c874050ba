package index

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// signature is a SimHash (Charikar 2002): texts that share most of their word
// triples have signatures that differ in few bits.
type signature uint64

// signer makes the signature of a sequence of words over its triples.
type signer struct {
	words  int
	open   [2]uint64  // FNV-1a of the triples that began with the word before the last, and with the last
	counts [32]uint64 // bit b of counts[i] is bit i of how many hashes have bit b set
}

const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

// text adds the words of a text as strings.Fields(strings.ToLower(text)) cuts them.
func (s *signer) text(text string) {
	for len(text) > 0 {
		text = s.word(text)
	}
}

// word adds the word before the first white space of a text, if there is one, and returns what comes after that.
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
			s.count(a * fnvPrime) // of a byte 0 after the word
		}
		s.open = [2]uint64{b * fnvPrime, c * fnvPrime}
	}
	return text[i:]
}

// count counts the bits of a triple's hash.
func (s *signer) count(x uint64) {
	// FNV's high bits vary little over short texts; one round of mixing evens them.
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	for i := 0; x != 0; i++ {
		s.counts[i], x = s.counts[i]^x, s.counts[i]&x
	}
}

// signature is the SimHash of the words so far: a bit is set where more hashes have it than have it not.
func (s signer) signature() signature {
	for _, x := range s.open[max(0, 2-s.words):] { // the last triples are short
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

// Signatures of copies and versions of one text differ in at most nearText bits,
// and so do those of their descriptions in nearDescription: skills stamped from
// one template share their text, not their description. nearText is 3 so that
// one of four 16-bit bands is always equal and finds the pair.
const (
	nearText        = 3
	nearDescription = 10
)

// signed is what family detection knows of a document.
type signed struct {
	text, description signature
	family            uint32 // 0 until it has one
}

// assignFamilies gives near-equal documents one family number and keeps the
// numbers that are there. Documents without text (zero signature) have none.
func assignFamilies(docs []*signed) {
	var top uint32
	for _, d := range docs {
		top = max(top, d.family)
	}
	var bands [4]map[uint16][]*signed
	for b := range bands {
		bands[b] = make(map[uint16][]*signed, len(docs))
	}
	for _, d := range docs {
		if d.text == 0 {
			continue
		}
	search:
		for b := range bands {
			for _, other := range bands[b][uint16(d.text>>(16*b))] {
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
		for b := range bands {
			k := uint16(d.text >> (16 * b))
			// Hundreds of equal texts need only a few representatives each.
			if len(bands[b][k]) < 64 {
				bands[b][k] = append(bands[b][k], d)
			}
		}
	}
}
