package neutral

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSpan  = 70 // maximum distance of two notions that count as a pair, in bytes
	spelled  = 5  // minimum number of consecutive one-letter words that count as a spelled-out word
	stem     = 5  // length of a word's stem, in bytes
	rounding = 2  // maximum rounding error of a sentence's sum of weights, in Units
	grams    = 4  // maximum number of letters in a piece, in scripts without blanks
)

// isOrder reports whether the sentence is an order according to the model, or its words cannot be judged.
func isOrder(sentence string) bool {
	return hides(sentence) || ordersModel(sentence) || backwards(sentence, ordersModel)
}

// ordersModel reports whether the sentence is an order according to the model. Words with blanks between their letters
// count as orders too.
func ordersModel(sentence string) bool {
	sum := bias()
	var seen [Slots / 64]uint64 // slots already counted; each feature counts once
	letters := Features(sentence, func(h uint32) {
		slot, weight := find(h)
		if seen[slot/64]>>(slot%64)&1 == 0 {
			seen[slot/64] |= 1 << (slot % 64)
			sum += weight
		}
	})
	return letters >= spelled || sum > rounding
}

type hit struct {
	at      int
	notions uint64
}

// Features calls yield with the 32-bit FNV-1a hash of every feature of sentence in the model of orders: notions (see
// table.go) and pairs of nearby notions; words, stems and pairs of adjacent words, or pieces of two to four letters in
// scripts without blanks; the start, the end and the approximate length of the sentence. It returns the length of the
// longest run of one-letter words.
func Features(sentence string, yield func(uint32)) (letters int) {
	var buf [512]byte
	plainText, letters := plain(buf[:0], sentence)
	text := string(plainText)
	var room [64]hit
	notions(appendHits(room[:0], text), yield)

	words, before, headBefore, last := 0, uint32(0), uint32(0), ""
	for rest := strings.Trim(text, " \x01"); rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		words++
		last = word
		if first, _ := utf8.DecodeRuneInString(word); wide(first) {
			pieces(word, words == 1, yield)
			before = 0
			continue
		}
		h, head := hash('w', word), word[:min(stem, len(word))]
		yield(h)
		if len(word) > stem {
			yield(hash('p', head))
		}
		if before != 0 {
			yield(hash('b', word) ^ before*fnvPrime)
			yield(hash('g', head) ^ headBefore*fnvPrime)
		}
		headBefore = hash('p', head)
		if words == 1 {
			yield(hash('^', word))
		}
		before = h
	}
	endings(last, yield)
	switch length := len(text); {
	case words < 5:
		yield(step(step(step(fnvOffset, 's'), byte(words)), byte(length/4)))
	case length < 90:
		yield(step(fnvOffset, 'm'))
	case length < 160:
		yield(step(fnvOffset, 'l'))
	default:
		yield(step(fnvOffset, 'x'))
	}
	return letters
}

func notions(hits []hit, yield func(uint32)) {
	var all uint64
	var near [64]uint64
	for i, h := range hits {
		all |= h.notions
		for _, other := range hits[i+1:] {
			if other.at-h.at > maxSpan {
				break
			}
			for set := h.notions; set != 0; set &= set - 1 {
				near[bits.TrailingZeros64(set)] |= other.notions
			}
			for set := other.notions; set != 0; set &= set - 1 {
				near[bits.TrailingZeros64(set)] |= h.notions
			}
		}
	}
	for ; all != 0; all &= all - 1 {
		a := bits.TrailingZeros64(all)
		h := step(step(fnvOffset, 'n'), byte(a))
		yield(h)
		for set := near[a] >> a >> 1 << 1 << a; set != 0; set &= set - 1 {
			yield(step(h, byte(bits.TrailingZeros64(set))))
		}
	}
}

// endings yields the last word of a sentence or, in a script without blanks, its last one to four letters. Statements
// and commands end differently.
func endings(word string, yield func(uint32)) {
	if first, _ := utf8.DecodeRuneInString(word); !wide(first) {
		yield(hash('$', word))
		return
	}
	for at, n := len(word), 0; n < grams && at > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(word[:at])
		at -= size
		yield(hash('$', word[at:]))
	}
}

// pieces yields all pieces of two to four letters of run, which is in a script without blanks. If run is the first
// word, its first two letters also yield a separate feature.
func pieces(run string, first bool, yield func(uint32)) {
	for from := range run {
		h, n := uint32(step(fnvOffset, 'c')), 0
		for at, r := range run[from:] {
			for _, b := range []byte(run[from+at : from+at+utf8.RuneLen(r)]) {
				h = step(h, b)
			}
			if n++; n >= 2 {
				yield(h)
			}
			if first && from == 0 && n == 2 {
				yield(step(h, '^'))
			}
			if n == grams {
				break
			}
		}
	}
}

const (
	fnvOffset uint32 = 2166136261
	fnvPrime  uint32 = 16777619
)

func step(h uint32, b byte) uint32 { return (h ^ uint32(b)) * fnvPrime }

func hash(kind byte, word string) uint32 {
	h := step(fnvOffset, kind)
	for i := range len(word) {
		h = step(h, word[i])
	}
	return h
}

func appendHits(hits []hit, text string) []hit {
	start := false
	for at, r := range text {
		if start || wide(r) {
			if n := notionsAt(text, at); n != 0 {
				hits = append(hits, hit{at, n})
			}
		}
		start = r == ' '
	}
	return hits
}

func wide(r rune) bool {
	return 0x3040 <= r && r <= 0x30ff || 0x3400 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3
}

// plain appends the folded words of sentence to `to` and returns the result. A blank separates words except in scripts
// without blanks, and the last byte is sentenceEnd. Digits among letters are replaced by the letters that they
// resemble, as in "1gn0re". plain also returns the length of the longest run of one-letter words.
func plain(to []byte, sentence string) (text []byte, letters int) {
	var (
		start                    int // offset of the current word in to
		figures, lettered        bool
		betweenWords, wideBefore = true, false
		single                   int
	)
	end := func() {
		word := to[start:]
		for len(word) > 0 && (word[len(word)-1] == '@' || word[len(word)-1] == '$') {
			word = word[:len(word)-1]
		}
		to = to[:start+len(word)]
		for i := range word {
			if figures && lettered {
				word[i] = asLetter(word[i])
			}
		}
		switch {
		case len(word) == 1 && word[0] >= 'a':
			single++
			letters = max(letters, single)
		case len(word) > 1:
			single = 0
		}
		start, figures, lettered = len(to), false, false
	}
	for _, r := range sentence {
		r = Fold(r)
		letter := r >= 'a' && r <= 'z' || r >= 0x80 && (unicode.IsLetter(r) || unicode.Is(unicode.M, r))
		figure := !letter && (r == '@' || r == '$' || unicode.IsDigit(r))
		switch {
		case r == '\'' || r == '’': // "don't" becomes "dont"
			continue
		case !letter && !figure, figure && betweenWords && (r == '@' || r == '$'):
			if !betweenWords {
				end()
			}
			betweenWords = true
			continue
		}
		w := wide(r)
		if betweenWords || w != wideBefore {
			end()
			if !w || !wideBefore {
				to = append(to, ' ')
				start = len(to)
			}
		}
		betweenWords, wideBefore = false, w
		figures, lettered = figures || figure, lettered || letter
		to = utf8.AppendRune(to, r)
	}
	end()
	if !wideBefore {
		to = append(to, ' ')
	}
	return append(to, sentenceEnd), letters
}

func asLetter(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return "oizeasgtbg"[c-'0']
	case c == '@':
		return 'a'
	case c == '$':
		return 's'
	}
	return c
}
