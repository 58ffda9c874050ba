package hangul

import "github.com/skillgate/skillgate/synonyms/lang/script"

// initialOf has the position of each consonant among the initials, or -1 if the consonant can only be a final.
var initialOf = [30]int8{0, 1, -1, 2, -1, -1, 3, 4, 5, -1, -1, -1, -1, -1, -1, -1, 6, 7, 8, -1, 9, 10, 11, 12, 13, 14,
	15, 16, 17, 18}

// finalOf has the position of each consonant among the finals, or 0 if the consonant can only be an initial.
var finalOf = [30]int8{1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0, 18, 19, 20, 21, 22, 0, 23, 24,
	25, 26, 27}

func consonant(r rune) bool { return r >= 'ㄱ' && r <= 'ㅎ' }

func vowel(r rune) bool { return r >= 'ㅏ' && r <= 'ㅣ' }

// Initial returns the position of letter among the initials, from 0 for ㄱ to 18 for ㅎ, or -1.
func Initial(letter rune) int {
	if !consonant(letter) {
		return -1
	}
	return int(initialOf[letter-'ㄱ'])
}

// Final returns the position of letter among the finals, from 1 for ㄱ to 27 for ㅎ, or 0.
func Final(letter rune) int {
	if !consonant(letter) {
		return 0
	}
	return int(finalOf[letter-'ㄱ'])
}

// pair joins two letters that were typed separately, vowels (ㅗㅏ to ㅘ) or final consonants (ㄱㅅ to ㄳ). It returns 0 if
// they cannot be joined.
func pair(a, b rune) rune {
	switch [2]rune{a, b} {
	case [2]rune{'ㅗ', 'ㅏ'}:
		return 'ㅘ'
	case [2]rune{'ㅗ', 'ㅐ'}:
		return 'ㅙ'
	case [2]rune{'ㅗ', 'ㅣ'}:
		return 'ㅚ'
	case [2]rune{'ㅜ', 'ㅓ'}:
		return 'ㅝ'
	case [2]rune{'ㅜ', 'ㅔ'}:
		return 'ㅞ'
	case [2]rune{'ㅜ', 'ㅣ'}:
		return 'ㅟ'
	case [2]rune{'ㅡ', 'ㅣ'}:
		return 'ㅢ'
	case [2]rune{'ㄱ', 'ㅅ'}:
		return 'ㄳ'
	case [2]rune{'ㄴ', 'ㅈ'}:
		return 'ㄵ'
	case [2]rune{'ㄴ', 'ㅎ'}:
		return 'ㄶ'
	case [2]rune{'ㄹ', 'ㄱ'}:
		return 'ㄺ'
	case [2]rune{'ㄹ', 'ㅁ'}:
		return 'ㄻ'
	case [2]rune{'ㄹ', 'ㅂ'}:
		return 'ㄼ'
	case [2]rune{'ㄹ', 'ㅅ'}:
		return 'ㄽ'
	case [2]rune{'ㄹ', 'ㅌ'}:
		return 'ㄾ'
	case [2]rune{'ㄹ', 'ㅍ'}:
		return 'ㄿ'
	case [2]rune{'ㄹ', 'ㅎ'}:
		return 'ㅀ'
	case [2]rune{'ㅂ', 'ㅅ'}:
		return 'ㅄ'
	}
	return 0
}

// syllable returns the syllable at the start of letters, composed as an input method would compose it, and the number
// of its letters, which is 0 if there is no syllable.
func syllable(letters []rune) (r rune, n int) {
	at := func(i int) rune {
		if i < len(letters) {
			return letters[i]
		}
		return 0
	}
	if Initial(at(0)) < 0 || !vowel(at(1)) {
		return 0, 0
	}
	l, v, t := Initial(at(0)), at(1), 0
	n = 2
	if vowel(at(n)) {
		if p := pair(v, at(n)); p != 0 {
			v = p
			n++
		}
	}
	// A consonant before a vowel starts the next syllable.
	if f := at(n); Final(f) > 0 && !vowel(at(n+1)) {
		t = Final(f)
		n++
		if p := pair(f, at(n)); p != 0 && !vowel(at(n+1)) {
			t = Final(p)
			n++
		}
	}
	return script.FirstSyllable + (rune(l)*vowels+(v-'ㅏ'))*finals + rune(t), n
}
