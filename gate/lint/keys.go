package lint

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/secret"
)

var sg504 = &Rule{ID: "SG504", Severity: Warning, Risk: 0.2, Check: func(s *Skill, report Report) {
	left := 10
	texts := s.texts()
	for i := range texts {
		t := &texts[i]
		found := map[int]bool{} // lines
		leak := func(text string, f secret.Span, at Place) {
			if left == 0 || found[at.Line] || f.Kind.Personal() || madeUp(text, f) ||
				strings.HasPrefix(text[f.From:f.To], public) {
				return
			}
			found[at.Line] = true
			left--
			value := text[f.From:f.To]
			head := value[:min(6, len(value))]
			at.Excerpt = strings.ReplaceAll(at.Excerpt, value, head+"…") // the report must not leak it again
			report.at(at, "%s that begins with %q", f.What, head)
		}
		for _, f := range secret.Find(t.src.Text) {
			leak(t.src.Text, f, t.src.Span(f.From, f.To))
		}
		for _, n := range slices.Sorted(maps.Keys(t.other)) {
			for _, f := range secret.Find(t.other[n]) {
				leak(t.other[n], f, t.src.Line(n))
			}
		}
	}
}}

// public begins a PostHog project's key, which every browser is given.
const public = "phc_"

// madeUp reports whether a secret in text is an example or too weak a finding for an
// error: long runs of one character, words such as EXAMPLE, characters in order, a
// header without a key behind it, a short value that some name is given.
func madeUp(text string, f secret.Span) bool {
	value := text[f.From:f.To]
	switch f.Kind {
	case secret.PrivateKey:
		line := text[strings.LastIndexByte(text[:f.From], '\n')+1 : f.From]
		return !keyFollows(text[f.From:min(len(text), f.From+500)]) || testKey.get().MatchString(line)
	case secret.Password:
		before, behind := text[max(0, f.From-100):f.From], text[f.To:min(len(text), f.To+100)]
		if len(value) < 8 || strings.ContainsAny(value, "<>{}$[]") || !databaseURL.get().MatchString(before) ||
			!fullHost.get().MatchString(behind) || exampleHost.get().MatchString(behind) {
			return true
		}
	case secret.JWT:
		if !fullJWT.get().MatchString(value) {
			return true
		}
	case secret.APIKey:
		if f.What == "API key" && len(value) < 40 {
			return true
		}
	case secret.Assigned:
		if !base64Value.get().MatchString(value) || !mixed(value) || bits64(value) < 4 || !literalValue(text, f) {
			return true
		}
	}
	low := strings.ToLower(value[f.Lead:])
	plain := strings.ToLower(decoded(strings.TrimRight(value[strings.LastIndexByte(value, '_')+1:], "=")))
	for _, w := range exampleWords {
		if strings.Contains(low, w) || strings.Contains(plain, w) {
			return true
		}
	}
	kinds := map[rune]bool{}
	for _, r := range low {
		kinds[r] = true
	}
	return f.Kind != secret.Password && len(kinds) < 10
}

// literalValue reports whether what a name is given stands there as programs and
// shells take it: in quotes, exported, or as the secret part of an AWS key.
func literalValue(text string, f secret.Span) bool {
	line := text[strings.LastIndexByte(text[:f.From], '\n')+1 : f.From]
	if f.From > 0 && f.To < len(text) && text[f.From-1] == text[f.To] && (text[f.To] == '"' || text[f.To] == '\'') {
		return plainName.get().MatchString(line)
	}
	return exported.get().MatchString(line) || len(text[f.From:f.To]) == 40 && awsSecret.get().MatchString(line)
}

var (
	exampleWords = []string{
		"example", "xxxx", "your", "placeholder", "abcdef", "abc123", "12345", "54321", "0000", "fake", "dummy", "sample",
		"test", "redacted", "aaaa", "...", "deadbeef", "changeme", "change-me",
		// the last two are of the example of jwt.io: {"sub":"1234567890 and its signature
		"change_me", "password", "passwd", "secret", "mypass", "insert", "replace", "token", "api_key", "apikey",
		"qwerty", "foobar", "demo", "eyjzdwiioiixmjm0nty3odkwi", "sflkxwrjsmekkf2qt4fwpmejf36pok6yjv_adqssw5c",
	}
	// testKey finds the name of a key that whoever wrote a test made for it.
	testKey     = lazy("(?i)(?:^|[^a-z])(?:test|mock|fake|dummy|example)[a-z_0-9]*[\"']?\\s*[:=]\\s*[rb]?[\"'`]*$")
	base64Value = lazy(`^[A-Za-z0-9+/_-]{24,}={0,2}$`)
	fullJWT     = lazy(`^eyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{20,}`)
	plainName   = lazy(`(?i)(?:api_?key|secret(?:_?key)?|access_?token|auth_?token|bot_?token|passw(?:or)?d` +
		`|client_?secret)["']?\s*[:=]\s*["']$`)
	exported    = lazy(`(?i)(?:\bexport\s+|\bset\s+|\$env:)\w*\s*=\s*$`)
	awsSecret   = lazy(`(?i)\baws_?secret_?(?:access_?)?key["']?\s*[:=]\s*$`)
	databaseURL = lazy(`\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?)://[A-Za-z0-9_.-]+:$`)
	fullHost    = lazy(`^@[a-z0-9-]+(?:\.[a-z0-9-]+)+`)
	exampleHost = lazy(`(?i)@(?:localhost|127\.|10\.|192\.168\.|(?:db|host|server|database)(?:\.(?:com|net|local` +
		`|internal))?$|[a-z0-9.-]*\b(?:example|hostname|your|mydb|xxx)\b)`)
)

// keyFollows reports whether text has more of a private key than its header: a line of
// base64, on the next line or behind an escaped line end.
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

// encoded reports whether s holds nothing but characters of base64.
func encoded(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '=' && (r >= utf8.RuneSelf || !encodedByte(byte(r))) })
}

// mixed reports whether s has capitals, small letters and digits.
func mixed(s string) bool {
	var upper, lower, digit bool
	for _, r := range s {
		upper = upper || r >= 'A' && r <= 'Z'
		lower = lower || r >= 'a' && r <= 'z'
		digit = digit || r >= '0' && r <= '9'
	}
	return upper && lower && digit
}

// bits64 is the entropy of s in bits a character.
func bits64(s string) float64 {
	seen := map[rune]int{}
	for _, r := range s {
		seen[r]++
	}
	e := 0.0
	for _, n := range seen {
		p := float64(n) / float64(len(s))
		e -= p * math.Log2(p)
	}
	return e
}
