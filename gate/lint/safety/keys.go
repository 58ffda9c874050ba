package safety

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/secret"
)

// Keys reports secrets that are not examples. Findings show only their first characters.
func Keys(s *Skill, report func(Finding)) {
	left := 10
	texts := slices.Clone(s.texts())
	for _, src := range s.shown { // an example of an attack needs no real key
		texts = append(texts, newText(src, false))
	}
	spans, shown := make([][]secret.Span, len(texts)), 0 // shown: number of tokens and assigned values in pages
	for i, t := range texts {
		spans[i] = secret.Find(t.src.Text)
		for _, f := range spans[i] {
			if shows(t, f) && !madeUp(t.src.Text, f) {
				shown++
			}
		}
	}
	for i, t := range texts {
		found := map[int]bool{} // lines with a reported secret
		leak := func(text string, f secret.Span, at source.Place) {
			value, near := text[f.From:f.To], text[max(0, f.From-1000):min(len(text), f.To+1000)]
			if left == 0 || found[at.Line] || f.Kind.Personal() || madeUp(text, f) || expr("publicPrefix").MatchString(value) ||
				f.What == "Google API key" && expr("firebase").MatchString(near) || strings.Contains(value, "_test_") &&
				expr("publicKey").MatchString(text[strings.LastIndexByte(text[:f.From], '\n')+1:f.From]) {
				return
			}
			found[at.Line] = true
			left--
			head := value[:min(6, len(value))]
			at.Excerpt = strings.ReplaceAll(at.Excerpt, value, head+"…") // do not repeat the secret in the report
			report(Finding{At: at, Text: fmt.Sprintf("%s that begins with %q", f.What, head),
				Usual: shows(t, f) || t.script && f.What == "Google API key", Shown: expr("testName").MatchString(at.Path)})
		}
		for _, f := range spans[i] {
			if shown < manyShown || !shows(t, f) {
				leak(t.src.Text, f, t.src.Span(f.From, f.To))
			}
		}
		for _, n := range slices.Sorted(maps.Keys(t.deobfuscated)) {
			for _, f := range secret.Find(t.deobfuscated[n]) {
				leak(t.deobfuscated[n], f, t.src.Line(n))
			}
		}
	}
	scanLines(s, "SG504", func(s *Skill, h hit) bool {
		v := assignedValue(h)
		return isWarnedAgainst(s, h) || exampleValue(v) || expr("plainWord").MatchString(v) ||
			!strings.ContainsAny(v, "0123456789") || len(runesIn(v)) < 9
	}, func(h hit) {
		at := h.t.src.Span(h.start, h.end)
		at.Excerpt = strings.ReplaceAll(at.Excerpt, assignedValue(h), "…") // do not repeat the secret in the report
		report(Finding{At: at, Usual: !h.t.script,
			Text: fmt.Sprintf("%s: %q", h.p.What, strings.ReplaceAll(source.Short(h.text()), assignedValue(h), "…"))})
	})
}

// Pages with at least manyShown tokens and assigned values are taken to document the answers of a service.
const manyShown = 3

func shows(t *textFile, f secret.Span) bool {
	return !t.script && (f.Kind == secret.JWT || f.Kind == secret.Assigned)
}

func assignedValue(h hit) string {
	text := strings.TrimRight(h.text(), "\"' \t,;}")
	return text[strings.LastIndexAny(strings.TrimRight(text, "="), "\"' \t:=")+1:]
}

func madeUp(text string, f secret.Span) bool {
	value, genuine := text[f.From:f.To], true
	switch f.Kind {
	case secret.PrivateKey:
		line := text[strings.LastIndexByte(text[:f.From], '\n')+1 : f.From]
		return !keyFollows(text[f.From:min(len(text), f.From+500)]) || expr("testKey").MatchString(line)
	case secret.Password:
		before, after := text[max(0, f.From-100):f.From], text[f.To:min(len(text), f.To+100)]
		genuine = len(value) >= 8 && !strings.ContainsAny(value, "<>{}$[]") && expr("databaseURL").MatchString(before) &&
			expr("fullHost").MatchString(after) && !expr("exampleHost").MatchString(after)
	case secret.JWT:
		var claims struct{ Role, Iss string } // Supabase hands the first of these to browsers, others are for local use
		genuine = expr("fullJWT").MatchString(value) &&
			(json.Unmarshal([]byte(decoded(strings.Split(value, ".")[1])), &claims) != nil || claims.Role != "anon" &&
				claims.Iss != "supabase-demo" && !strings.HasPrefix(claims.Iss, "http://localhost"))
	case secret.APIKey:
		genuine = f.What != "API key" || len(value) >= 40
	case secret.Assigned:
		genuine = expr("base64Value").MatchString(value) && strings.ContainsFunc(value, unicode.IsUpper) &&
			strings.ContainsFunc(value, unicode.IsLower) && strings.ContainsFunc(value, unicode.IsDigit) &&
			bits64(value) >= 4 && literalValue(text, f)
	}
	return !genuine || exampleValue(value[f.Lead:]) ||
		f.Kind != secret.Password && len(runesIn(strings.ToLower(value[f.Lead:]))) < 10
}

func exampleValue(value string) bool {
	low := strings.ToLower(value)
	plain := strings.ToLower(decoded(strings.TrimRight(value[strings.LastIndexByte(value, '_')+1:], "=")))
	return hasAny(low, wordList("exampleWords")) || hasAny(plain, wordList("exampleWords"))
}

// runesIn returns how often each character occurs in text.
func runesIn(text string) map[rune]int {
	n := map[rune]int{}
	for _, r := range text {
		n[r]++
	}
	return n
}

func literalValue(text string, f secret.Span) bool {
	line := text[strings.LastIndexByte(text[:f.From], '\n')+1 : f.From]
	if f.From > 0 && f.To < len(text) && text[f.From-1] == text[f.To] && (text[f.To] == '"' || text[f.To] == '\'') {
		return expr("plainName").MatchString(line)
	}
	return expr("exported").MatchString(line) || len(text[f.From:f.To]) == 40 && expr("awsSecret").MatchString(line)
}

func keyFollows(text string) bool {
	text = strings.NewReplacer(`\r`, " ", `\n`, " ", "\n", " ", "\r", " ", ">", " ", "#", " ").Replace(text)
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, `"',+`)
		if len(word) >= 40 && encoded(word) && !strings.Contains(strings.ToLower(word), "example") && bits64(word) >= 3.5 {
			return true
		}
	}
	return false
}

func encoded(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '=' && (r >= utf8.RuneSelf || !encodedByte(byte(r))) })
}

func bits64(s string) float64 {
	e := 0.0
	for _, n := range runesIn(s) {
		p := float64(n) / float64(len(s))
		e -= p * math.Log2(p)
	}
	return e
}
