// Package script distinguishes the scripts that the program treats differently. It is the only place that defines
// which runes are Hangul, kana or Han.
package script

import "unicode"

// FirstSyllable and lastSyllable bound the precomposed Hangul syllables. They are ordered by 19 initials, 21 vowels
// and 28 finals, the first of which is none.
const (
	FirstSyllable = '가'
	lastSyllable  = '힣'
)

// Hangul reports a Hangul syllable or letter, including those of old texts.
func Hangul(r rune) bool {
	return r >= 0x1100 && (r <= lastSyllable && r >= FirstSyllable || r >= 0x3131 && r <= 0x318E || r <= 0x11FF)
}

// Syllable reports a precomposed Hangul syllable.
func Syllable(r rune) bool { return FirstSyllable <= r && r <= lastSyllable }

// Letter reports a single modern Hangul letter, as in ㅇㅋ or ㅠㅠ.
func Letter(r rune) bool { return 'ㄱ' <= r && r <= 'ㅣ' }

// Kana reports Hiragana and Katakana with their marks.
func Kana(r rune) bool { return 0x3041 <= r && r <= 0x30FF }

// Hiragana reports the Hiragana letters, in which Japanese grammar is written.
func Hiragana(r rune) bool { return 0x3041 <= r && r <= 0x3096 }

// Katakana reports the Katakana letters and the mark of a long vowel, in which Japanese writes foreign words.
func Katakana(r rune) bool { return 0x30A1 <= r && r <= 0x30FA || r == 'ー' }

// Spaceless reports the letters of scripts that put no spaces between words.
func Spaceless(r rune) bool { return Kana(r) || Han(r) }

// Han reports the characters of Chinese and Japanese.
func Han(r rune) bool { return r >= 0x2E80 && !Syllable(r) && unicode.Is(unicode.Han, r) }

// Latin reports a Latin letter, with or without marks.
func Latin(r rune) bool { return unicode.Is(unicode.Latin, r) }
