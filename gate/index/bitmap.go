package index

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// bitmap is a set of document numbers in roaring's portable format, in which zap writes them. All
// numbers are little-endian:
//
//	cookie      uint32: noRuns, before a uint32 with the number of containers, or withRuns in the lower
//	            half and that number less one in the upper, before a bit for each container: has it runs
//	heads       for each container the upper half of its numbers and how many there are less one (uint16)
//	offsets     uint32 for each container; not where the cookie is withRuns and there are less than four
//	containers  of lower halves (uint16): runs, of which there are so many (uint16), each a number and how
//	            many follow it; else a list of at most maxList; else a bit for each of 65,536
//
// (https://github.com/RoaringBitmap/RoaringFormatSpec.) It is read where it lies: what reads it panics where it ends
// too soon.
type bitmap struct {
	runs, heads []byte
	containers  zapBytes
}

const (
	noRuns     = 12346
	withRuns   = 12347
	maxList    = 4096
	bitsSize   = 1 << 16 / 8
	leastNamed = 4 // containers of a bitmap with runs whose offsets are in it
)

var errBitmap = errors.New("not a bitmap")

func newBitmap(text zapBytes) (b bitmap, err error) {
	size := uint64(0)
	switch cookie := binary.LittleEndian.Uint32(text.take(4)); {
	case cookie == noRuns:
		size = uint64(binary.LittleEndian.Uint32(text.take(4)))
	case cookie&0xffff == withRuns:
		size = uint64(cookie>>16) + 1
		b.runs = text.take((size + 7) / 8)
	default:
		return b, errBitmap
	}
	b.heads = text.take(4 * size)
	if b.runs == nil || size >= leastNamed {
		text.take(4 * size)
	}
	b.containers = text
	return b, nil
}

// count is how many numbers there are.
func (b *bitmap) count() int {
	n := 0
	for heads := b.heads; len(heads) > 0; heads = heads[4:] {
		n += int(binary.LittleEndian.Uint16(heads[2:])) + 1
	}
	return n
}

// read fills to with the numbers, ascending where the file is not damaged, and returns how many it has.
func (b *bitmap) read(to []uint32) int {
	n, containers := 0, b.containers
	for i := 0; 4*i < len(b.heads) && n < len(to); i++ {
		upper := uint32(binary.LittleEndian.Uint16(b.heads[4*i:])) << 16
		size := int(binary.LittleEndian.Uint16(b.heads[4*i+2:])) + 1
		switch {
		case b.runs != nil && b.runs[i/8]>>(i%8)&1 != 0:
			runs := containers.take(4 * uint64(binary.LittleEndian.Uint16(containers.take(2))))
			for ; len(runs) > 0; runs = runs[4:] {
				first := upper | uint32(binary.LittleEndian.Uint16(runs))
				last := first + uint32(binary.LittleEndian.Uint16(runs[2:]))
				for doc := first; doc <= last && n < len(to); doc++ {
					to[n] = doc
					n++
				}
			}
		case size <= maxList:
			list := containers.take(2 * uint64(size))
			for ; len(list) > 0 && n < len(to); list = list[2:] {
				to[n] = upper | uint32(binary.LittleEndian.Uint16(list))
				n++
			}
		default:
			for at, set := uint32(0), containers.take(bitsSize); len(set) > 0; at, set = at+64, set[8:] {
				for word := binary.LittleEndian.Uint64(set); word != 0 && n < len(to); word &= word - 1 {
					to[n] = upper | at + uint32(bits.TrailingZeros64(word))
					n++
				}
			}
		}
	}
	return n
}
