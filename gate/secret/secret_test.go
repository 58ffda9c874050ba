package secret

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRedact(t *testing.T) {
	for _, tt := range readTexts(t, "redacted.txt") {
		t.Run(tt.name, func(t *testing.T) {
			got := Redact(tt.text)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, got, Redact(got))
		})
	}
}

func TestTextWithoutSecretsIsNotCopied(t *testing.T) {
	text := strings.Repeat("리뷰해줘: foo = bar(1) at 12:30, see a.b/c ", 100)
	assert.Equal(t, float64(0), testing.AllocsPerRun(10, func() { Redact(text) }))
}

// Texts that provoke every detector over and over. A scanner that starts again at each byte would need minutes.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"eyJ", "eyJaaaaaaaa.", "a@", "password:", "password: \"", "-----BEGIN PRIVATE KEY-----",
		"1 1 1 ", "4111 ", "://a:", "--password ", "bearer ", "secret='", "[redacted:", "token=====", "비밀번호:", "0-", "sk-",
		"sk-a-", "ey-", "eyJ-", "glpat-", "A3-", "xoxe.", "SG.aa.", "01", "+1 ", "+1(", "://a:b@", "<token>", "-p ",
		"curl -u ", "curl -u a:b ", "password is ", "login a password ", "-----BEGIN PRIVATE KEY-----\n",
		"hooks.slack.com/services/", ":A", "Q~", "-us1", "900101-", "value", "password=\"a\n", "비번 ", "비밀번호는 a", "：",
		"password：", "|aaaa", "password is \"", "net use a ", "admin/x1!", "a1 비밀번호 ", "계정 a/b1! ", "AB12 ", "키 ", "password=a1b2c "} {
		text := strings.Repeat(unit, 256<<10/len(unit))
		start := time.Now()
		Redact(text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("Redact(%q repeated to 256 KiB) took %v, want under 5 s", unit, took)
		}
	}
}

func TestNoRegexp(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	for _, dep := range strings.Fields(string(out)) {
		assert.NotEqual(t, "regexp", dep)
	}
}

// Spans are in order, inside the text and of whole characters. Redacting twice changes nothing more, valid UTF-8
// stays valid, and text without secrets stays as it is.
func FuzzRedact(f *testing.F) {
	for _, file := range []string{"redacted.txt", "found.txt", "kept.txt"} {
		for _, tt := range readTexts(f, file) {
			f.Add(strings.NewReplacer("‹", "", "›", "").Replace(tt.text))
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, f := range Find(s) {
			if f.From < at || f.From >= f.To || f.To > len(s) {
				t.Fatalf("Find(%q) has %+v behind %d", s, f, at)
			}
			if utf8.ValidString(s) && !(utf8.ValidString(s[:f.From]) && utf8.ValidString(s[:f.To])) {
				t.Errorf("Find(%q) has %+v, which splits a character", s, f)
			}
			at = f.To
		}
		got := Redact(s)
		if again := Redact(got); again != got {
			t.Errorf("Redact(Redact(%q)) = %q, want %q", s, again, got)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("Redact(%q) = %q, not valid UTF-8", s, got)
		}
		if got != s && !strings.Contains(got, opening) {
			t.Errorf("Redact(%q) = %q, changed without a mark", s, got)
		}
	})
}

// Logs are mostly digits, each of which may be part of a key, a card or a number.
func BenchmarkRedactFigures(b *testing.B) {
	const unit = "2026-03-04T10:22:31.221Z INFO req=8f31ac02 took 132ms, 4 of 1,024 rows; port 8080, v1.24.3, id 20931, 0x7ffd12ab, " +
		"12.5 % (n=381), gpt-4o-2024-05-13, line 42:17, sha256 3f9c2ab7d1e0\n"
	text := strings.Repeat(unit, 12<<10/len(unit))
	b.ReportAllocs()
	for b.Loop() {
		Redact(text)
	}
}

func BenchmarkRedact(b *testing.B) {
	const unit = "이 PR 리뷰해줘, then fix src/auth.go: token = next(tokens) and run the tests again. See " +
		"https://example.com/docs/guide?page=2 and `go test ./...`.\n" +
		"| a | b |\n    if err != nil { return fmt.Errorf(\"read %s: %w\", name, err) }\n설정 파일을 읽어서 값이 없으면 기본값을 쓰도록 바꿔주세요. commit 3f9c2ab7d1e0 at 12:30, user_id=42\n"
	for _, size := range []int{12 << 10, 1 << 20} {
		text := strings.Repeat(unit, size/len(unit))
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Redact(text)
			}
		})
	}
}

// nextKey needs the patterns that start with the same byte to be adjacent.
func TestTableIsSortedAndWellFormed(t *testing.T) {
	starts.once.Do(prepare)
	for i := range starts.lines {
		k := shapeAt(uint16(i))
		lit := literal(k.pattern)
		if lit == "" || strings.ContainsFunc(lit, func(r rune) bool { return r >= 0x80 || classes[r]&inKey == 0 }) {
			t.Errorf("%s: pattern %q starts with %q, want bytes of keys", k.what, k.pattern, lit)
		}
		shortest := len(lit)
		for p := strings.TrimRight(k.pattern[len(lit):], "?!"); p != ""; {
			n := 1
			if p[0] == '<' {
				class, count, _, length := group(p)
				shortest += count
				n = length
				assert.True(t, inClass(class, '7'), "%s: pattern %q has no class %q", k.what, k.pattern, class)
			} else {
				shortest++
			}
			p = p[n:]
		}
		if i > 0 && keyData[starts.lines[i-1]:starts.lines[i]] >= keyData[starts.lines[i]:] {
			t.Errorf("pattern %q comes too late", k.pattern)
		}
		if shortest < shortestKey && lit != ".webhook.office.com/webhookb2/" && lit != "_mmk" && lit != "-us" && lit != "." {
			t.Errorf("%s: pattern %q has keys of %d bytes, want %d", k.what, k.pattern, shortest, shortestKey)
		}
	}
}

// Each cue of the table is found at its start, and each name at its end.
func TestCuesAreReached(t *testing.T) {
	words.once.Do(readWords)
	for i, c := range words.cues[1:] {
		cue := c.text()
		if c.kind == noName || c.kind == authName {
			continue
		}
		assert.NotRegexp(t, "[A-Z]", cue)
		text := "an sms for the phone " + cue
		found := false
		for at := 0; at < len(text); {
			var p place
			p, at = cueAt(text, at)
			found = found || p.kind != noName
		}
		named := c.kind <= vagueName && kindOfName(cue) == c.kind
		if !found && !named {
			t.Errorf("cue %d, %q, is not found", i+1, cue)
		}
	}
}
