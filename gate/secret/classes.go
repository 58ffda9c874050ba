package secret

// Classes of bytes. Find skips a byte of class 0.
const (
	inWord  = 1 << iota // may occur in an identifier: letters, digits, "_", "-"
	inKey               // may occur in a key of keys.txt
	signs               // may join a name and its value
	opens               // first byte of a word that startingWord handles
	special             // handled by a case of its own in Find
	leads               // first byte of a cue that starts with a non-ASCII letter
	strange             // punctuation typical of passwords
	figure
	capital
)

const (
	letter    = inWord | inKey
	numeral   = letter | figure
	upperCase = letter | capital
)

var classes = [256]uint16{
	'0': numeral, '1': numeral, '2': numeral, '3': numeral, '4': numeral, '5': numeral, '6': numeral,
	'7': numeral, '8': numeral, '9': numeral, 'a': letter, 'b': letter | opens, 'c': letter, 'd': letter,
	'e': letter | opens, 'f': letter, 'g': letter, 'h': letter, 'i': letter, 'j': letter, 'k': letter,
	'l': letter, 'm': letter, 'n': letter | opens, 'o': letter, 'p': letter | opens, 'q': letter, 'r': letter,
	's': letter, 't': letter, 'u': letter, 'v': letter, 'w': letter, 'x': letter, 'y': letter, 'z': letter,
	'_': letter, '-': letter | opens, 'A': upperCase, 'B': upperCase | opens, 'C': upperCase, 'D': upperCase,
	'E': upperCase, 'F': upperCase, 'G': upperCase, 'H': upperCase, 'I': upperCase, 'J': upperCase,
	'K': upperCase, 'L': upperCase, 'M': upperCase, 'N': upperCase | opens, 'O': upperCase,
	'P': upperCase | opens, 'Q': upperCase, 'R': upperCase, 'S': upperCase, 'T': upperCase, 'U': upperCase,
	'V': upperCase, 'W': upperCase, 'X': upperCase, 'Y': upperCase, 'Z': upperCase,
	'.': inKey, '/': inKey, '~': inKey | strange, '%': inKey | strange, '|': inKey, '+': inKey | special | strange,
	'=': inKey | signs, ':': inKey | signs, '@': inKey | special | strange, '>': signs, ',': signs, '[': special,
	'(': special,
	'!': strange, '#': strange, '$': strange, '^': strange, '&': strange, '*': strange, '?': strange,
	0xC3: leads, 0xC5: leads, 0xCE: leads, 0xD0: leads, 0xD1: leads, 0xD7: leads, 0xD8: leads, 0xD9: leads, 0xE0: leads,
	0xE3: leads, 0xE4: leads, 0xE5: leads, 0xE6: leads, 0xE7: leads,
	0xE8: leads, 0xE9: leads, 0xEA: leads, 0xEB: leads, 0xEC: leads, 0xED: leads,
	0xEF: special, // first byte of full-width signs
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
func lower(c byte) bool { return 'a' <= c && c <= 'z' }
func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func small(c byte) byte {
	if upper(c) {
		c += 'a' - 'A'
	}
	return c
}
func alnum(c byte) bool   { return digit(c) || lower(c) || upper(c) }
func word(c byte) bool    { return classes[c]&inWord != 0 }
func blank(c byte) bool   { return c == ' ' || c == '\t' }
func visible(c byte) bool { return ' ' < c && c < 0x7f && !quote(c) }
func quote(c byte) bool   { return c == '"' || c == '\'' || c == '`' }
func space(c byte) bool   { return blank(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f' }

func wordEnd(s string, i int) int {
	for i < len(s) && classes[s[i]]&inWord != 0 {
		i++
	}
	return i
}

func runEnd(s string, i int) int {
	for i < len(s) && classes[s[i]]&inKey != 0 {
		i++
	}
	return i
}

func skipBlanks(s string, i int) int {
	for i < len(s) && blank(s[i]) {
		i++
	}
	return i
}
