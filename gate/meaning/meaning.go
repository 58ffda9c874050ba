// Package meaning compares texts by what they are about: a prompt can meet a skill with which it shares no word.
//
// Each word that skill authors use has a row of numbers and a weight, learned from requests that the authors wrote
// beside their skills (gate/tune, `skillgate-dev train meaning`). The vector of a text is the weighted sum of its
// words' rows, scaled to one length and rounded to signed bytes. Two texts are compared by the cosine of their vectors.
//
// The table is data in the program: hashes and numbers, from which no text can be read back. It is read where it lies.
package meaning

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"
	"unsafe"
)

// Dim is how many numbers a vector has.
const Dim = 128

// Slots is the size of a table.
const Slots = 1 << 14

// probes is how far from the place of its hash a word may stand.
const probes = 64

// Vector is a text's meaning. The zero Vector is that of a text none of whose words are known.
type Vector [Dim]int8

// Table holds words' rows: for each of Slots places two bytes of the hash of the word that it holds, 0 for none; then
// a byte for the scale of each row, s for exp(leastLog + s·logStep), which includes the word's weight; then the rows, a
// signed byte a number.
type Table struct{ data string }

const (
	weightsAt = 2 * Slots
	rowsAt    = weightsAt + Slots
	tableSize = rowsAt + Slots*Dim
	leastLog  = -10
	logStep   = 1.0 / 16
	largest   = 15 // absolute value of a number in a row; 127 makes a package half a megabyte larger and ranks no better
)

// Default is the table that skillgate comes with.
func Default() Table { return Table{embedded} }

// Bytes is the table as table.bin holds it.
func (t Table) Bytes() []byte { return []byte(t.data) }

// hash returns where a word's search begins, and its mark, never 0.
func hash(word string) (at uint32, mark uint16) {
	h := fnv.New64a()
	h.Write([]byte(word))
	sum := h.Sum64()
	return uint32(sum>>16) % Slots, max(uint16(sum), 1)
}

// New makes a table of words, the most important first, and their weighted rows. It returns how many of them
// found a place.
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

// find returns the slot of a word, -1 where the table has none.
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

// add adds a word's row to a sum and reports whether the table has one.
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

// Vector returns the vector of a text's words.
func (t Table) Vector(words []string) Vector {
	var sum [Dim]float32
	for _, word := range words {
		t.add(&sum, word)
	}
	return round(sum[:])
}

// Share returns what a word adds to the dot product of its text's vector, before scaling, with w, a Vector in place.
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

// round returns a sum of rows as a vector.
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

// length is the length of a Vector. Its numbers are then about 35 in size, and hardly any is cut at 127.
const length = 400.0

// Cosine returns that of v and w, a Vector in place: -1 to 1, 0 where one is the zero Vector.
func (v *Vector) Cosine(w []byte) float64 {
	return cosine(v, (*Vector)(unsafe.Pointer(unsafe.SliceData(w[:Dim]))))
}

// CosineTo is Cosine of another Vector.
func (v *Vector) CosineTo(w *Vector) float64 { return cosine(v, w) }

func cosine(v, w *Vector) float64 {
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

// Signs has a bit for each number of a vector, set where the number is positive.
type Signs [Dim / 64]uint64

// Signs returns those of v.
func (v *Vector) Signs() (s Signs) {
	for j, x := range v {
		if x > 0 {
			s[j/64] |= 1 << (j % 64)
		}
	}
	return s
}

// Apart sets to[i] to the number of signs that differ from the i-th of a column, whose words are little-endian.
func (s Signs) Apart(column []byte, to []uint8) {
	const size = Dim / 8
	low, high := s[0], s[1] // an array would not be kept in registers
	for i := range to {
		one := column[i*size:][:size]
		to[i] = uint8(bits.OnesCount64(low^binary.LittleEndian.Uint64(one)) +
			bits.OnesCount64(high^binary.LittleEndian.Uint64(one[8:])))
	}
}
