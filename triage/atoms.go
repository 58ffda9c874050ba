package triage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// gap is what separates an atom from the one before it.
type gap uint8

const (
	gapNone  gap = iota // nothing: syllables of one word, a change of script
	gapGlue             // a joint inside a name: "next.js", "yes-no"
	gapSpace            // white space
	gapBreak            // the end of a clause: punctuation, line end, emoji, ㅋㅋ
)

type atomKind uint8

const (
	latin   atomKind = iota // a word, in canonical form
	hangul                  // one syllable
	number                  // a number below 100 or a letter of a list, as "#"
	letters                 // letters outside syllables: ㅇㅋ
	other                   // a word of another script, or one that no list can know
	noise                   // the letter of an emoticon: no atom
)

// atom is a word of Latin letters, a Hangul syllable, a number or a run of
// Hangul letters.
type atom struct {
	script     atomKind
	gap        gap
	start, end int         // in the text
	from, to   int         // in atoms.buf
	class      vocab.Class // of letters and other
}

// maxAtoms bounds how much of a prompt is read as conversation. No greeting or
// answer is longer.
const maxAtoms = 120

// maxWord is the length of the longest word that is looked up; stretched ones
// such as "yesssss" are long.
const maxWord = 40

// atoms is the beginning of a text, cut into atoms.
type atoms struct {
	list []atom
	buf  string // the atoms' normal forms; one space between neighbouring Latin words and numbers
	cut  bool   // there is more text
	code bool   // a sign of code or markup was seen: no conversation
}

// span returns the normal form of atoms i to j-1.
func (a *atoms) span(i, j int) string { return a.buf[a.list[i].from:a.list[j-1].to] }

// atomise cuts the head of text into atoms.
func atomise(text string) atoms {
	var a atoms
	a.list = make([]atom, 0, 32)
	buf := make([]byte, 0, 128)
	g := gapBreak
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isWord(r) {
			if isOdd(text, i, r) {
				a.code = true
			}
			g = max(g, gapOf(text, i, r, n))
			i += n
			continue
		}
		if len(a.list) == maxAtoms {
			a.cut = true
			break
		}
		at := atom{gap: g, start: i}
		g = gapNone
		var form string
		switch {
		case script.Syllable(r):
			at.script, at.end, form = hangul, i+n, text[i:i+n]
		case script.Letter(r):
			at.end = i + runLen(text[i:], script.Letter)
			at.script, at.class = letters, lettersClass(text[i:at.end])
			if at.class == 0 {
				at.script = other
			}
			if at.class&vocab.Turn != 0 {
				g = gapBreak
			}
		case isLatin(r) || isDigit(r):
			at.end = i + wordLen(text[i:])
			at.script, form = latinAtom(text, i, at.end)
		default:
			at.script, at.end = other, i+runLen(text[i:], func(r rune) bool { return isWord(r) && !korean(r) && !isLatin(r) })
			at.class = runClass(text[i:at.end])
		}
		if at.script == noise {
			g = gapBreak
			i = at.end
			continue
		}
		if k := len(a.list); k > 0 && spaced(a.list[k-1].script) && spaced(at.script) {
			buf = append(buf, ' ')
		}
		at.from = len(buf)
		buf = append(buf, form...)
		at.to = len(buf)
		a.list = append(a.list, at)
		i = at.end
	}
	a.buf = string(buf)
	return a
}

func spaced(s atomKind) bool { return s == latin || s == number || s == other }

// latinAtom returns the script and normal form of the word text[i:end].
func latinAtom(text string, i, end int) (atomKind, string) {
	raw := text[i:end]
	if len(raw) > maxWord {
		return other, ""
	}
	r, _ := utf8.DecodeRuneInString(raw)
	if isDigit(r) {
		digits := runLen(raw, isDigit)
		rest := raw[digits:]
		if (rest == "" || vocab.Ordinal.Has(strings.ToLower(rest))) && utf8.RuneCountInString(raw[:digits]) <= 2 {
			return number, "#"
		}
		return other, ""
	}
	if len(raw) == 1 {
		if i > 0 && strings.IndexByte(":;=xX", text[i-1]) >= 0 {
			return noise, "" // :D ;p
		}
		next, _ := utf8.DecodeRuneInString(text[end:])
		if c := raw[0] | 0x20; script.Syllable(next) || 'b' <= c && c <= 'e' {
			return number, "#"
		}
	}
	return latin, enForm(raw)
}

// enForm returns the canonical form of an English word as typed: small ASCII
// letters without apostrophes, chat spelling and stretched letters undone.
func enForm(raw string) string {
	w := raw
	if !plain(raw) {
		w = strings.Map(func(r rune) rune {
			if r == '\'' || r == '’' || r == '‘' || r == '`' {
				return -1
			}
			return narrow(unicode.ToLower(r))
		}, raw)
	}
	if c := vocab.Spelling.Text(w); c != "" {
		return c
	}
	if vocab.Talk.Has(w) {
		return w
	}
	if isLaugh(w) {
		return "lol"
	}
	for _, keep := range [...]int{2, 1} {
		short := squeeze(w, keep)
		if short == w || len(short) < 2 || len(short) == 2 && !vocab.ShortTalk.Has(short) {
			continue
		}
		if c := vocab.Spelling.Text(short); c != "" {
			return c
		}
		if vocab.Talk.Has(short) {
			return short
		}
	}
	if c, ok := oneSlip(w); ok {
		return c
	}
	return w
}

func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// squeeze shortens stretched letters: runs of three and more to keep letters
// and, with keep 1, also a doubled last letter.
func squeeze(w string, keep int) string {
	var b []byte
	for i := 0; i < len(w); {
		j := i
		for j < len(w) && w[j] == w[i] {
			j++
		}
		n := j - i
		if n >= 3 || n == 2 && keep == 1 && j == len(w) {
			if b == nil {
				b = append(make([]byte, 0, len(w)), w[:i]...)
			}
			n = min(n, keep)
		}
		if b != nil {
			b = append(b, w[i:i+n]...)
		}
		i = j
	}
	if b == nil {
		return w
	}
	return string(b)
}

// isLaugh reports haha, hehehe, jaja, lolol, kkkk, lmaooo.
func isLaugh(w string) bool {
	if len(w) >= 3 && strings.Trim(w, "k") == "" {
		return true
	}
	if strings.HasPrefix(w, "lol") && strings.Trim(w, "lo") == "" || strings.HasPrefix(w, "lma") &&
		strings.Trim(w[3:], "o") == "" {
		return true
	}
	if len(w) < 3 || strings.Trim(w, "haejio") != "" || !strings.ContainsAny(w, "hj") {
		return false
	}
	h := strings.Count(w, "h") + strings.Count(w, "j")
	return h >= 2 || strings.HasPrefix(w, "ha") || strings.HasPrefix(w, "he") && strings.Trim(w[1:], "e") == "" &&
		len(w) > 4
}

// oneSlip returns the word of list Mistyped that w is, but for one slip of the
// fingers after its first letter.
func oneSlip(w string) (string, bool) {
	if len(w) < 4 || !plain(w) || vocab.NotMistyped.Has(w) {
		return "", false
	}
	for c := range vocab.Mistyped.All() {
		if c[0] == w[0] && near(w, c) {
			return c, true
		}
	}
	return "", false
}

// near reports whether w is c with one letter doubled or swapped with its
// neighbour or, in words of six letters and more, dropped or hit on a
// neighbouring key.
func near(w, c string) bool {
	if d := len(w) - len(c); d < -1 || d > 1 || w == c {
		return w == c
	}
	i := 0
	for i < len(w) && i < len(c) && w[i] == c[i] {
		i++
	}
	long := len(c) >= 6
	switch {
	case len(w) < len(c):
		return long && w[i:] == c[i+1:]
	case len(w) > len(c):
		return w[i+1:] == c[i:] && w[i] == w[i-1]
	case i+1 < len(w) && w[i] == c[i+1] && w[i+1] == c[i]:
		return w[i+2:] == c[i+2:]
	}
	return long && i+1 < len(w) && w[i+1:] == c[i+1:] && keysTouch(w[i], c[i])
}

// keysTouch reports whether two small letters are neighbours on a keyboard.
func keysTouch(a, b byte) bool {
	rows := [...]string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}
	ra, rb, ia, ib := -1, -1, 0, 0
	for r, row := range rows {
		if i := strings.IndexByte(row, a); i >= 0 {
			ra, ia = r, i
		}
		if i := strings.IndexByte(row, b); i >= 0 {
			rb, ib = r, i
		}
	}
	if ra < 0 || rb < 0 {
		return false
	}
	d := ia - ib
	switch ra - rb {
	case 0:
		return d == 1 || d == -1
	case 1:
		return d == 0 || d == -1
	case -1:
		return d == 0 || d == 1
	}
	return false
}

// runLen returns the length of the longest prefix of s whose runes are in set.
func runLen(s string, set func(rune) bool) int {
	for i, r := range s {
		if !set(r) {
			return i
		}
	}
	return len(s)
}

// wordLen returns the length of the Latin word or number s starts with,
// apostrophes inside it included.
func wordLen(s string) int {
	for i, r := range s {
		if isLatin(r) || isDigit(r) {
			continue
		}
		if i > 0 && (r == '\'' || r == '’') {
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if isLatin(next) {
				continue
			}
		}
		return i
	}
	return len(s)
}

// gapOf returns what the rune r of n bytes at text[i] makes of the gap it is in.
func gapOf(text string, i int, r rune, n int) gap {
	switch r {
	case ' ', '\t', '\u00a0', '\u3000', '%', '°', '$', '€', '₩':
		return gapSpace
	case '.', ':', '-', '_', '/', '\\', '@', '&', '+', '#', '\'', '’', '*', '(', ')', '[', ']', '"', '`', '“', '”', '‘',
		'«', '»':
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+n:])
		switch {
		case r == '\'' || r == '’' || r == '"' || r == '*' || r == '`' || r == '“' || r == '”' || r == '‘' ||
			r == '«' || r == '»' || r == '#' || r == '+' || r == '&':
			return gapSpace
		case r == '.' && script.Syllable(before):
			return gapBreak
		case isWord(after) && (isWord(before) || r == '/' || r == '\\' || r == '@' || r == '.' || r == '_'):
			return gapGlue
		case r == '_' || r == '/' || r == '\\' || r == '@':
			return gapGlue
		}
		return gapBreak
	}
	return gapBreak
}

// isOdd reports signs that conversation does not have.
func isOdd(text string, i int, r rune) bool {
	switch r {
	case '{', '}', '$', '|', '@', '\\', '`', '=':
		return true
	case '/', '_':
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		if isDigit(before) && isDigit(after) { // 10/10
			return false
		}
		return isWord(before) && isWord(after) || r == '/' && (isWord(after) || isWord(before))
	case '<':
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		return after == '/' || isLatin(after)
	}
	return false
}
