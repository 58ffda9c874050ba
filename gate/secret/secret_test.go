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

// Assembled, so that secret scanners do not stop at this file.
var (
	openai = "sk-" + "proj-Ab3dEf6hIj9kLm2nOp5q"
	github = "ghp" + "_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	jwtKey = "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	pem    = "-----BEGIN RSA " + "PRIVATE " +
		"KEY-----\nMIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu\nKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAw" +
		"EAAQ==\n-----END RSA " + "PRIVATE KEY-----"
)

var cases = []struct {
	name, in, want string
}{
	{"OpenAI key in a sentence", "use " + openai + ", please", "use [redacted:api_key], please"},
	{"GitHub token next to Hangul", "토큰은" + github + "입니다", "토큰은[redacted:api_key]입니다"},
	{"fine-grained GitHub token", "github_pat_" + "11ABCDEFG0aBcDeFgHiJkLmN", "[redacted:api_key]"},
	{"Slack bot token", "xoxb-" + "1234567890-abcdef", "[redacted:api_key]"},
	{"AWS access key id", "AKIA" + "IOSFODNN7EXAMPQR in prod", "[redacted:api_key] in prod"},
	{"Google key", "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q", "[redacted:api_key]"},
	{"GitLab, npm and Hugging Face", "glpat-" + "x1y2z3A4B5C6D7E8F9G0 npm_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 " +
		"hf_aBcDeFgHiJkLmNoPqRsT12", "[redacted:api_key] [redacted:api_key] [redacted:api_key]"},
	{"hyphenated name that starts with sk-", "the sk-learn-style-estimator-checks module", "the sk-learn-style-estimator-checks module"},
	{"JWT", "curl with " + jwtKey + " fails", "curl with [redacted:jwt] fails"},
	{"base64 that is no JWT", "eyJhbGciOiJIUzI1NiJ9 decodes to what?", "eyJhbGciOiJIUzI1NiJ9 decodes to what?"},
	{"PEM private key", "key:\n" + pem + "\nend", "key:\n[redacted:private_key]\nend"},
	{"PEM private key cut off", "-----BEGIN " + "PRIVATE KEY-----\nMIIBOgIBAAJB\nAKj34Gkx", "[redacted:private_key]"},
	{"PEM certificate is public", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"},

	{"password in an environment line", "DB_PASSWORD=hunter next", "DB_PASSWORD=[redacted:secret] next"},
	{"password with a colon", "password: hunter2 does not work", "password: [redacted:secret] does not work"},
	{"password alone on its line", "password: hunter\nuser: ann", "password: [redacted:secret]\nuser: ann"},
	{"word after password in prose", "reset password: users cannot log in", "reset password: users cannot log in"},
	{"type of a password", "interface { password: string; token: string }", "interface { password: string; token: string }"},
	{"call that reads a password", "password = getpass.getpass() in python", "password = getpass.getpass() in python"},
	{"reference to the environment", "token=$GITHUB_TOKEN secret: ${{ secrets.KEY }}", "token=$GITHUB_TOKEN secret: ${{ secrets.KEY }}"},
	{"masked password", "password=****** shown", "password=****** shown"},
	{"JSON key", `{"apiKey":"abc def","api_key": "k3yk3yk3y","n":1}`, `{"apiKey":"abc def","api_key": "[redacted:secret]","n":1}`},
	{"token limit", "max_token: 4096, tokens: 12", "max_token: 4096, tokens: 12"},
	{"token in a query string", "GET /x?token=abc123def456&user=ann", "GET /x?token=[redacted:secret]&user=ann"},
	{"Authorization header", "Authorization: Bearer abcdef.ghijkl", "Authorization: Bearer [redacted:secret]"},
	{"quoted basic header", `-H "Authorization: Basic YW5uOnB3ZA=="`, `-H "Authorization: Basic [redacted:secret]"`},
	{"bearer in prose", "explain bearer authentication", "explain bearer authentication"},
	{"flag with a password", "mysql --password hunter2 -u root", "mysql --password [redacted:secret] -u root"},
	{"flag talked about", "add a --password flag to it", "add a --password flag to it"},
	{"Korean password", "서버 비밀번호: abc123! 로 접속해줘", "서버 비밀번호: [redacted:secret] 로 접속해줘"},
	{"Korean password with a particle", "비밀번호=abc123입니다", "비밀번호=[redacted:secret]입니다"},
	{"Korean sentence about passwords", "비밀번호 재설정 메일이 안 와요", "비밀번호 재설정 메일이 안 와요"},

	{"e-mail address", "mail ann.lee+x@mail.example.co.kr today", "mail [redacted:email] today"},
	{"e-mail before a Korean particle", "ann@example.com으로 보내줘", "[redacted:email]으로 보내줘"},
	{"e-mail at the end of a sentence", "write to ann@example.com.", "write to [redacted:email]."},
	{"git remote", "clone git@github.com:org/repo.git", "clone git@github.com:org/repo.git"},
	{"npm scope and version", "@types/node and left-pad@1.3.0", "@types/node and left-pad@1.3.0"},
	{"decorator", "the @app.route decorator", "the @app.route decorator"},
	{"card with blanks", "pay 4111 1111 1111 1111 now", "pay [redacted:card] now"},
	{"card with hyphens", "5555-5555-5555-4444", "[redacted:card]"},
	{"card with a wrong check digit", "4111 1111 1111 1112", "4111 1111 1111 1112"},
	{"Unix time in milliseconds", "at 1732098765432 it broke", "at 1732098765432 it broke"},
	{"resident registration number", "주민번호 900101-1234567 확인", "주민번호 [redacted:rrn] 확인"},
	{"not a date", "order 991399-1234567", "order 991399-1234567"},
	{"URL with a password", "postgres://ann:s3cr:et@db.local:5432/x", "postgres://ann:[redacted:password]@db.local:5432/x"},
	{"URL without one", "http://localhost:8080/a@b", "http://localhost:8080/a@b"},
	{"a value once more", "password=tulip7pw! and tulip7pw! please", "password=[redacted:secret] and [redacted:secret] please"},
	{"a value before it is named", "tulip7pw fails. password: tulip7pw", "[redacted:secret] fails. password: [redacted:secret]"},
	{"a plain word once more", "DB_PASSWORD=sunflower and a sunflower", "DB_PASSWORD=[redacted:secret] and a sunflower"},
	{"a part of a longer word", "password=tulip7pw tulip7pwx", "password=[redacted:secret] tulip7pwx"},
	{"already redacted", "password=[redacted:secret] and [redacted:email]", "password=[redacted:secret] and [redacted:email]"},
	{"invalid UTF-8 stays", "a\xffb ann@example.com \xc3", "a\xffb [redacted:email] \xc3"},
	{"nothing to redact", "이 PR 리뷰해줘: src/auth.go", "이 PR 리뷰해줘: src/auth.go"},
	{"empty", "", ""},
}

func TestRedact(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			got := Redact(tt.in)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, got, Redact(got))
		})
	}
}

func TestTextWithoutSecretsIsNotCopied(t *testing.T) {
	text := strings.Repeat("리뷰해줘: foo = bar(1) at 12:30, see a.b/c ", 100)
	assert.Equal(t, float64(0), testing.AllocsPerRun(10, func() { Redact(text) }))
}

// Text that provokes every detector over and over: a scanner that starts again at
// each byte would need minutes for these, one that does not a tenth of a second.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"eyJ", "eyJaaaaaaaa.", "a@", "password:", "password: \"", "-----BEGIN PRIVATE KEY-----",
		"1 1 1 ", "4111 ", "://a:", "--password ", "bearer ", "secret='", "[redacted:", "token=====", "비밀번호:", "0-", "sk-",
		"sk-a-", "ey-", "eyJ-", "glpat-", "A3-", "xoxe.", "SG.aa.", "01", "+1 ", "+1(", "://a:b@", "<token>", "-p ",
		"curl -u ", "curl -u a:b ", "password is ", "login a password ", "-----BEGIN PRIVATE KEY-----\n",
		"hooks.slack.com/services/", ":A", "Q~", "-us1", "900101-", "value", "password=\"a\n", "비번 ", "비밀번호는 a", "：",
		"password：", "|aaaa", "password is \"", "net use a ", "admin/x1!", "a1 비밀번호 ", "계정 a/b1! ", "AB12 ", "키 ", "password=a1b2c "} {
		text := strings.Repeat(unit, 512<<10/len(unit))
		start := time.Now()
		Redact(text)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("Redact(%q repeated to 512 KiB) took %v, want under 20 s", unit, took)
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

// FuzzRedact: spans are in order, within the text and whole characters; redacting
// twice changes nothing more, valid UTF-8 stays valid, and text without anything
// found comes back as it went in.
func FuzzRedact(f *testing.F) {
	for _, tt := range cases {
		f.Add(tt.in)
	}
	for _, tt := range readTexts(f, "found.txt") {
		f.Add(strings.NewReplacer("‹", "", "›", "").Replace(tt.text))
	}
	for _, tt := range readTexts(f, "kept.txt") {
		f.Add(tt.text)
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

// A log is mostly figures, and each of them may be a part of a key, a card or a number.
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

// nextKey looks for the patterns that start with a byte in one place.
func TestTableIsSortedAndWellFormed(t *testing.T) {
	starts.once.Do(prepare)
	for i, k := range starts.table {
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
		if i > 0 && starts.table[i-1].lead+starts.table[i-1].pattern >= k.lead+k.pattern {
			t.Errorf("pattern %q comes after %q", k.pattern, starts.table[i-1].pattern)
		}
		if shortest < shortestKey && lit != ".webhook.office.com/webhookb2/" && lit != "_mmk" && lit != "-us" && lit != "." {
			t.Errorf("%s: pattern %q has keys of %d bytes, want %d", k.what, k.pattern, shortest, shortestKey)
		}
	}
}

// Each cue of the table is found where it begins, and each name where it ends.
func TestCuesAreReached(t *testing.T) {
	words.once.Do(readWords)
	for i, c := range words.cues[1:] {
		if c.kind == noName || c.kind == authName {
			continue
		}
		assert.Equal(t, c.text, strings.ToLower(c.text), c.text)
		text := "an sms for the phone " + c.text
		found := false
		for at := 0; at < len(text); {
			var p place
			p, at = cueAt(text, at)
			found = found || p.kind != noName
		}
		named := c.kind <= vagueName && kindOfName(c.text) == c.kind
		if !found && !named {
			t.Errorf("cue %d, %q, is not found", i+1, c.text)
		}
	}
}
