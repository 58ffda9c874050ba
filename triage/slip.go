package triage

import (
	"strings"
	"unicode/utf8"
)

// The two-set keyboard (두벌식) puts a Hangul letter on each Latin key. A person
// who forgot to switch types "sp" for 네 and "ㅐㅏ" for "ok". The functions here
// undo that; the syllable arithmetic is that of the Unicode standard, 3.12.

// maxSlip is the length of the longest text that is tried as typed with the
// wrong keyboard; a longer one would have been noticed.
const maxSlip = 60

const (
	initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
	vowels   = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
	finals   = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ" // a syllable without final has index 0, ㄱ has 1

	jamoBytes = 3 // of a letter in UTF-8
)

// slipped is conversation for a text typed with the wrong keyboard.
func slipped(text string) (Kind, bool) {
	if strings.IndexFunc(text, isHangul) >= 0 {
		if strings.IndexFunc(text, isVowel) < 0 {
			return Search, false
		}
		if k, ok := conversation(compose([]rune(text))); ok {
			return k, true
		}
		return conversation(toLatin(text))
	}
	if slipChat(text) {
		return Ack, true
	}
	h, ok := toHangul(text)
	if !ok || strings.IndexFunc(h, func(r rune) bool { return isJamo(r) || isDigit(r) }) >= 0 || utf8.RuneCountInString(h) < 2 {
		return Search, false
	}
	return conversation(h)
}

// slipChat reports a chat abbreviation typed without switching the keyboard:
// "dz" for ㅇㅋ. Only the commonest: most pairs of letters mean something else.
func slipChat(text string) bool {
	switch strings.TrimRight(strings.ToLower(text), " .!~?") {
	case "dz", "dzdz", "dz dz", "dzez", // ㅇㅋ
		"sp", "sp sp", "spq", // 네, 넵
		"dmd",        // 응
		"dd", "dddd", // ㅇㅇ
		"rr", "rrrr", // ㄱㄱ
		"rt", "rtrt", // ㄱㅅ
		"zz", "zzz", "zzzz", "zzzzz", "zzzzzz": // ㅋㅋ
		return true
	}
	return false
}

func isVowel(r rune) bool { return 'ㅏ' <= r && r <= 'ㅣ' }

// keyJamo returns the Hangul letter on a key, 0 when there is none.
func keyJamo(c byte) rune {
	switch c {
	case 'R':
		return 'ㄲ'
	case 'E':
		return 'ㄸ'
	case 'Q':
		return 'ㅃ'
	case 'T':
		return 'ㅆ'
	case 'W':
		return 'ㅉ'
	case 'O':
		return 'ㅒ'
	case 'P':
		return 'ㅖ'
	}
	const keys = "ㅁㅠㅊㅇㄷㄹㅎㅗㅑㅓㅏㅣㅡㅜㅐㅔㅂㄱㄴㅅㅕㅍㅈㅌㅛㅋ" // a to z
	if c |= 0x20; c < 'a' || c > 'z' {
		return 0
	}
	i := int(c-'a') * jamoBytes
	r := []rune(keys[i : i+jamoBytes])
	return r[0]
}

// pair returns the compound letter of two that are typed one after the other.
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
	case [2]rune{'ㄹ', 'ㅎ'}:
		return 'ㅀ'
	case [2]rune{'ㅂ', 'ㅅ'}:
		return 'ㅄ'
	}
	return 0
}

func index(set string, r rune) int {
	if i := strings.IndexRune(set, r); i >= 0 {
		return i / jamoBytes
	}
	return -1
}

// compose joins letters that stand alone into syllables, as an input method
// does, and leaves other runes as they are.
func compose(letters []rune) string {
	var b strings.Builder
	for i := 0; i < len(letters); {
		l := index(initials, letters[i])
		if l < 0 || i+1 == len(letters) || index(vowels, letters[i+1]) < 0 {
			b.WriteRune(letters[i])
			i++
			continue
		}
		v := letters[i+1]
		i += 2
		if i < len(letters) {
			if p := pair(v, letters[i]); p != 0 && index(vowels, p) >= 0 {
				v = p
				i++
			}
		}
		t := 0
		if f, n := final(letters[i:]); n > 0 {
			t = index(finals, f) + 1
			i += n
		}
		b.WriteRune(rune(0xAC00 + (l*21+index(vowels, v))*28 + t))
	}
	return b.String()
}

// final returns the final consonant that the letters after a vowel begin with,
// and how many letters it takes: none when that consonant opens the next
// syllable.
func final(rest []rune) (rune, int) {
	vowelAt := func(i int) bool { return i < len(rest) && index(vowels, rest[i]) >= 0 }
	if len(rest) == 0 || index(finals, rest[0]) < 0 || vowelAt(1) {
		return 0, 0
	}
	if len(rest) > 1 && !vowelAt(2) {
		if p := pair(rest[0], rest[1]); p != 0 {
			return p, 2
		}
	}
	return rest[0], 1
}

// toHangul returns what the keys of s type with the Korean keyboard on, and
// false when s has other letters than Latin.
func toHangul(s string) (string, bool) {
	letters := make([]rune, 0, len(s))
	for _, r := range s {
		if r < 0x80 {
			if j := keyJamo(byte(r)); j != 0 {
				r = j
			}
		} else if isWord(r) {
			return "", false
		}
		letters = append(letters, r)
	}
	return compose(letters), true
}

// toLatin returns the keys that type s with the Korean keyboard on.
func toLatin(s string) string {
	var b strings.Builder
	key := func(r rune) {
		for c := byte('a'); c <= 'z'; c++ {
			if keyJamo(c) == r {
				b.WriteByte(c)
				return
			}
		}
		for _, c := range []byte("REQTWOP") {
			if keyJamo(c) == r {
				b.WriteByte(c | 0x20)
				return
			}
		}
		for a := byte('a'); a <= 'z'; a++ {
			for c := byte('a'); c <= 'z'; c++ {
				if pair(keyJamo(a), keyJamo(c)) == r {
					b.WriteByte(a)
					b.WriteByte(c)
					return
				}
			}
		}
		b.WriteRune(r)
	}
	at := func(set string, i int) rune { return []rune(set[i*jamoBytes : (i+1)*jamoBytes])[0] }
	for _, r := range s {
		switch {
		case isSyllable(r):
			n := int(r - 0xAC00)
			key(at(initials, n/28/21))
			key(at(vowels, n/28%21))
			if t := n % 28; t > 0 {
				key(at(finals, t-1))
			}
		case isJamo(r):
			key(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// jamoClass returns the class of a run of Hangul letters that stand alone: a
// chat abbreviation such as ㅇㅋ, a laugh or a cry (which also ends a clause),
// or 0 when it has vowels and so is part of a word.
func jamoClass(s string) class {
	if strings.Trim(s, "ㅋㅎㅠㅜㅡㅍㅊㅌ") == "" {
		if strings.Trim(s, "ㅊ") == "" { // ㅊㅊ: congratulations
			return answer | noun
		}
		return answer | turn | noun
	}
	for _, r := range s {
		if isVowel(r) && r != 'ㅠ' && r != 'ㅜ' && r != 'ㅡ' {
			return 0
		}
	}
	switch {
	case strings.HasPrefix(s, "ㅎㅇ"), strings.HasPrefix(s, "ㅂㅂ"), strings.HasPrefix(s, "ㅂㅇ"), strings.HasPrefix(s, "ㅃ"), strings.HasPrefix(s, "ㅇㄴ"), strings.HasPrefix(s, "ㅂㄱ"), strings.HasPrefix(s, "ㅌㄱ"), strings.HasPrefix(s, "ㄱㅁㄴ"):
		return greet | lead | noun
	case strings.HasPrefix(s, "ㄱㅅ"), strings.HasPrefix(s, "ㄳ"), strings.HasPrefix(s, "ㅅㄱ"), strings.HasPrefix(s, "ㅆㄱ"), strings.HasPrefix(s, "ㄸㅋ"):
		return thank | lead | noun
	}
	return answer | lead | noun
}
