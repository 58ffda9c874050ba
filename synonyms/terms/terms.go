// Package terms splits text into tokens and reduces English words to their stems.
//
// It knows scripts, not languages. A run of Hangul is one token, which package synonyms splits; a run of Han is one
// token, from which bleve's cjk filter makes bigrams; a run of Katakana is a word, and so is a run of Hiragana
// without the stop words (particles, endings) at its ends. Latin words are lower-cased and stemmed with the Snowball
// English stemmer. Identifiers are kept whole in addition to their parts:
//
//	useEffect     → useeffect, use, effect     lower camel case
//	JavaScript    → javascript                 a name, not two words
//	snake_case    → snake_case, snake, case
//	node.js       → nodejs, node, js           so that "nodejs" matches
//	C++, C#, F#   → c++, c#, f#
//	v1.2.3        → v1.2.3
//	e-mail        → email                      a single letter joins the next part
//	pr-review     → pr, review
//	https://www.vimeo.com/channel/x9 → vimeo, channel
//	ann@example.org → nothing
//
// Whole identifiers and words with a digit are never stemmed. Text is read as NFKC; invalid UTF-8 separates tokens.
package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// Kind says what a token consists of.
type Kind uint8

const (
	Word   Kind = iota // letters of Latin or another alphabet; English words are stemmed
	Ident              // an identifier, version or word with digits, not stemmed
	Hangul             // a run of Hangul syllables or jamo, as written
	Han                // a run of Han, as written
	Kana               // a word in Hiragana or Katakana, as written
)

// Token is one term with its position.
type Token struct {
	Text       string // lower case; stem for Word
	Kind       Kind
	Start, End int // byte offsets in the NFKC form of the text
}

// Normal returns the NFKC form of text, to which token offsets refer.
func Normal(text string) string {
	if norm.NFKC.QuickSpanString(text) == len(text) {
		return text
	}
	return norm.NFKC.String(text)
}

// Scan splits text into tokens, in order and without stop words.
func Scan(text string) []Token {
	text = Normal(text)
	return Append(make([]Token, 0, len(text)/6+4), text)
}

// Append appends the tokens of a text in normal form to out.
func Append(out []Token, text string) []Token {
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case script.Hangul(r):
			j := span(text, i+n, script.Hangul)
			out = append(out, Token{text[i:j], Hangul, i, j})
			i = j
		case script.Han(r):
			j := span(text, i+n, script.Han)
			out = append(out, Token{text[i:j], Han, i, j})
			i = j
		case script.Katakana(r):
			j := span(text, i+n, script.Katakana)
			out = append(out, Token{text[i:j], Kana, i, j})
			i = j
		case script.Hiragana(r):
			j := span(text, i+n, script.Hiragana)
			if from, to := content(text[i:j]); from < to {
				out = append(out, Token{text[i+from : i+to], Kana, i + from, i + to})
			}
			i = j
		case isWord(r):
			if j := simple(text, i); j > i {
				out = appendWord(out, text[i:j], i, j)
				i = j
				continue
			}
			if j := link(text, i); j > i {
				out = appendLink(out, text, i, j)
				i = j
				continue
			}
			j := chunk(text, i)
			if k := address(text, j); k > j {
				i = k
				continue
			}
			out = appendChunk(out, text, i, j)
			i = j
		default:
			i += n
		}
	}
	return out
}

// simple returns the end of the word of English letters at i, or i if the word is part of a link, an address, an
// identifier or another longer chunk.
func simple(text string, i int) int {
	j, lower := i, false
	for ; j < len(text); j++ {
		switch c := text[j]; {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			if lower {
				return i
			}
		case ends[c], (c == '.' || c == '-' || c == ':') && j+1 < len(text) && text[j+1] <= ' ' && text[i:j] != "www":
			return j
		default:
			return i
		}
	}
	return j
}

// ends contains the characters that end a word whatever follows them.
var ends = [256]bool{
	'\t': true, '\n': true, ' ': true, '!': true, '"': true, '$': true, '%': true, '&': true, '(': true, ')': true,
	'*': true, ',': true, '/': true, ';': true, '<': true, '=': true, '>': true, '?': true, '[': true, '\\': true,
	']': true, '^': true, '`': true, '{': true, '|': true, '}': true, '~': true,
}

func span(text string, i int, in func(rune) bool) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !in(r) {
			break
		}
		i += n
	}
	return i
}

// content returns the range of run, a run of Hiragana, without the stop words at its ends. If at most one letter would
// be left, the range is empty.
func content(run string) (from, to int) {
	to = len(run)
	for cut := true; cut && from < to; {
		cut = false
		for n := to; n > from && !cut; n -= 3 { // a Hiragana letter has three bytes
			if vocab.Stop.Has(run[from:n]) {
				from, cut = n, true
			}
		}
	}
	for cut := true; cut && from < to; {
		cut = false
		for n := from; n < to && !cut; n += 3 {
			if vocab.Stop.Has(run[n:to]) {
				to, cut = n, true
			}
		}
	}
	if to-from <= 3 {
		return from, from
	}
	return from, to
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !script.Hangul(r) &&
		!script.Spaceless(r)
}

func chunk(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWord(r) || unicode.Is(unicode.Mn, r):
			i += n
		case r == '+' || r == '#':
			// C++, C#, F#: appendChunk drops the signs unless they follow a single letter
			j := i
			for j < len(text) && (text[j] == '+' || text[j] == '#') {
				j++
			}
			return j
		case r == '_' || r == '.' || r == '\'' || r == '’' || r == '-':
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if !isWord(next) {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return i
}

func appendChunk(out []Token, text string, i, j int) []Token {
	s := text[i:j]
	if k := strings.IndexAny(s, "+#"); k >= 0 {
		base := s[:k]
		if len(base) == 1 && isASCIILetter(base[0]) && (s[k:] == "++" || s[k:] == "#") {
			return append(out, Token{strings.ToLower(s), Ident, i, j})
		}
		s = base
	}
	// Hyphens separate words: kebab-case is two words.
	for start := 0; start < len(s); {
		end := strings.IndexByte(s[start:], '-')
		if end < 0 {
			end = len(s)
		} else {
			end += start
		}
		if end-start == 1 && end < len(s) && isASCIILetter(s[start]) && plain(s[end+1:]) {
			rest := strings.IndexByte(s[end+1:], '-')
			if rest < 0 {
				rest = len(s)
			} else {
				rest += end + 1
			}
			out = appendPiece(out, s[start:end]+s[end+1:rest], i+start, i+rest)
			start = rest + 1
			continue
		}
		if end > start {
			out = appendPiece(out, s[start:end], i+start, i+end)
		}
		start = end + 1
	}
	return out
}

func plain(s string) bool {
	return len(s) >= 2 && isASCIILetter(s[0]) && isASCIILetter(s[1])
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func appendPiece(out []Token, s string, i, j int) []Token {
	if strings.Contains(s, "'") || strings.Contains(s, "’") {
		for _, suffix := range []string{"'s", "’s"} {
			if t, ok := strings.CutSuffix(s, suffix); ok {
				s, j = t, j-len(suffix)
			}
		}
		s = strings.NewReplacer("'", "", "’", "").Replace(s)
	}
	if s == "" {
		return out
	}
	digits, joined := false, false
	for k := 0; k < len(s); k++ {
		digits = digits || s[k] >= '0' && s[k] <= '9'
		joined = joined || s[k] == '_' || s[k] == '.'
	}
	switch {
	case joined:
		return appendJoined(out, s, i, j)
	case digits:
		return append(out, Token{strings.ToLower(s), Ident, i, j})
	}
	if parts := camel(s); parts != nil {
		out = append(out, Token{strings.ToLower(s), Ident, i, j})
		for _, p := range parts {
			out = appendWord(out, p, i, j)
		}
		return out
	}
	return appendWord(out, s, i, j)
}

func appendJoined(out []Token, s string, i, j int) []Token {
	lower := strings.ToLower(s)
	version := strings.Trim(lower, "v0123456789.") == ""
	switch {
	case version:
		return append(out, Token{lower, Ident, i, j})
	case strings.Contains(s, "_"):
		out = append(out, Token{lower, Ident, i, j})
	default:
		out = append(out, Token{strings.ReplaceAll(lower, ".", ""), Ident, i, j})
	}
	for _, p := range strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '.' }) {
		out = appendPiece(out, p, i, j)
	}
	return out
}

// camel returns the parts of lowerCamelCase and of names with three or more capitalised parts. It returns nil for
// words, for names with two parts, such as JavaScript, and for names that end with a single letter, such as LaTeX.
func camel(s string) []string {
	var parts []string
	start := 0
	for k := 1; k < len(s); k++ {
		up, before := s[k] >= 'A' && s[k] <= 'Z', s[k-1] >= 'A' && s[k-1] <= 'Z'
		if up && !before {
			parts = append(parts, s[start:k])
			start = k
		}
	}
	if start == 0 {
		return nil
	}
	parts = append(parts, s[start:])
	lowerFirst := s[0] >= 'a' && s[0] <= 'z' && len(parts[0]) > 1
	if !lowerFirst && (len(parts) < 3 || len(parts[len(parts)-1]) == 1) {
		return nil
	}
	return parts
}

func appendWord(out []Token, s string, i, j int) []Token {
	stem := stems.of(s)
	if stem == "" {
		return out
	}
	return append(out, Token{stem, Word, i, j})
}

func stemmed(s string) string {
	w := strings.ToLower(s)
	if vocab.Stop.Has(w) || len(w) == 1 && w != "r" && w != "c" {
		return ""
	}
	return Stem(w)
}
