package neutral

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// An order is recognised by words in sequence (orders.go). Each step of a pattern
// is a list of alternatives separated by "|"; a word meets an alternative when it equals
// it, or begins with it where the alternative ends in "*". Between two steps there may be
// up to orderGap other words. A step that begins with "^" must be met by the sentence's
// first word, and one that begins with "+" by the word right after the step before it.
//
// Languages that do not part words by blanks, and Korean, whose endings vary, have
// patterns of runs: each step's alternatives are texts, looked for in the sentence
// without blanks and marks, at most runGap characters apart.
const (
	orderGap = 3  // enough for "all of the very", too few to join two thoughts
	runGap   = 12 // characters
)

// isOrder reports whether a sentence tells the model what to do, or is written in a way
// that only hides what it says.
func isOrder(sentence string) bool {
	var buf [64]string
	words := appendWords(buf[:0], sentence)
	if inWords(words) || disguised(sentence, words) {
		return true
	}
	return inRuns(strings.Join(words, ""))
}

func inWords(words []string) bool {
	begin := beginnings()
	for i, word := range words {
		if len(words)-i < 2 { // no order is shorter
			return false
		}
		for at, set := range begin[start(word)] {
			for ; set != 0; set &= set - 1 {
				steps := orders[at*64+bits.TrailingZeros64(set)]
				if steps[0][0] == '^' && i > 0 {
					continue
				}
				if meets(word, steps[0]) && follow(words[i+1:], steps[1:]) {
					return true
				}
			}
		}
	}
	return false
}

// patternSet is a set of patterns, by their numbers in orders.
type patternSet [(len(orders) + 63) / 64]uint64

// starts is how many numbers start makes.
const starts = 512

// start is a number made from a word's first three bytes, less than starts.
func start(word string) int {
	n := 0
	for i := range min(len(word), 3) {
		n = n*37 + int(word[i])
	}
	return n % starts
}

// beginnings are the patterns whose first step a word may meet, by the word's start.
var beginnings = sync.OnceValue(func() *[starts]patternSet {
	var all [starts]patternSet
	for n, steps := range orders {
		for alt := range strings.SplitSeq(strings.TrimLeft(steps[0], "^+"), "|") {
			head, open := strings.CutSuffix(alt, "*")
			if open && len(head) < 3 {
				panic("a pattern begins with " + alt + ", too short to be looked up")
			}
			all[start(head)][n/64] |= 1 << (n % 64)
		}
	}
	return &all
})

// follow reports whether words meet steps in sequence.
func follow(words, steps []string) bool {
	if len(steps) == 0 {
		return true
	}
	gap := orderGap
	if steps[0][0] == '+' {
		gap = 0
	}
	for i := 0; i <= gap && i < len(words); i++ {
		if meets(words[i], steps[0]) && follow(words[i+1:], steps[1:]) {
			return true
		}
	}
	return false
}

// meets reports whether word is one of step's alternatives.
func meets(word, step string) bool {
	if step[0] == '^' || step[0] == '+' {
		step = step[1:]
	}
	for start := 0; start < len(step); {
		end := start
		for end < len(step) && step[end] != '|' {
			end++
		}
		if alt := step[start:end]; alt[0] == word[0] {
			head, open := strings.CutSuffix(alt, "*")
			if word == head || open && strings.HasPrefix(word, head) {
				return true
			}
		}
		start = end + 1
	}
	return false
}

// inRuns looks for the patterns of languages without blanks.
func inRuns(text string) bool {
	if strings.IndexFunc(text, wide) < 0 {
		return false
	}
	var held runeSet
	for _, r := range text {
		held.add(r)
	}
	for _, steps := range runs {
		if runsFrom(text, &held, steps, len(text)) {
			return true
		}
	}
	return false
}

// runeSet is a set of characters that may hold more than were added.
type runeSet [16]uint64

func (s *runeSet) add(r rune)      { s[r>>6&15] |= 1 << (r & 63) }
func (s *runeSet) has(r rune) bool { return s[r>>6&15]&(1<<(r&63)) != 0 }

// wide reports whether a letter is of a script that the patterns of runs are in.
func wide(r rune) bool {
	return 0x3040 <= r && r <= 0x30ff || 0x3400 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3
}

// runsFrom reports whether text, of the characters held, has steps in sequence, the first
// of which begins before byte limit.
func runsFrom(text string, held *runeSet, steps []string, limit int) bool {
	if len(steps) == 0 {
		return true
	}
	for alt := range strings.SplitSeq(steps[0], "|") {
		if r, _ := utf8.DecodeRuneInString(alt); !held.has(r) {
			continue
		}
		for from := 0; ; {
			i := strings.Index(text[from:], alt)
			if i < 0 || from+i > limit {
				break
			}
			end := from + i + len(alt)
			if runsFrom(text[end:], held, steps[1:], runGap*3) {
				return true
			}
			_, size := utf8.DecodeRuneInString(text[from+i:])
			from += i + size
		}
	}
	return false
}

// disguised reports letters of two scripts in one word, and words spelled with blanks
// between their letters: no filter can say what they mean, and no description needs them.
func disguised(sentence string, words []string) bool {
	for word := range strings.FieldsSeq(sentence) {
		if mixed(word) {
			return true
		}
	}
	single := 0
	for _, w := range words {
		if len(w) > 1 || w[0] < 'a' {
			single = 0
			continue
		}
		if single++; single >= 8 {
			return true
		}
	}
	return false
}

// digits are the letters that figures and signs stand for in words such as "1gn0re".
const digits = "o|i|z|e|a|s|g|t|b|g"

// appendWords appends the words of text, folded. A word with figures among its letters
// is read as if they were letters.
func appendWords(words []string, text string) []string {
	var b strings.Builder
	letters, figures := false, false
	flush := func() {
		if b.Len() == 0 {
			return
		}
		word := b.String()
		if letters && figures {
			word = strings.Map(func(r rune) rune {
				switch {
				case '0' <= r && r <= '9':
					return rune(digits[2*(r-'0')])
				case r == '@':
					return 'a'
				case r == '$':
					return 's'
				}
				return r
			}, word)
		}
		if word = strings.Trim(word, "@$"); word != "" {
			words = append(words, word)
		}
		b.Reset()
		letters, figures = false, false
	}
	for _, r := range text {
		r = fold(r)
		switch {
		case unicode.IsLetter(r) || unicode.Is(unicode.M, r):
			letters = true
			b.WriteRune(r)
		case unicode.IsDigit(r) || r == '@' || r == '$':
			figures = true
			b.WriteRune(r)
		case r == '\'' || r == '’':
			// don't is dont
		default:
			flush()
		}
	}
	flush()
	return words
}
