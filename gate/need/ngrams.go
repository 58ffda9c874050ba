package need

import (
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
)

// Only the head and the tail of a long text are read, because the request is at one of its ends. Sizes are in bytes.
const (
	readHead = 900
	readTail = 300
)

// Hashes calls yield with the 32-bit FNV-1a hash of every n-gram of text, including repeats. The n-grams are words,
// pairs of adjacent words, and pieces of words: two or three letters long in Hangul and scripts without spaces, three
// to five elsewhere. Case is ignored, and all numbers are equal. The first word of text and of each line also has
// a separate hash.
func Hashes(text string, yield func(uint32)) {
	if len(text) > readHead+readTail {
		head, tail := readHead, len(text)-readTail
		for head > 0 && !utf8.RuneStart(text[head]) {
			head--
		}
		for tail < len(text) && !utf8.RuneStart(text[tail]) {
			tail++
		}
		ngrams(text[:head], yield)
		ngrams(text[tail:], yield)
		return
	}
	ngrams(text, yield)
}

const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

func add(h uint32, r rune) uint32 {
	for range 3 { // a rune has at most 21 bits
		h = (h ^ uint32(r&0xff)) * fnvPrime
		r >>= 8
	}
	return h
}

func ngrams(text string, yield func(uint32)) {
	var word [40]rune
	n := 0
	before, start := uint32(0), true
	flush := func() {
		if n == 0 {
			return
		}
		w := word[:n]
		n = 0
		h := uint32(fnvOffset)
		for _, r := range w {
			h = add(h, r)
		}
		yield(add(h, 'w'))
		if start {
			yield(add(h, '^'))
			start = false
		}
		if before != 0 {
			yield((before ^ h*fnvPrime) * fnvPrime)
		}
		before = h
		pieces(w, yield)
	}
	line := true
	for _, r := range text {
		switch {
		case r == '\n':
			flush()
			if !line {
				yield(add(fnvOffset, '\n'))
			}
			line, start = true, true
			before = 0
		case unicode.IsLetter(r) || n > 0 && (r == '\'' || unicode.IsMark(r)):
			line = false
			if n < len(word) {
				word[n] = unicode.ToLower(r)
				n++
			}
		case unicode.IsDigit(r):
			line = false
			if n < len(word) && (n == 0 || word[n-1] != '0') {
				word[n] = '0'
				n++
			}
		case unicode.IsSpace(r):
			flush()
		default:
			flush()
			line = false
			h := add(fnvOffset, r)
			yield(add(h, 'p'))
			before = h
		}
	}
	flush()
	yield(add(fnvOffset, '$'))
	if before != 0 {
		yield(add(before, '$')) // pair of the last word or punctuation mark and the end of the text
	}
}

// pieces yields the hashes of the pieces of w, which may include the marks at its start and end.
func pieces(w []rune, yield func(uint32)) {
	least, most := 3, 5
	if script.Hangul(w[0]) || script.Spaceless(w[0]) || unicode.Is(unicode.Thai, w[0]) {
		least, most = 2, 3
	}
	var marked [42]rune
	marked[0] = '_'
	copy(marked[1:], w)
	marked[len(w)+1] = '_'
	m := marked[:len(w)+2]
	for from := range m {
		h := uint32(fnvOffset)
		for size := 1; size <= most && from+size <= len(m); size++ {
			h = add(h, m[from+size-1])
			if size >= least {
				yield(add(h, 'c'))
			}
		}
	}
}
