package journal

import (
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// crockford is Crockford's base 32: no I, L, O or U, in ASCII order.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NewID returns a ULID: 48 bits of milliseconds since 1970 and 80 random bits
// as 26 characters, which sort as the times do. It need not be a secret: the runtime's generator,
// which the system seeds, is at hand at once.
func NewID(now time.Time) string {
	var b [16]byte
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	binary.BigEndian.PutUint16(b[6:], uint16(rand.Uint32()))
	binary.BigEndian.PutUint64(b[8:], rand.Uint64())
	// 128 bits in groups of five from the right; the first character holds three.
	var out [26]byte
	var acc, bits uint
	at := len(out)
	for i := len(b) - 1; i >= 0; i-- {
		acc |= uint(b[i]) << bits
		for bits += 8; bits >= 5; bits -= 5 {
			at--
			out[at] = crockford[acc&31]
			acc >>= 5
		}
	}
	out[0] = crockford[acc&31]
	return string(out[:])
}
