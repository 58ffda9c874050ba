package catalog

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
)

type sentence struct {
	text   string
	bullet bool
}

// sentences splits text at full stops, blank lines and bullets. It joins wrapped lines and keeps quoted phrases and
// parentheses whole.
func sentences(text string) []sentence {
	var out []sentence
	for _, b := range blocks(text) {
		from := 0
		for i := 0; i < len(b.text); {
			if n := skipGroup(b.text, i); n > 0 {
				i += n
				// A full stop inside the closing quote ends the sentence too.
				if i < len(b.text) && i >= 2 && strings.IndexByte(`.`, b.text[i-2]) >= 0 && startsSentence(b.text[i:]) {
					out = append(out, sentence{strings.TrimSpace(b.text[from:i]), b.bullet})
					from = i
				}
				continue
			}
			r, n := utf8.DecodeRuneInString(b.text[i:])
			i += n
			if (r == '.' || r == '!' || r == '?' || r == '。') && endsSentence(b.text, i, r) {
				out = append(out, sentence{strings.TrimSpace(b.text[from:i]), b.bullet})
				from = i
			}
		}
		if s := strings.TrimSpace(b.text[from:]); s != "" {
			out = append(out, sentence{s, b.bullet})
		}
	}
	return out
}

// blocks joins wrapped lines. A new block starts after a blank line, at a bullet, and at a capitalised line after a
// line that is a whole list of triggers.
func blocks(text string) []sentence {
	var out []sentence
	fresh, last := true, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		item, bullet := cutBullet(line)
		switch {
		case line == "":
			fresh = true
		case fresh || bullet || capital(line) && wholeList(last):
			out = append(out, sentence{item, bullet})
			fresh = false
		default:
			out[len(out)-1].text += " " + line
		}
		last = line
	}
	return out
}

// wholeList reports whether a line is a labelled list of triggers without a full stop: "Triggers on: deploy, ship".
func wholeList(line string) bool {
	kept, list, ok := cutLabel(line)
	if !ok || kept != "" || list == "" || strings.Count(list, `"`)%2 == 1 ||
		strings.Count(list, "(") != strings.Count(list, ")") {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(list)
	return !strings.ContainsRune(",;:·|、，—–-", r)
}

func capital(line string) bool {
	return len(line) > 1 && 'A' <= line[0] && line[0] <= 'Z' && 'a' <= line[1] && line[1] <= 'z'
}

func cutBullet(line string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "• ", "+ "} {
		if item, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(item), true
		}
	}
	return line, false
}

func endsSentence(s string, i int, r rune) bool {
	if r == '。' {
		return true
	}
	if i < len(s) && s[i] != ' ' && s[i] != '\t' {
		return false
	}
	word := lower(s[strings.LastIndexAny(s[:i-1], " (\t")+1 : i-1])
	switch word {
	case "e.g", "i.e", "vs", "cf", "incl", "approx", "no", "dr", "mr", "mrs", "ms", "st", "inc", "ltd":
		return false
	}
	return len(word) != 1 || word[0] >= 0x80
}

func startsSentence(s string) bool {
	t := strings.TrimLeft(s, " ")
	if t == s || t == "" {
		return t == ""
	}
	r, _ := utf8.DecodeRuneInString(t)
	return 'A' <= r && r <= 'Z' || lang.Caseless(r)
}

// skipGroup returns the length of the quoted phrase or parenthesis at i. It returns 0 if there is none or if it is not
// closed within the limits below.
func skipGroup(s string, i int) int {
	if n := quoted(s, i); n > 0 {
		return n
	}
	if s[i] == '(' {
		return parens(s[i:])
	}
	return 0
}

const maxGroup = 600 // maximum bytes; an unclosed parenthesis must not swallow the rest of the text

func parens(s string) int {
	depth := 0
	for i := 0; i < len(s) && i < maxGroup; i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

var quotes = []struct{ open, close string }{
	{`"`, `"`}, {"“", "”"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"'", "'"},
}

const maxQuote = 200 // maximum bytes of a quoted phrase

// quoted returns the length of the quoted phrase at i with its quotes, or 0. A single quote opens only before a word
// and closes only after one, so that apostrophes do not count.
func quoted(s string, i int) int {
	if c := s[i]; c != '"' && c != '\'' && c < 0x80 {
		return 0
	}
	for _, q := range quotes {
		if !strings.HasPrefix(s[i:], q.open) {
			continue
		}
		from := i + len(q.open)
		limit := min(len(s), from+maxQuote)
		if q.open != "'" {
			if at := strings.Index(s[from:limit], q.close); at > 0 {
				return len(q.open) + at + len(q.close)
			}
			return 0
		}
		if i > 0 && strings.IndexByte(" \t([{/,:;=—–-", s[i-1]) < 0 && s[i-1] < 0x80 {
			return 0
		}
		for at := from + 1; at < limit; at++ {
			if s[at] == '\'' && s[at-1] != ' ' &&
				(at+1 == len(s) || strings.IndexByte(" \t)]},.;:/?!-", s[at+1]) >= 0 || s[at+1] >= 0x80) {
				return at + 1 - i
			}
		}
		return 0
	}
	return 0
}

// takeQuoted returns the quoted phrases of s and the rest of s, with a comma in place of each.
func takeQuoted(s string) (phrases []string, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); {
		n := quoted(s, i)
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		phrases = append(phrases, s[i:i+n])
		b.WriteByte(',')
		i += n
	}
	return phrases, b.String()
}

// splitList splits at commas, semicolons, bars, and middle dots and slashes before a space, but not within quotes and
// parentheses.
func splitList(s string) []string {
	var out []string
	from := 0
	for i := 0; i <= len(s); {
		if i == len(s) {
			return append(out, s[from:])
		}
		if n := skipGroup(s, i); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '·', '/':
			if !strings.HasPrefix(s[i+n:], " ") {
				break // part of a word, as in "전기승용·전기화물" and "PDF/A"
			}
			fallthrough
		case ',', ';', '、', '，', '|':
			out = append(out, s[from:i])
			from = i + n
		}
		i += n
	}
	return out
}

func wordAt(s string, i int, w string) bool {
	if !strings.HasPrefix(s[i:], w) {
		return false
	}
	end := i + len(w)
	return (i == 0 || !isWord(s[i-1])) && (end == len(s) || !isWord(s[end]) || !isWord(w[len(w)-1]))
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func findWord(s, w string) int {
	for from := 0; ; {
		at := strings.Index(s[from:], w)
		if at < 0 {
			return -1
		}
		if wordAt(s, from+at, w) {
			return from + at
		}
		from += at + 1
	}
}

// mask returns s in lower case with its quoted phrases blanked, at the same length.
func mask(s string) string {
	b := []byte(lower(s))
	for i := 0; i < len(s); {
		n := max(1, quoted(s, i))
		if n > 1 {
			for j := i; j < i+n; j++ {
				b[j] = 0
			}
		}
		i += n
	}
	return string(b)
}
