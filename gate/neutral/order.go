package neutral

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSpan = 70 // bytes that the words of an order may lie apart
	spelled = 6  // single letters in a row that spell a word
)

// isOrder reports whether a sentence tells the model what to do, or is written in a way
// that only hides what it says: letters of two scripts in one word, or words spelled
// with blanks between their letters.
func isOrder(sentence string) bool {
	for word := range strings.FieldsSeq(sentence) {
		if mixed(word) {
			return true
		}
	}
	var buf [512]byte
	text, letters := plain(buf[:0], sentence)
	var hits [64]hit
	return letters >= spelled || ordered(appendHits(hits[:0], string(text)))
}

// hit is a place in a text where words of the table begin.
type hit struct {
	at      int
	notions uint64
}

// ordered reports whether words near each other meet a rule, each notion by a word of its own.
func ordered(hits []hit) bool {
	all := uint64(0)
	for _, h := range hits {
		all |= h.notions
	}
	for rule := range u32(0) {
		need, without := u64(4+16*rule), u64(12+16*rule)
		if need&^all != 0 {
			continue
		}
		for i, h := range hits {
			near, met := uint64(0), 0
			for j := i; j < len(hits) && hits[j].at-h.at <= maxSpan; j++ {
				near |= hits[j].notions
				if hits[j].notions&need != 0 {
					met++
				}
			}
			if need&^near != 0 || met < bits.OnesCount64(need) {
				continue
			}
			for j := i; j >= 0 && h.at-hits[j].at <= maxSpan; j-- {
				near |= hits[j].notions
			}
			if near&without == 0 {
				return true
			}
		}
	}
	return false
}

// appendHits appends where the words of the table begin in text, made by plain.
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

// wide reports whether a letter is of a script whose words the table has without blanks.
func wide(r rune) bool {
	return 0x3040 <= r && r <= 0x30ff || 0x3400 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3
}

// plain appends the words of a sentence, folded, with a blank before and behind each one,
// but none between letters of a script that the table has without them; sentenceEnd is
// the last byte. Figures among the letters of a word are read as letters, as in "1gn0re".
// It also returns how many words of one letter follow each other at most.
func plain(to []byte, sentence string) (text []byte, letters int) {
	var (
		start             int // of the word, in to
		figures, lettered bool
		gap, before       = true, false // whether a word ended, and whether its last letter was wide
		single            int
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
		r = fold(r)
		letter := r >= 'a' && r <= 'z' || r >= 0x80 && (unicode.IsLetter(r) || unicode.Is(unicode.M, r))
		figure := !letter && (r == '@' || r == '$' || unicode.IsDigit(r))
		switch {
		case r == '\'' || r == '’': // don't is dont
			continue
		case !letter && !figure, figure && gap && (r == '@' || r == '$'):
			if !gap {
				end()
			}
			gap = true
			continue
		}
		w := wide(r)
		if gap || w != before {
			end()
			if !w || !before {
				to = append(to, ' ')
				start = len(to)
			}
		}
		gap, before = false, w
		figures, lettered = figures || figure, lettered || letter
		to = utf8.AppendRune(to, r)
	}
	end()
	if !before {
		to = append(to, ' ')
	}
	return append(to, sentenceEnd), letters
}

// asLetter returns the letter that a figure or sign stands for in words such as "p4$$word".
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
