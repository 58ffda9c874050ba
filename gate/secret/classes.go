package secret

// What a byte can be the beginning or a part of. Zero is passed over.
const (
	inWord  = 1 << iota // part of keys and identifiers: letters, digits, "_", "-"
	inKey               // part of the keys of the table
	signs               // between a name and its value
	opens               // the first letter of words that say something about what follows
	special             // begins something else
	leads               // the first byte of a letter that cues of other scripts begin with
	strange             // a sign of passwords that is not a mark of prose or code
	figure
	capital
)

// classes says what each byte is. It is data, not computed at start.
var classes = [256]uint16{
	'0': inWord | inKey | figure, '1': inWord | inKey | figure, '2': inWord | inKey | figure,
	'3': inWord | inKey | figure, '4': inWord | inKey | figure, '5': inWord | inKey | figure,
	'6': inWord | inKey | figure, '7': inWord | inKey | figure, '8': inWord | inKey | figure,
	'9': inWord | inKey | figure,
	'a': inWord | inKey, 'b': inWord | inKey | opens, 'c': inWord | inKey, 'd': inWord | inKey,
	'e': inWord | inKey | opens, 'f': inWord | inKey, 'g': inWord | inKey, 'h': inWord | inKey,
	'i': inWord | inKey | opens, 'j': inWord | inKey, 'k': inWord | inKey, 'l': inWord | inKey, 'm': inWord | inKey,
	'n': inWord | inKey | opens, 'o': inWord | inKey, 'p': inWord | inKey | opens, 'q': inWord | inKey,
	'r': inWord | inKey, 's': inWord | inKey, 't': inWord | inKey, 'u': inWord | inKey, 'v': inWord | inKey,
	'w': inWord | inKey | opens, 'x': inWord | inKey, 'y': inWord | inKey, 'z': inWord | inKey,
	'A': inWord | inKey | capital, 'B': inWord | inKey | capital | opens, 'C': inWord | inKey | capital,
	'D': inWord | inKey | capital, 'E': inWord | inKey | capital, 'F': inWord | inKey | capital,
	'G': inWord | inKey | capital, 'H': inWord | inKey | capital, 'I': inWord | inKey | capital,
	'J': inWord | inKey | capital, 'K': inWord | inKey | capital, 'L': inWord | inKey | capital,
	'M': inWord | inKey | capital, 'N': inWord | inKey | capital | opens, 'O': inWord | inKey | capital,
	'P': inWord | inKey | capital | opens, 'Q': inWord | inKey | capital, 'R': inWord | inKey | capital,
	'S': inWord | inKey | capital, 'T': inWord | inKey | capital, 'U': inWord | inKey | capital,
	'V': inWord | inKey | capital, 'W': inWord | inKey | capital, 'X': inWord | inKey | capital,
	'Y': inWord | inKey | capital, 'Z': inWord | inKey | capital,
	'_': inWord | inKey, '-': inWord | inKey | opens,
	'.': inKey, '/': inKey, '~': inKey | strange, '%': inKey | strange, '|': inKey, '+': inKey | special | strange,
	'=': inKey | signs, ':': inKey | signs, '@': inKey | special | strange, '>': signs, ',': signs, '[': special,
	'(': special,
	'!': strange, '#': strange, '$': strange, '^': strange, '&': strange, '*': strange, '?': strange,
	0xC3: leads, 0xC5: leads, 0xD0: leads, 0xD1: leads, 0xE3: leads, 0xE4: leads, 0xE5: leads, 0xE6: leads, 0xE7: leads,
	0xE8: leads, 0xE9: leads, 0xEA: leads, 0xEB: leads, 0xEC: leads, 0xED: leads,
	0xEF: special, // the first byte of full-width signs
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
