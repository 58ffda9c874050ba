package lint

import (
	"unicode"
	"unicode/utf8"
)

// hidden reports whether a character shows nothing and is not white space:
// zero-width characters, variation selectors' tags, bidirectional controls, and
// tag characters, which spell ASCII that nobody sees.
func hidden(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case bidirectional(r), zeroWidth(r), tag(r):
		return true
	}
	return false
}

// bidirectional reports whether r turns the direction of what follows.
func bidirectional(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

// zeroWidth reports whether r takes no room.
func zeroWidth(r rune) bool {
	switch r {
	case 0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x3164, 0xFEFF, 0xFFA0:
		return true
	}
	return false
}

// tag reports whether r is one of the tag characters.
func tag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }

// belongs reports whether the hidden character at text[i:] is part of ordinary
// writing: a joiner inside an emoji or between letters of a script that needs it,
// tags behind a black flag, a mark at the start of a file.
func belongs(text string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
	switch {
	case r == 0xFEFF:
		return i == 0
	case r == 0x200D || r == 0x200C:
		return pictorial(before) || pictorial(after) || joins(before) && joins(after)
	case tag(r):
		return before == 0x1F3F4 || tag(before)
	case r == 0x115F || r == 0x1160:
		return before >= 0x1100 && before <= 0x11FF || after >= 0x1100 && after <= 0x11FF
	case r == 0x200E || r == 0x200F || r == 0x061C:
		return rightToLeft(before) || rightToLeft(after)
	}
	return false
}

func pictorial(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == 0xFE0F || r >= 0x2190 && r <= 0x21FF || r >= 0x2B00 && r <= 0x2BFF
}

func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
		unicode.Sinhala, unicode.Khmer, unicode.Gujarati, unicode.Gurmukhi, unicode.Oriya, unicode.Myanmar)
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana)
}
