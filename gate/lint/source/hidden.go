package source

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Hidden reports whether r is a zero-width character, a bidirectional control, a tag character or a variation selector.
func Hidden(r rune) bool {
	return r >= 0xAD && (Bidirectional(r) || ZeroWidth(r) || Tag(r) || r >= 0xE0100 && r <= 0xE01EF)
}

// Bidirectional reports whether r changes the direction of the text around it.
func Bidirectional(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

// ZeroWidth reports whether r has no width and does not change the direction of text.
func ZeroWidth(r rune) bool {
	switch r {
	case 0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180E, 0x200B, 0x200C, 0x200D,
		0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x3164, 0xFEFF, 0xFFA0:
		return true
	}
	return r >= 0x206A && r <= 0x206F || r >= 0xFFF9 && r <= 0xFFFB || r >= 0x1D173 && r <= 0x1D17A
}

// Tag reports whether r is a tag character, an invisible counterpart of ASCII.
func Tag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }

// Selector reports whether r is a variation selector.
func Selector(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF }

// Belongs reports whether the hidden character at text[i:] is part of ordinary writing, such as a joiner in an emoji,
// the tags of a flag, or the byte order mark at the start of a file.
func Belongs(text string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
	switch {
	case r == 0xFEFF:
		return i == 0
	case r == 0x200D || r == 0x200C:
		return pictorial(before) || pictorial(after) || joins(before) && joins(after)
	case r == 0x200B:
		return unspaced(before) && unspaced(after)
	case Selector(r):
		return i > 0 && !Selector(before)
	case Tag(r):
		return inFlag(text, i)
	case r == 0x115F || r == 0x1160:
		return before >= 0x1100 && before <= 0x11FF || after >= 0x1100 && after <= 0x11FF
	case r == 0x200E || r == 0x200F || r == 0x061C:
		return rightToLeft(before) || rightToLeft(after)
	}
	return false
}

var flag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^🏴[\x{E0030}-\x{E0039}\x{E0061}-\x{E007A}]{1,6}\x{E007F}`)
})

// inFlag reports whether the tag character at text[i:] is part of a flag: a black flag, a region's code and an end tag.
func inFlag(text string, i int) bool {
	from := max(0, i-len("🏴")*8)
	start := strings.LastIndex(text[from:i], "🏴")
	return start >= 0 && i < from+start+len(flag().FindString(text[from+start:]))
}

func pictorial(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == 0xFE0F || r >= 0x2190 && r <= 0x21FF ||
		r >= 0x2B00 && r <= 0x2BFF
}

func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Gujarati, unicode.Gurmukhi,
		unicode.Oriya, unicode.Myanmar)
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Tibetan, unicode.Javanese,
		unicode.Balinese)
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana)
}
