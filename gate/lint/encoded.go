package lint

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

var sg510 = &Rule{ID: "SG510", Severity: Info, Risk: 0.6, Check: func(s *Skill, report Report) {
	lines := map[Place]bool{}
	say := func(at Place, text string) {
		if key := (Place{Path: at.Path, Line: at.Line}); !lines[key] {
			lines[key] = true
			report.at(at, "%s", text)
		}
	}
	scanLines(s, decoding, 5, placeheld, func(h hit) {
		say(h.t.src.Span(h.start, h.end), fmt.Sprintf("%s: %q", h.p.what, printableShort(h.text())))
	})
	for i := range s.texts() {
		t := &s.texts()[i]
		eachEncoded(t.src.Text, func(start, end int, plain string) bool {
			n := t.src.lineAt(start)
			h := hit{t: t, n: n, line: t.src.line(n), start: start, end: end}
			h.from = start - int(t.src.lines[n-1])
			h.to = min(len(h.line), h.from+end-start)
			if !spokenOf(s, h) && !onlyMadeUp(plain) {
				say(t.src.Span(start, end), fmt.Sprintf("encoded, it says %q", printableShort(plain)))
			}
			return len(lines) < 5
		})
		if start, end, ok := runsLater(t, decoders); ok {
			say(t.src.Span(start, end), "runs what the file decodes: "+t.src.Text[start:end])
		}
	}
}}

// placeheld skips what is shown as an attack, and placeholders: echo ... | base64 -d | sh.
func placeheld(s *Skill, h hit) bool {
	if spokenOf(s, h) || placeholderArgument.get().MatchString(h.line) {
		return true
	}
	made := false
	eachEncoded(h.line, func(_, _ int, plain string) bool {
		made = onlyMadeUp(plain)
		return !made
	})
	return made
}

var placeholderArgument = lazy("(?i)\\becho\\s+[\"'`]?(?:\\.\\.\\.|…|<)" +
	"|\\(\\s*[\"'`](?:\\.\\.\\.|…)?[\"'`]\\s*\\)|\\(\\s*(?:\\.\\.\\.|…|<)")

const decoder = `(?:base64\s+(?:\S+\s+)*?(?:-d|-D|--decode)\b|xxd\s+(?:\S+\s+)*?-r|openssl\s+(?:enc\s+)?[^` +
	`|\n]*-d\b|\brev(?:\s+[\w./-]+)?\s|\btr\s+["']?[A-Za-z]-[A-Za-z]\S*\s+["']?[N-Zn-z]-[A-Za-z])`

// interpreter runs what it is given: "python3 -m json.tool" and "perl -ne" run something else on it.
const interpreter = `(?:sudo\s+)?(?:python[\d.]*|node|perl|ruby|php)\s*(?:-u\s*)?` +
	"(?:-(?:\\s|$)|$|[\n;&|)\"'`#<>])"

var decoding = []pattern{
	{[]string{"base64", "xxd", "openssl", "rev", "tr "},
		lazy(decoder + `[^|\n]*\|\s*(?:` + shell + `|` + interpreter + `)`), "decodes and runs"},
	{[]string{"base64", "xxd"},
		lazy("\\b(?:eval|(?:ba|z)?sh\\s+-\\w*c|(?:ba|z)?sh\\s*<<<|source)\\s*[\"']?(?:\\$\\(|`)[^\\n]*" + decoder),
		"decodes and runs"},
	{[]string{"b64decode", "fromhex", "codecs.decode", "marshal", "decompress", "unhexlify"}, lazy(
		`\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?(?:__import__\(["']\w+["']\)\.)?(?:\w+\.)*(?:b64decode` +
			`|b32decode|a85decode|fromhex|unhexlify|decode|loads|decompress)\s*\(`), "decodes and runs"},
	{[]string{"atob(", "buffer.from", "fromcharcode", "unescape("}, lazy(
		`\b(?:eval|Function|setTimeout)\s*\(\s*(?:atob|Buffer\.from|unescape|decodeURIComponent` +
			`|String\.fromCharCode)\s*\(`), "decodes and runs"},
	{[]string{"-e"}, lazy(`(?i)\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]*\s-e(?:nc?|ncodedcommand` +
		`|c)?\s+["']?[A-Za-z0-9+/=]{40,}`), "runs an encoded command"},
	{[]string{"frombase64string"}, lazy(`(?i)\b(?:iex|invoke-expression)\b[^\n]*frombase64string\s*\(` +
		`|frombase64string\s*\([^\n]*\|\s*(?:iex|invoke-expression)\b`), "decodes and runs"},
	{[]string{`\x`}, lazy(`\$'(?:\\x[0-9a-fA-F]{2}){2,}'|(?:\\x[0-9a-fA-F]{2}){4,}[^|\n]*\|\s*` + shell),
		"spells a command in numbers"},
	{[]string{"decode", "base64"}, lazy(`(?i)\bdecode\b[^.\n]{0,60}\b(?:and|then)\b[^.\n]{0,20}\b(?:follow|execute` +
		`|run|obey|do what|carry out)\b(?: it\b| what| the (?:instructions?|commands?|result))`),
		"asks the model to decode and follow"},
}

const (
	minEncoded = 24      // characters of encoded text that can hold a command
	maxEncoded = 1 << 16 // longer runs are images and fonts
)

// eachEncoded calls f for the base64 and hexadecimal text that says a command, with
// what it says, until f returns false.
func eachEncoded(text string, f func(start, end int, plain string) bool) {
	for i := 0; i < len(text); {
		if !encodedByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && encodedByte(text[i]) {
			i++
		}
		end := i
		for i < len(text) && text[i] == '=' {
			i++
		}
		if end-start < minEncoded || end-start > maxEncoded || strings.HasSuffix(text[:start], "base64,") {
			continue
		}
		if plain := decoded(text[start:end]); plain != "" && saysCommand.get().MatchString(plain) && !f(start, i, plain) {
			return
		}
	}
}

func encodedByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

// decoded returns what base64 or hexadecimal text says, "" where that is not text.
func decoded(s string) string {
	if b, err := hex.DecodeString(s); err == nil {
		return readable(b)
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return ""
	}
	return readable(b)
}

// readable returns text in UTF-8 or UTF-16 without its controls, "" for other bytes.
func readable(b []byte) string {
	if len(b) > 4 && b[1] == 0 && b[3] == 0 {
		half := make([]byte, 0, len(b)/2)
		for i := 0; i < len(b); i += 2 {
			half = append(half, b[i])
		}
		b = half
	}
	if !utf8.Valid(b) {
		return ""
	}
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return ""
		}
	}
	return string(b)
}

var saysCommand = lazy(`(?i)\b(?:curl|wget)\s.*(?:https?://|\||\d\.\d)|/bin/(?:ba|z)?sh\b|/dev/tcp/|\brm\s+-\w*r` +
	`|\biex\b.*(?:iwr|irm|http|download)|invoke-expression|os\.system\(|subprocess\.|child_process` +
	`|net\.(?:webclient|sockets)|\bignore (?:all |the )*(?:previous|prior)|powershell|\bchmod\s+\+x|\bnc\s+-e`)

// decoders are the calls that give a script text from what nobody can read.
var decoders = lazy(`(?i)b64decode|fromhex|unhexlify|a85decode|\batob\(|Buffer\.from\([^\n]*["']base64["']` +
	`|marshal\.loads|zlib\.decompress`)

// runsLater finds the place where a script runs what it has from one of the calls.
func runsLater(t *textFile, calls *expression) (start, end int, ok bool) {
	if !t.script || !calls.get().MatchString(t.src.Text) {
		return 0, 0, false
	}
	var from flow
	for _, m := range runsVariable.get().FindAllStringIndex(t.src.Text, 20) {
		n := t.src.lineAt(m[0] + 1)
		line := strings.TrimSpace(t.src.line(n))
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "def ") ||
			strings.HasPrefix(line, "function ") || strings.Contains(line, "re.") ||
			strings.ContainsAny(line[:max(0, strings.Index(line, "e"))], `"'`) {
			continue
		}
		if from == nil {
			from = flowFrom(t.src.Text, calls)
		}
		if from.in(t.src.Text[m[0]:m[1]]) {
			return m[0], m[1], true
		}
	}
	return 0, 0, false
}

var runsVariable = lazy(`(?:^|[^\w.])(?:exec|eval)\s*\(\s*[A-Za-z_]\w*(?:\.decode\(\s*\))?\s*[,)]`)
