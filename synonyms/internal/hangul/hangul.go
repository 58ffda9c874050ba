// Package hangul converts Korean text into a sequence of one-byte letters (jamo) and back.
//
// A precomposed syllable is two or three letters: an initial (1..19), a vowel (20..40) and an optional final
// (41..67), so that a stem such as 고치 is a prefix of 고친. Decomposed text (NFD) and separately typed letters of a
// syllable (ㄱㅗ) give the same letters. A single compatibility letter (ㅋ) is 70..120, and an ASCII character is 128
// plus its value. Other characters have no code.
//
// Typed letters are compatibility letters, U+3131 ㄱ to U+3163 ㅣ. A person who forgot to switch the keyboard (두벌식)
// types "dprtpf" for 엑셀; FromKeys decodes that. The arithmetic of syllables follows the Unicode standard, section 3.12.
package hangul

import (
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
)

const (
	vowels = 21
	finals = 28 // number of finals, counting the absence of one

	firstInitial = 1
	firstVowel   = 20
	firstFinal   = 41
	firstLone    = 70
	firstASCII   = 128

	// LastLetter is the highest code of a letter in a syllable.
	LastLetter = firstLone - 1
	// Space is the code of a space.
	Space = firstASCII + ' '
	// FinalL is the final ㄹ.
	FinalL       = firstFinal + 7
	finalN       = firstFinal + 3
	finalB       = firstFinal + 16
	finalSingleS = firstFinal + 18
	// SilentInitial is the initial ㅇ of a syllable without an initial consonant.
	SilentInitial = firstInitial + 11
)

// Letters that indicate loan words.
const (
	initialG, initialGG, initialN, initialD, initialDD = firstInitial, firstInitial + 1, firstInitial + 2,
		firstInitial + 3, firstInitial + 4
	initialR, initialM, initialB, initialBB, initialS = firstInitial + 5, firstInitial + 6, firstInitial + 7,
		firstInitial + 8, firstInitial + 9
	initialSS, initialJ, initialJJ, initialCH = firstInitial + 10, firstInitial + 12, firstInitial + 13,
		firstInitial + 14
	initialK, initialT, initialP, initialH = firstInitial + 15, firstInitial + 16, firstInitial + 17, firstInitial + 18

	vowelA, vowelAE                  = firstVowel, firstVowel + 1
	vowelEO, vowelE, vowelEU, vowelI = firstVowel + 4, firstVowel + 5, firstVowel + 18, firstVowel + 20
)

// IsInitial reports whether the letter c is an initial consonant.
func IsInitial(c byte) bool { return c >= firstInitial && c < firstVowel }

// IsVowel reports whether the letter c is a vowel.
func IsVowel(c byte) bool { return c >= firstVowel && c < firstFinal }

// IsFinal reports whether the letter c is a final consonant.
func IsFinal(c byte) bool { return c >= firstFinal && c < firstLone }

// Starts reports whether the letter c starts a syllable or is a single letter.
func Starts(c byte) bool { return c < firstVowel || c >= firstLone }

// DropsL reports whether a stem loses its final ㄹ before the letter c: 만드는, 만든, 만듭니다.
func DropsL(c byte) bool {
	switch c {
	case initialN, initialS, finalN, FinalL, finalB:
		return true
	}
	return false
}

// Light reports whether l starts like a form of the light verbs 하다 and 드리다.
func Light(l []Letter) bool {
	if len(l) < 2 {
		return false
	}
	switch l[0].Code {
	case initialH:
		return l[1].Code == vowelA || l[1].Code == vowelAE
	case initialD:
		return l[1].Code == vowelEU
	}
	return false
}

// Lower returns the code of the lower-case letter if c is the code of an ASCII capital, and otherwise c.
func Lower(c byte) byte {
	if c >= firstASCII+'A' && c <= firstASCII+'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Has reports whether the Hangul rune r has a code. Obsolete letters, such as ㆍ, have none.
func Has(r rune) bool {
	return script.Syllable(r) || script.Letter(r) || r >= 0x1100 && r <= 0x1112 || r >= 0x1161 && r <= 0x1175 ||
		r >= 0x11A8 && r <= 0x11C2
}

// Letter is one letter of a text with the position of the character that contains it.
type Letter struct {
	Code       byte
	Start, End int32
}

// Append appends the letters of text to dst. Characters without a code are left out.
func Append(dst []Letter, text string) []Letter {
	first := len(dst)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		s, e := int32(i), int32(i+n)
		i += n
		switch {
		case script.Syllable(r):
			r -= script.FirstSyllable
			dst = append(dst, Letter{byte(firstInitial + r/(vowels*finals)), s, e},
				Letter{byte(firstVowel + r/finals%vowels), s, e})
			if t := r % finals; t != 0 {
				dst = append(dst, Letter{byte(firstFinal + t - 1), s, e})
			}
		case r >= 0x1100 && r <= 0x1112:
			dst = append(dst, Letter{byte(firstInitial + r - 0x1100), s, e})
		case r >= 0x1161 && r <= 0x1175:
			dst = append(dst, Letter{byte(firstVowel + r - 0x1161), s, e})
		case r >= 0x11A8 && r <= 0x11C2:
			dst = append(dst, Letter{byte(firstFinal + r - 0x11A8), s, e})
		case script.Letter(r):
			dst = append(dst, Letter{byte(firstLone + r - 0x3131), s, e})
		case r < utf8.RuneSelf:
			dst = append(dst, Letter{byte(firstASCII + r), s, e})
		}
	}
	return compose(dst, first)
}

func compose(l []Letter, first int) []Letter {
	lone := func(i int) (c int, consonant, vowel bool) {
		if i >= len(l) || l[i].Code < firstLone || l[i].Code >= firstASCII {
			return 0, false, false
		}
		c = int(l[i].Code - firstLone)
		return c, c < 30, c >= 30
	}
	initial := func(c int) int { return Initial('ㄱ' + rune(c)) }
	for i := first; i < len(l); i++ {
		c, consonant, _ := lone(i)
		v, _, vowel := lone(i + 1)
		if !consonant || !vowel || initial(c) < 0 {
			continue
		}
		l[i].Code = byte(firstInitial + initial(c))
		l[i+1].Code = byte(firstVowel + v - 30)
		i++
		f, final, _ := lone(i + 1)
		_, _, next := lone(i + 2)
		if t := Final('ㄱ' + rune(f)); final && t > 0 && !(next && initial(f) >= 0) {
			l[i+1].Code = byte(firstFinal + t - 1)
			i++
		}
	}
	return l
}

// Codes appends the letter codes of text to dst.
func Codes(dst []byte, text string) []byte {
	var room [96]Letter
	for _, l := range Append(room[:0], text) {
		dst = append(dst, l.Code)
	}
	return dst
}

// Syllables counts the syllables and single letters in codes.
func Syllables(codes []byte) int {
	n := 0
	for _, c := range codes {
		if Starts(c) {
			n++
		}
	}
	return n
}

// Foreign reports whether the syllable at l[i] does not occur in Sino-Korean words, to which most technical words
// belong. Such a syllable indicates a loan word or a native word: 스, 커, 테, 릿, 빠.
func Foreign(l []Letter, i int) bool {
	if i+1 >= len(l) || !IsInitial(l[i].Code) || !IsVowel(l[i+1].Code) {
		return true
	}
	final := byte(0)
	if i+2 < len(l) && IsFinal(l[i+2].Code) {
		final = l[i+2].Code
	}
	initial, vowel := l[i].Code, l[i+1].Code
	if final == finalSingleS {
		return true
	}
	switch initial {
	case initialGG, initialDD, initialBB, initialSS, initialJJ, initialK:
		return true
	}
	switch vowel {
	case vowelEU:
		return final == 0 && initial != SilentInitial
	case vowelE:
		return initial != initialG && initial != initialS && initial != initialJ && initial != initialCH || final != 0
	case vowelI:
		return initial == initialD || initial == initialT
	case vowelEO:
		return final == 0 && (initial == initialN || initial == initialD || initial == initialR ||
			initial == initialM || initial == initialB || initial == initialT || initial == initialP)
	}
	return false
}

// String returns the text of codes: syllables if possible, single letters otherwise.
func String(codes []byte) string {
	var b []byte
	for i := 0; i < len(codes); i++ {
		c := codes[i]
		switch {
		case IsInitial(c) && i+1 < len(codes) && IsVowel(codes[i+1]):
			r := (rune(c-firstInitial)*vowels + rune(codes[i+1]-firstVowel)) * finals
			i++
			if i+1 < len(codes) && IsFinal(codes[i+1]) {
				i++
				r += rune(codes[i]-firstFinal) + 1
			}
			b = utf8.AppendRune(b, script.FirstSyllable+r)
		case IsInitial(c):
			b = utf8.AppendRune(b, 0x1100+rune(c-firstInitial))
		case IsVowel(c):
			b = utf8.AppendRune(b, 0x1161+rune(c-firstVowel))
		case IsFinal(c):
			b = utf8.AppendRune(b, 0x11A8+rune(c-firstFinal))
		case c >= firstASCII:
			b = append(b, c-firstASCII)
		case c >= firstLone && c <= firstLone+0x32:
			b = utf8.AppendRune(b, 0x3131+rune(c-firstLone))
		}
	}
	return string(b)
}
