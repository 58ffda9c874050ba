package triage

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// pasteHead is the number of bytes of a pasted block that are searched if the person typed little else. It is enough
// for the title, the first paragraph and the first headings.
const pasteHead = 2000

// clean returns s as valid UTF-8 in NFC, without control characters and invisible format characters. Line ends become
// "\n".
func clean(s string) string {
	dirty, decomposed := !utf8.ValidString(s), false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ':
			dirty = dirty || c != '\n' && c != '\t'
		case c < 0x7f, c&0xC0 == 0x80: // ASCII or inside a rune
		case c == 0x7f:
			dirty = true
		// these bytes may start an invisible or a combining rune
		case c == 0xC2, c == 0xCC, c == 0xCD, c == 0xD8, 0xE1 <= c && c <= 0xE3, c == 0xEA, c == 0xED, c == 0xEF:
			r, _ := utf8.DecodeRuneInString(s[i:])
			dirty = dirty || invisible(r)
			decomposed = decomposed || combining(r)
		}
	}
	if dirty {
		s = scrub(s)
	}
	if decomposed {
		s = norm.NFC.String(s)
	}
	return s
}

// scrub does the work of clean except for the normalisation to NFC.
func scrub(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteByte(' ')
		case r == '\r':
			if i+1 == len(s) || s[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case r < ' ' && r != '\n' && r != '\t', r == 0x7f:
			b.WriteByte(' ')
		case invisible(r):
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Typed returns the part of a prompt that the person typed, without pasted blocks. If everything was pasted, it
// returns the pasted text.
func Typed(prompt string) string {
	own, paste, _ := splitPaste(prompt)
	if own == "" {
		return paste
	}
	return own
}

// splitPaste separates the typed text from the blocks that the host marks as pasted:
//
//	<pasted_content id="1">
//	…
//	</pasted_content id="1">
//
// A block's own text may contain the tag only in escaped form. A block without an end reaches to the end of the text.
func splitPaste(s string) (own, paste string, pasted bool) {
	const opening, closing = "<pasted_content", "</pasted_content"
	if !strings.Contains(s, opening) {
		return s, "", false
	}
	var outside, inside strings.Builder
	for {
		start := strings.Index(s, opening)
		if start < 0 {
			break
		}
		gt := strings.IndexByte(s[start:], '>')
		if gt < 0 {
			break
		}
		pasted = true
		tag := s[start+len(opening) : start+gt] // ` id="1"`
		body := s[start+gt+1:]
		end, after := len(body), len(body)
		for from := 0; ; {
			i := strings.Index(body[from:], closing)
			if i < 0 {
				break
			}
			i += from
			gt := strings.IndexByte(body[i:], '>')
			if gt < 0 {
				break
			}
			if id := body[i+len(closing) : i+gt]; id == tag || id == "" {
				end, after = i, i+gt+1
				break
			}
			from = i + gt
		}
		addPart(&outside, s[:start])
		addPart(&inside, body[:end])
		s = body[after:]
	}
	addPart(&outside, s)
	return outside.String(), inside.String(), pasted
}

func addPart(b *strings.Builder, s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(s)
}

func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if i := strings.LastIndexAny(s[:n], " \n\t"); i > n/2 {
		n = i
	}
	return strings.TrimSpace(s[:n])
}
