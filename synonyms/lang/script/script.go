// Package script distinguishes the scripts that the program treats differently. It is the only place that defines
// which runes are Hangul, kana or Han.
package script

import "unicode"

// FirstSyllable and lastSyllable bound the precomposed Hangul syllables, which are ordered by 19 initials, 21 vowels
// and 28 finals. The first final stands for none.
const (
	FirstSyllable = '가'
	lastSyllable  = '힣'
)

// Hangul reports whether r is a Hangul syllable or letter, including obsolete ones.
func Hangul(r rune) bool {
	return r >= 0x1100 && (r <= lastSyllable && r >= FirstSyllable || r >= 0x3131 && r <= 0x318E || r <= 0x11FF)
}

// Syllable reports whether r is a precomposed Hangul syllable.
func Syllable(r rune) bool { return FirstSyllable <= r && r <= lastSyllable }

// Letter reports whether r is a single modern Hangul letter, as in ㅇㅋ or ㅠㅠ.
func Letter(r rune) bool { return 'ㄱ' <= r && r <= 'ㅣ' }

// Kana reports whether r is Hiragana or Katakana, or one of their marks.
func Kana(r rune) bool { return 0x3041 <= r && r <= 0x30FF }

// Hiragana reports whether r is a Hiragana letter. Japanese grammar is written in Hiragana.
func Hiragana(r rune) bool { return 0x3041 <= r && r <= 0x3096 }

// Katakana reports whether r is a Katakana letter or the mark of a long vowel. Japanese writes foreign words in
// Katakana.
func Katakana(r rune) bool { return 0x30A1 <= r && r <= 0x30FA || r == 'ー' }

// Spaceless reports whether r belongs to a script without spaces between words.
func Spaceless(r rune) bool { return Kana(r) || Han(r) }

// Han reports whether r is a Chinese character, as also used in Japanese.
func Han(r rune) bool { return r >= 0x2E80 && !Syllable(r) && unicode.Is(unicode.Han, r) }

// Latin reports whether r is a Latin letter, with or without diacritics.
func Latin(r rune) bool { return unicode.Is(unicode.Latin, r) }
