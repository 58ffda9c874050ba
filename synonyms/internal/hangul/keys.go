package hangul

import "unicode/utf8"

// keys has the Hangul letter on each of the keys a to z.
var keys = [26]rune{'ㅁ', 'ㅠ', 'ㅊ', 'ㅇ', 'ㄷ', 'ㄹ', 'ㅎ', 'ㅗ', 'ㅑ', 'ㅓ', 'ㅏ', 'ㅣ', 'ㅡ', 'ㅜ',
	'ㅐ', 'ㅔ', 'ㅂ', 'ㄱ', 'ㄴ', 'ㅅ', 'ㅕ', 'ㅍ', 'ㅈ', 'ㅌ', 'ㅛ', 'ㅋ'}

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

// FromKeys returns the text that 2 to 64 Latin letters type on the Korean keyboard ("dprtpf" is 엑셀). ok is false
// unless every key belongs to a whole syllable.
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
