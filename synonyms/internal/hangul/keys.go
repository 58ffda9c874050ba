package hangul

import "unicode/utf8"

// key gives the compatibility letter that a Latin key types on the two-set
// (Dubeolsik) keyboard. Capitals that have no letter of their own type the
// same as their small form.
var key = [26]rune{'ㅁ', 'ㅠ', 'ㅊ', 'ㅇ', 'ㄷ', 'ㄹ', 'ㅎ', 'ㅗ', 'ㅑ', 'ㅓ', 'ㅏ', 'ㅣ', 'ㅡ', 'ㅜ', 'ㅐ', 'ㅔ', 'ㅂ', 'ㄱ', 'ㄴ', 'ㅅ', 'ㅕ', 'ㅍ', 'ㅈ', 'ㅌ', 'ㅛ', 'ㅋ'}

func shifted(c byte) rune {
	switch c {
	case 'Q':
		return 'ㅃ'
	case 'W':
		return 'ㅉ'
	case 'E':
		return 'ㄸ'
	case 'R':
		return 'ㄲ'
	case 'T':
		return 'ㅆ'
	case 'O':
		return 'ㅒ'
	case 'P':
		return 'ㅖ'
	}
	return key[c-'A']
}

// pair joins two letters typed one after the other into one: vowels (ㅗㅏ to
// ㅘ) and final consonants (ㄱㅅ to ㄳ).
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

// FromKeys decodes a run of Latin letters as typed on the two-set keyboard
// ("dprtpf" is 엑셀). It is false unless every key belongs to a whole syllable.
func FromKeys(run string) (string, bool) {
	const most = 64
	if len(run) < 2 || len(run) > most {
		return "", false
	}
	var letters [most]rune
	for i := range len(run) {
		switch c := run[i]; {
		case c >= 'a' && c <= 'z':
			letters[i] = key[c-'a']
		case c >= 'A' && c <= 'Z':
			letters[i] = shifted(c)
		default:
			return "", false
		}
	}
	vowel := func(i int) bool { return i < len(run) && letters[i] >= 'ㅏ' }
	consonant := func(i int) bool { return i < len(run) && letters[i] < 'ㅏ' }
	var out []byte
	for i := 0; i < len(run); {
		if !consonant(i) || !vowel(i+1) {
			return "", false
		}
		l, v, t := letters[i], letters[i+1], rune(0)
		i += 2
		if vowel(i) {
			if p := pair(v, letters[i]); p != 0 {
				v = p
				i++
			}
		}
		if consonant(i) && !vowel(i+1) && finalOf[letters[i]-'ㄱ'] > 0 {
			t = letters[i]
			i++
			if consonant(i) && !vowel(i+1) {
				if p := pair(t, letters[i]); p != 0 {
					t = p
					i++
				}
			}
		}
		if initialOf[l-'ㄱ'] < 0 {
			return "", false
		}
		r := syllables + (rune(initialOf[l-'ㄱ'])*vowels+(v-'ㅏ'))*finals
		if t != 0 {
			r += rune(finalOf[t-'ㄱ'])
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out), true
}
