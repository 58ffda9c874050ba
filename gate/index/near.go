package index

import (
	"hash/fnv"
	"math/bits"
)

// signature is a SimHash (Charikar 2002): texts that share most of their word
// triples have signatures that differ in few bits.
type signature uint64

// sign returns the SimHash of a sequence of terms over its triples.
func sign(found []string) signature {
	var weight [64]int
	h := fnv.New64a()
	for i := range found {
		h.Reset()
		for j := i; j < i+3 && j < len(found); j++ {
			h.Write([]byte(found[j]))
			h.Write([]byte{0})
		}
		x := h.Sum64()
		// FNV's high bits vary little over short texts; one round of mixing evens them.
		x ^= x >> 33
		x *= 0xff51afd7ed558ccd
		x ^= x >> 33
		for b := range weight {
			weight[b] += int(x>>b&1)*2 - 1
		}
	}
	var s signature
	for b, w := range weight {
		if w > 0 {
			s |= 1 << b
		}
	}
	return s
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
