package safety

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// Encoded reports encoded commands and code that decodes and runs text.
func Encoded(s *Skill, report func(Finding)) {
	lines := map[source.Place]bool{}
	add := func(at source.Place, text string) {
		if key := (source.Place{Path: at.Path, Line: at.Line}); !lines[key] {
			lines[key] = true
			report(Finding{At: at, Text: text})
		}
	}
	scanLines(s, "SG510", isPlaceholder, func(h hit) {
		p := h.finding()
		add(p.At, p.Text)
	})
	for _, t := range s.texts() {
		eachEncoded(t.src.Text, func(start, end int, plain string) bool {
			if !isWarnedAgainst(s, t.hitAt(start, end)) && !onlyMadeUp(plain) {
				add(t.src.Span(start, end), fmt.Sprintf("encoded text that decodes to %q", source.Short(plain)))
			}
			return len(lines) < maxHits
		})
		if start, end, ok := runsLater(t, expr("decoders")); ok {
			add(t.src.Span(start, end), "runs text that the file decodes: "+t.src.Text[start:end])
		}
	}
}

func isPlaceholder(s *Skill, h hit) bool {
	if isWarnedAgainst(s, h) || !h.t.script && s.onSecurity() && expr("eventAttribute").MatchString(h.line) {
		return true
	}
	made := false
	eachEncoded(h.line, func(_, _ int, plain string) bool {
		made = onlyMadeUp(plain)
		return !made
	})
	return made
}

const minEncoded = 24      // shortest encoded text that can hold a command
const maxEncoded = 1 << 16 // longer texts are images and fonts

func eachEncoded(text string, f func(start, end int, plain string) bool) {
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && encodedByte(text[i]) {
			i++
		}
		if i-start < minEncoded || i-start > maxEncoded || strings.HasSuffix(text[:start], "base64,") {
			continue
		}
		end := len(text) - len(strings.TrimLeft(text[i:], "="))
		if plain := decoded(text[start:i]); expr("saysCommand").MatchString(plain) && !f(start, end, plain) {
			return
		}
	}
}

func encodedByte(c byte) bool { return c == '+' || c == '/' || c != '_' && nameByte(c) }

// decoded returns the text that s encodes in hexadecimal digits or base64, or "".
func decoded(s string) string {
	b, err := hex.DecodeString(s)
	if err != nil {
		b, err = base64.RawStdEncoding.DecodeString(s)
	}
	if len(b) > 4 && b[1] == 0 && b[3] == 0 { // UTF-16
		half := make([]byte, 0, len(b)/2)
		for i := 0; i < len(b); i += 2 {
			half = append(half, b[i])
		}
		b = half
	}
	odd := func(c byte) bool { return c < ' ' && c != '\n' && c != '\r' && c != '\t' }
	if err != nil || !utf8.Valid(b) || slices.ContainsFunc(b, odd) {
		return ""
	}
	return string(b)
}

func runsLater(t *textFile, calls *regexp.Regexp) (start, end int, ok bool) {
	if !t.script || !t.hasAny(wordList("runningWords")) {
		return 0, 0, false
	}
	var from flow
	for _, m := range expr("runsVariable").FindAllStringIndex(t.src.Text, 20) {
		n := t.src.LineAt(m[0] + 1)
		line := strings.TrimSpace(t.src.LineText(n))
		if expr("runsNothing").MatchString(line) || strings.ContainsAny(line[:max(0, strings.Index(line, "e"))], `"'`) {
			continue
		}
		if from == nil && !calls.MatchString(t.src.Text) {
			return 0, 0, false
		} else if from == nil {
			from = flowFrom(t.src.Text, calls)
		}
		if from.in(t.src.Text[m[0]:m[1]]) {
			return m[0], m[1], true
		}
	}
	return 0, 0, false
}
