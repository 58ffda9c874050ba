package journal

import (
	"crypto/rand"
	"fmt"
	"time"
)

// crockford is Crockford's base 32: no I, L, O or U, in ASCII order.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NewID returns a ULID: 48 bits of milliseconds since 1970 and 80 random bits
// as 26 characters, which sort as the times do.
func NewID(now time.Time) (string, error) {
	var b [16]byte
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	if _, err := rand.Read(b[6:]); err != nil {
		return "", fmt.Errorf("record id: %w", err)
	}
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
	return string(out[:]), nil
}
