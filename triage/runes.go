package triage

import (
	"unicode"

	"github.com/skillgate/skillgate/synonyms/lang/script"
)

func korean(r rune) bool { return script.Syllable(r) || script.Letter(r) }

func isLatin(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return r < 0x250 && r >= 0xC0 && r != '×' && r != '÷' || isWideLatin(r)
}

func isWideLatin(r rune) bool { return 'Ａ' <= r && r <= 'Ｚ' || 'ａ' <= r && r <= 'ｚ' }

func isDigit(r rune) bool { return '0' <= r && r <= '9' || '０' <= r && r <= '９' }

func isWord(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return korean(r) || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func narrow(r rune) rune {
	if '！' <= r && r <= '～' {
		r -= 0xFEE0
	}
	if 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}

// invisible reports whether r is a control or format character that is not displayed: zero-width and bidirectional
// marks, soft hyphen, byte order mark, Hangul fillers and the C1 control range.
func invisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r <= 0x9F, r == 0xAD, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x180E, r == 0x3164, r == 0xFFA0:
		return true
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return r == 0xFEFF || r == 0xFE0E || r == 0xFE0F
}

// combining reports whether NFC may join r with the previous rune: combining marks and conjoining Hangul letters.
func combining(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r <= 0x36F, 0x1100 <= r && r <= 0x11FF, 0x3099 <= r && r <= 0x309A:
		return true
	}
	return 0xA960 <= r && r <= 0xA97F || 0xD7B0 <= r && r <= 0xD7FF
}

func wordy(s string) bool {
	for _, r := range s {
		if isWord(r) {
			return true
		}
	}
	return false
}
