package tokenizer

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// charsmap is SentencePiece's precompiled normaliser: the length of a double array (Darts-clone) in bytes, the array of
// uint32 units, and replacements that end with a zero byte. The array's values are offsets of replacements.
//
// As in SentencePiece, the longest key at each position is replaced.
type charsmap []byte

func checkCharsmap(b []byte) error {
	if len(b) < 4 {
		return fmt.Errorf("the precompiled charsmap has only %d bytes", len(b))
	}
	n := le.Uint32(b)
	if n == 0 || n%4 != 0 || uint64(n) > uint64(len(b)-4) {
		return fmt.Errorf("precompiled charsmap: the trie has %d bytes but must have a multiple of 4 up to %d", n, len(b)-4)
	}
	return nil
}

func (m charsmap) replace(text string) string {
	n := int(le.Uint32(m))
	units, strs := m[4:4+n], m[4+n:]
	var b strings.Builder
	b.Grow(len(text))
	for at := 0; at < len(text); {
		offset, width := longestUnit(units, text[at:])
		if width == 0 {
			_, width = utf8.DecodeRuneInString(text[at:])
			b.WriteString(text[at : at+width])
			at += width
			continue
		}
		at += width
		if offset < len(strs) {
			to := strs[offset:]
			if end := bytes.IndexByte(to, 0); end >= 0 {
				to = to[:end]
			}
			b.Write(to)
		}
	}
	return b.String()
}

// longestUnit returns the value and the length of the longest key at the start of text. The length is 0 if no key
// matches.
func longestUnit(units []byte, text string) (value, width int) {
	unit := func(i uint32) (uint32, bool) {
		if uint64(i)*4+4 > uint64(len(units)) {
			return 0, false
		}
		return le.Uint32(units[i*4:]), true
	}
	offset := func(u uint32) uint32 { return (u >> 10) << ((u & (1 << 9)) >> 6) }
	u, ok := unit(0)
	if !ok {
		return 0, 0
	}
	pos := offset(u)
	for i := 0; i < len(text); i++ {
		c := uint32(text[i])
		pos ^= c
		u, ok = unit(pos)
		if c == 0 || !ok || u&(1<<31|0xFF) != c {
			break
		}
		pos ^= offset(u)
		if u>>8&1 == 1 {
			leaf, ok := unit(pos)
			if !ok {
				break
			}
			value, width = int(leaf&(1<<31-1)), i+1
		}
	}
	return value, width
}
