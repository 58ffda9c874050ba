package jamo

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
)

// keys gives the letter that each Latin key types, from a to z.
var keys = [26]rune{'ㅁ', 'ㅠ', 'ㅊ', 'ㅇ', 'ㄷ', 'ㄹ', 'ㅎ', 'ㅗ', 'ㅑ', 'ㅓ', 'ㅏ', 'ㅣ', 'ㅡ', 'ㅜ',
	'ㅐ', 'ㅔ', 'ㅂ', 'ㄱ', 'ㄴ', 'ㅅ', 'ㅕ', 'ㅍ', 'ㅈ', 'ㅌ', 'ㅛ', 'ㅋ'}

// shifted are the keys that type another letter with shift.
const shifted = "QWERTOP"

// onKey returns the letter on a key, 0 where there is none. A capital without a
// letter of its own types the same as its small form.
func onKey(c byte) rune {
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
	if c |= 0x20; c < 'a' || c > 'z' {
		return 0
	}
	return keys[c-'a']
}

// FromKeys returns what a run of 2 to 64 Latin letters types with the Korean
// keyboard on ("dprtpf" is 엑셀). It is false unless every key belongs to a whole
// syllable.
func FromKeys(run string) (string, bool) {
	const most = 64
	if len(run) < 2 || len(run) > most {
		return "", false
	}
	var room [most]rune
	letters := room[:len(run)]
	for i := range letters {
		c := run[i] | 0x20
		if c < 'a' || c > 'z' {
			return "", false
		}
		letters[i] = onKey(run[i])
	}
	var out []byte
	for len(letters) > 0 {
		r, n := syllable(letters)
		if n == 0 {
			return "", false
		}
		out = utf8.AppendRune(out, r)
		letters = letters[n:]
	}
	return string(out), true
}

// Hangul returns what the keys of text type with the Korean keyboard on. Runes that
// are on no letter key stay.
func Hangul(text string) string {
	letters := make([]rune, 0, len(text))
	for _, r := range text {
		if r < utf8.RuneSelf {
			if letter := onKey(byte(r)); letter != 0 {
				r = letter
			}
		}
		letters = append(letters, r)
	}
	return Compose(letters)
}

// Latin returns the keys, in small letters, that type text with the Korean keyboard
// on. Runes that are not Hangul stay.
func Latin(text string) string {
	var b strings.Builder
	for _, r := range text {
		if !script.Syllable(r) {
			writeKeys(&b, r)
			continue
		}
		n := r - script.FirstSyllable
		writeKeys(&b, letterAt(initialOf[:], int8(n/finals/vowels)))
		writeKeys(&b, 'ㅏ'+n/finals%vowels)
		if t := n % finals; t > 0 {
			writeKeys(&b, letterAt(finalOf[:], int8(t)))
		}
	}
	return b.String()
}

// letterAt returns the consonant with that place in a syllable.
func letterAt(places []int8, place int8) rune {
	for i, p := range places {
		if p == place {
			return 'ㄱ' + rune(i)
		}
	}
	return 0
}

// writeKeys writes the keys that type r, or r itself where it is not a letter.
func writeKeys(b *strings.Builder, r rune) {
	if !consonant(r) && !vowel(r) {
		b.WriteRune(r)
		return
	}
	for i, letter := range keys {
		if letter == r {
			b.WriteByte('a' + byte(i))
			return
		}
	}
	for _, c := range []byte(shifted) {
		if onKey(c) == r {
			b.WriteByte(c | 0x20)
			return
		}
	}
	for i, first := range keys {
		for j, second := range keys {
			if pair(first, second) == r {
				b.WriteByte('a' + byte(i))
				b.WriteByte('a' + byte(j))
				return
			}
		}
	}
	b.WriteRune(r)
}
