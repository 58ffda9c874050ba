package neutral

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the plain lower-case Latin letter that r resembles, so that words in look-alike letters are recognized.
// Otherwise it returns r in lower case; Hangul, Han and kana stay unchanged.
func Fold(r rune) rune {
	switch {
	case r < 0x80:
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	case 0x2e80 <= r && r < 0xd7b0: // Han, kana, Hangul
		return r
	case 0xff01 <= r && r <= 0xff5e: // full width
		return Fold(r - 0xff01 + '!')
	case 0x1f1e6 <= r && r <= 0x1f1ff: // regional indicator symbols, used in flags
		return r - 0x1f1e6 + 'a'
	case 0x249c <= r && r <= 0x24b5: // letters in parentheses
		return r - 0x249c + 'a'
	case 0x1f110 <= r && r <= 0x1f129:
		return r - 0x1f110 + 'a'
	// squared and circled letters
	case 0x1f130 <= r && r <= 0x1f149, 0x1f150 <= r && r <= 0x1f169, 0x1f170 <= r && r <= 0x1f189:
		return (r-0x1f130)%32 + 'a'
	case 0xc0 <= r && r < 0x250, 0x1e00 <= r && r < 0x1f00: // accented letters
		first, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		if first < 0x80 {
			return Fold(first)
		}
	case 0x2070 <= r && r < 0x2200, 0x2460 <= r && r < 0x2500, 0x1d400 <= r && r < 0x1d800, r == 0xaa, r == 0xba,
		0x1d2c <= r && r < 0x1d6b, 0x1d9b <= r && r < 0x1dc0, 0x2b0 <= r && r <= 0x2b8,
		0x2e0 <= r && r <= 0x2e4: // mathematical, circled and superscript letters
		one, n := utf8.DecodeRuneInString(norm.NFKC.String(string(r)))
		if one < 0x80 && n == len(norm.NFKC.String(string(r))) {
			return Fold(one)
		}
		r = one
	}
	switch r { // Greek capitals that resemble other Latin letters than their lower-case forms do
	case 'Η':
		return 'h'
	case 'Ν':
		return 'n'
	case 'Μ':
		return 'm'
	case 'Υ':
		return 'y'
	}
	r = unicode.ToLower(r)
	if plain, ok := lookalikes()[r]; ok {
		return plain
	}
	return r
}

// lookalikes maps small capitals and letters of other scripts to the Latin letters that they resemble.
var lookalikes = sync.OnceValue(func() map[rune]rune {
	all := []rune("аaвbсcԁdеeғfɡgһhіiјjкkӏlмmпnоoрpԛqгrѕsтtцuѵvѡwԝwхxуyзz" +
		"αaβbεeηnιiκkνvοoρpτtυuωwχxγyϲcϳj" +
		"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzıiɑaſsøołlđd")
	out := make(map[rune]rune, len(all)/2)
	for i := 0; i+1 < len(all); i += 2 {
		out[all[i]] = all[i+1]
	}
	return out
})

// foldedPrefix returns the number of bytes at the start of text that match word, or 0. Look-alike letters match, and a
// hyphen or underscore in word also matches a blank.
func foldedPrefix(text, word string) int {
	n := 0
	for _, want := range word {
		r, size := utf8.DecodeRuneInString(text[n:])
		got := Fold(r)
		if size == 0 || got != Fold(want) &&
			!((want == '-' || want == '_') && (got == '-' || got == '_' || got == ' ' || got == '‑' || got == '–')) {
			return 0
		}
		n += size
	}
	return n
}

// mixed reports whether the sentence has a Latin letter next to a Cyrillic one, or a Greek letter between two Latin
// ones. No language has such words, so no filter can judge them.
func mixed(sentence string) bool {
	before, last := ' ', ' '
	for _, r := range sentence {
		latin := func(r rune) bool { return r < 0x250 && unicode.IsLetter(r) }
		if latin(r) && unicode.Is(unicode.Cyrillic, last) || latin(last) && unicode.Is(unicode.Cyrillic, r) ||
			latin(r) && unicode.Is(unicode.Greek, last) && latin(before) {
			return true
		}
		before, last = last, r
	}
	return false
}
