package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type bertNormalizer struct {
	clean   bool // drop control characters and replace white space by blanks
	chinese bool // put blanks around ideographs
	lower   bool
	accents bool // strip accents
}

func (n bertNormalizer) normalize(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 16)
	for _, r := range text {
		switch {
		case !n.clean:
		case r == '\t' || r == '\n' || r == '\r':
			r = ' '
		case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
			continue
		case unicode.IsSpace(r):
			r = ' '
		}
		if n.chinese && isChinese(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			r = ' '
		}
		b.WriteRune(r)
	}
	text = b.String()
	if n.lower {
		text = lower(text)
	}
	if n.accents {
		text = stripMarks(norm.NFD.String(text))
	}
	return text
}

// isChinese reports whether BERT's tokenizer counts r as Chinese. It does not count Hangul and Kana.
func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// lower converts text to lower case by the full, context-sensitive rules of Python and JavaScript: a dotted capital I
// keeps its dot as a combining mark, and a final sigma has a separate form.
func lower(text string) string {
	if !strings.ContainsAny(text, "İΣ") {
		return strings.ToLower(text)
	}
	runes := []rune(text)
	var b strings.Builder
	b.Grow(len(text))
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && cased(runes[:i], true) && !cased(runes[i+1:], false):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// cased reports whether the first rune of runes that is neither a mark nor an apostrophe is a letter with case. If last
// is true, it looks at the last such rune instead.
func cased(runes []rune, last bool) bool {
	for k := range runes {
		r := runes[k]
		if last {
			r = runes[len(runes)-1-k]
		}
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) || r == '\'' || r == '.' || r == ':' || r == '’' ||
			r == '·' {
			continue
		}
		return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r)
	}
	return false
}

func stripMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x300 && unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, text)
}

func replaceRuns(text, to string, least int, in func(rune) bool) string {
	var b strings.Builder
	b.Grow(len(text))
	for at := 0; at < len(text); {
		r, width := utf8.DecodeRuneInString(text[at:])
		if !in(r) {
			b.WriteString(text[at : at+width])
			at += width
			continue
		}
		end, n := at, 0
		for end < len(text) {
			r, width := utf8.DecodeRuneInString(text[end:])
			if !in(r) {
				break
			}
			end += width
			n++
		}
		if n >= least {
			b.WriteString(to)
		} else {
			b.WriteString(text[at:end])
		}
		at = end
	}
	return b.String()
}
