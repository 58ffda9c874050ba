package neutral

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
)

const (
	shortestCode = 16 // minimum length of an encoded word, in bytes
	strangeJamo  = 6  // minimum number of single Hangul letters in a hidden sentence, at least four of them different
	turnedUp     = 3  // minimum number of upside-down letters in a hidden sentence
)

var modern = []*unicode.RangeTable{unicode.Latin, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Common, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari,
	unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Gujarati, unicode.Gurmukhi,
	unicode.Oriya, unicode.Sinhala, unicode.Khmer, unicode.Lao, unicode.Myanmar, unicode.Tibetan, unicode.Georgian,
	unicode.Armenian, unicode.Ethiopic, unicode.Mongolian, unicode.Thaana, unicode.Bopomofo}

// hides reports whether no filter can judge the sentence, because its words are in a script that no modern language
// uses, in mixed scripts, in single Hangul letters, upside down, or encoded.
func hides(sentence string) bool {
	if !strings.ContainsFunc(sentence, func(r rune) bool { return r >= 0x80 }) {
		return slices.ContainsFunc(strings.Fields(sentence), encodes)
	}
	letters, unread, turned, jamo := 0, 0, 0, map[rune]int{}
	for _, r := range sentence {
		switch {
		case 0x3131 <= r && r <= 0x318e, 0xffa1 <= r && r <= 0xffdc:
			jamo[r]++
		case 0x2801 <= r && r <= 0x28ff: // Braille
			unread++
			letters++
		case strings.ContainsRune("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ", r):
			turned++
		}
		if unicode.IsLetter(r) {
			letters++
			if r >= 0x80 && !unicode.In(r, modern...) {
				unread++
			}
		}
	}
	count := 0
	for _, n := range jamo {
		count += n
	}
	return unread*3 > letters || turned >= turnedUp || count >= strangeJamo && len(jamo) > 3 ||
		mixed(sentence) || slices.ContainsFunc(strings.Fields(sentence), encodes)
}

func encodes(word string) bool {
	if len(word) < shortestCode {
		return false
	}
	escapes := 0
	for _, start := range [...]string{"&#", `\u00`, `\x`, "%2", "%6", "%7"} {
		escapes += strings.Count(word, start)
	}
	if escapes > 3 {
		return true
	}
	word = strings.Trim(word, "\"'`()[]{}<>.,;:!?=‹›")
	if text, err := hex.DecodeString(strings.TrimPrefix(word, "0x")); err == nil && isText(string(text)) {
		return true
	}
	for _, code := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if text, err := code.DecodeString(word); err == nil && isText(string(text)) {
			return true
		}
	}
	return false
}

func isText(s string) bool {
	letters := 0
	for _, r := range s {
		if !unicode.IsPrint(r) && r != '\n' || r == unicode.ReplacementChar {
			return false
		}
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	return letters*5 >= len([]rune(s))*4 && strings.Contains(s, " ")
}

// english reports whether the sentence has at least two English words that are common in orders.
func english(sentence string) bool {
	before := false
	for word := range strings.FieldsSeq(sentence) {
		switch strings.ToLower(strings.Trim(word, ".,:;!?\"'()")) {
		case "the", "and", "for", "with", "from", "when", "use", "all", "you", "your", "user", "must", "now",
			"never", "always", "not", "any", "only", "this", "ignore", "previous", "prior", "instructions",
			"instruction", "rules", "system", "prompt", "print", "reveal", "reply", "answer", "follow", "tell",
			"send", "run", "delete", "execute", "forget", "disregard", "every", "that", "before", "above":
			if before {
				return true
			}
			before = true
		}
	}
	return false
}

// backwards reports whether judge takes the sentence for an order after its letters are reversed or rotated by 13
// places (ROT13). It judges only results that are English.
func backwards(sentence string, judge func(string) bool) bool {
	if english(sentence) {
		return false
	}
	letters := []rune(sentence)
	slices.Reverse(letters)
	moved := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, sentence)
	return slices.ContainsFunc([]string{string(letters), moved}, func(s string) bool { return english(s) && judge(s) })
}
