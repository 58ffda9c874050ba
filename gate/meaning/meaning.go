// Package meaning compares texts by word vectors, so that a prompt can match a skill with which it shares no word.
//
// Each word in skill authors' vocabulary has a vector, called its row, and a weight. Both are learned from requests in
// the authors' skills (gate/tune, `skillgate-dev train meaning`). The vector of a text is the weighted sum of its
// words' rows, scaled to a fixed length and rounded to signed bytes. Two texts are compared by the cosine of their
// vectors.
//
// The embedded table holds only hashes and numbers, so no text can be recovered from it. It is read in place, without
// parsing.
package meaning

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"
	"unsafe"
)

// Dim is the number of components of a vector.
const Dim = 128

// Slots is the number of slots for words in a table.
const Slots = 1 << 14

// probes is the maximum number of slots that are searched for a word, starting at the slot of its hash.
const probes = 64

// Vector is the vector of a text. It is zero if the table has none of the text's words.
type Vector [Dim]int8

// Table is a hash table of words' rows. It has three parts: for each slot, a 16-bit hash of its word, or 0 if the slot
// is empty; for each row, a byte s that means a scale of exp(leastLog + s·logStep), which includes the word's weight;
// and the rows, with one signed byte per component.
type Table struct{ data string }

const (
	weightsAt = 2 * Slots
	rowsAt    = weightsAt + Slots
	tableSize = rowsAt + Slots*Dim
	leastLog  = -10
	logStep   = 1.0 / 16
	largest   = 15 // maximum component of a row; with 127, packages grow by half a megabyte and ranking is no better
)

// Default returns the embedded table.
func Default() Table { return Table{embedded} }

// Bytes returns t in the format of table.bin.
func (t Table) Bytes() []byte { return []byte(t.data) }

// hash returns the slot at which the search for word starts, and the mark of word in a slot, which is never 0.
func hash(word string) (at uint32, mark uint16) {
	h := fnv.New64a()
	h.Write([]byte(word))
	sum := h.Sum64()
	return uint32(sum>>16) % Slots, max(uint16(sum), 1)
}

// New returns a table of words with their weighted rows, and the number of words that it could place. words must be
// sorted by importance, because later words may find no free slot.
func New(words []string, rows [][]float32) (Table, int) {
	b := make([]byte, tableSize)
	placed := 0
	for i, word := range words {
		at, mark := hash(word)
		for range probes {
			if binary.LittleEndian.Uint16(b[2*at:]) == 0 {
				put(b, at, mark, rows[i])
				placed++
				break
			}
			at = (at + 1) % Slots
		}
	}
	return Table{string(b)}, placed
}

func put(b []byte, at uint32, mark uint16, row []float32) {
	top := 1e-9
	for _, x := range row {
		top = max(top, math.Abs(float64(x)))
	}
	step := max(0, min(255, math.Ceil((math.Log(top/largest)-leastLog)/logStep)))
	scale := math.Exp(leastLog + logStep*step)
	binary.LittleEndian.PutUint16(b[2*at:], mark)
	b[weightsAt+int(at)] = byte(step)
	for j, x := range row {
		b[rowsAt+int(at)*Dim+j] = byte(int8(math.Round(float64(x) / scale)))
	}
}

// find returns the slot of word, or -1 if t does not have word.
func (t Table) find(word string) int {
	at, mark := hash(word)
	for range probes {
		if uint16(t.data[2*at])|uint16(t.data[2*at+1])<<8 == mark {
			return int(at)
		}
		at = (at + 1) % Slots
	}
	return -1
}

// add adds the row of word to sum and reports whether t has word.
func (t Table) add(sum *[Dim]float32, word string) bool {
	at := t.find(word)
	if at < 0 {
		return false
	}
	scale := float32(math.Exp(leastLog + logStep*float64(t.data[weightsAt+at])))
	row := t.data[rowsAt+at*Dim : rowsAt+(at+1)*Dim]
	for j := range sum {
		sum[j] += scale * float32(int8(row[j]))
	}
	return true
}

// Vector returns the vector of a text with the given words.
func (t Table) Vector(words []string) Vector {
	var sum [Dim]float32
	for _, word := range words {
		t.add(&sum, word)
	}
	return round(sum[:])
}

// Share returns the contribution of word to the dot product of its text's unscaled vector and w, the bytes of a Vector.
func (t Table) Share(word string, w []byte) float64 {
	var row [Dim]float32
	sum := 0.0
	if t.add(&row, word) {
		for j, x := range row {
			sum += float64(x) * float64(int8(w[j]))
		}
	}
	return sum
}

// round scales a sum of rows to a Vector.
func round(sum []float32) (v Vector) {
	square := 0.0
	for _, x := range sum {
		square += float64(x) * float64(x)
	}
	if square == 0 {
		return v
	}
	scale := length / math.Sqrt(square)
	for j, x := range sum {
		v[j] = int8(max(-127, min(127, math.Round(scale*float64(x)))))
	}
	return v
}

// length is the Euclidean length of a Vector. At this length, components are typically near 35 and rarely exceed 127.
const length = 400.0

// Cosine returns the cosine of v and w, the bytes of a Vector, from -1 to 1. It is 0 if either is zero.
func (v *Vector) Cosine(w []byte) float64 {
	return v.CosineTo((*Vector)(unsafe.Pointer(unsafe.SliceData(w[:Dim]))))
}

// CosineTo returns the cosine of v and w, from -1 to 1. It is 0 if either is zero.
func (v *Vector) CosineTo(w *Vector) float64 {
	dot, a, b := int32(0), int32(0), int32(0)
	for j, x := range v {
		x, y := int32(x), int32(w[j])
		dot, a, b = dot+x*y, a+x*x, b+y*y
	}
	if a == 0 || b == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(a)*float64(b))
}

// Signs has one bit per component of a vector, set if the component is positive.
type Signs [Dim / 64]uint64

// Signs returns the signs of v's components.
func (v *Vector) Signs() (s Signs) {
	for j, x := range v {
		if x > 0 {
			s[j/64] |= 1 << (j % 64)
		}
	}
	return s
}

// Apart sets to[i] to the number of bits in which s differs from the i-th Signs in column, which are little endian.
func (s Signs) Apart(column []byte, to []uint8) {
	const size = Dim / 8
	low, high := s[0], s[1] // two variables, because an array would not stay in registers
	for i := range to {
		one := column[i*size:][:size]
		to[i] = uint8(bits.OnesCount64(low^binary.LittleEndian.Uint64(one)) +
			bits.OnesCount64(high^binary.LittleEndian.Uint64(one[8:])))
	}
}
