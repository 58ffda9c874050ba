package lint

import (
	"fmt"
	"math"
	"strings"
)

var secret = &Rule{
	ID:       "SG504",
	Title:    "secret in the text",
	Why:      "whoever gets the skill gets the key, and the model is shown it whenever the skill is loaded",
	Advice:   "revoke the key and read it from the environment instead",
	See:      "https://cwe.mitre.org/data/definitions/798.html",
	Since:    v1,
	Group:    GroupSafety,
	Severity: Error,
	Risk:     0.2,
	Bad:      long("pdf", "Fills PDF forms. Use when a task names a .pdf file.", "\nSet `GITHUB_TOKEN=ghp_"+"a8Xk2LmQ9rT4vZ7wB1cD5eF6gH3jK0nPqRsT`.\n"),
	Good:     long("pdf", "Fills PDF forms. Use when a task names a .pdf file.", "\nSet `GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`.\n"),
	Check: func(s *Skill, report Report) {
		scanLines(s, keys, 10, func(_ *Skill, h hit) bool { return madeUp(h) }, func(h hit) {
			value := secretPart(h.text())
			head := value[:min(6, len(value))]
			at := h.t.src.Span(h.start, h.end)
			at.Excerpt = strings.ReplaceAll(at.Excerpt, value, head+"…") // the report is no second leak
			report(Problem{At: at, Text: fmt.Sprintf("%s that begins with %q", h.p.what, head)})
		})
	},
}

const privateKey = "private key"

var keys = []pattern{
	{[]string{"akia", "asia"}, lazy(`\b(AKIA|ASIA)[A-Z0-9]{16}\b`), "AWS access key"},
	{[]string{"secret"}, lazy(`(?i)\baws_?secret_?(?:access_?)?key["']?\s*[:=]\s*["']?[A-Za-z0-9/+]{40}\b`), "AWS secret key"},
	{[]string{"ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_"}, lazy(`\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})\b`), "GitHub token"},
	{[]string{"sk-"}, lazy(`\bsk-(ant-[A-Za-z0-9_-]{24,}|proj-[A-Za-z0-9_-]{24,}|svcacct-[A-Za-z0-9_-]{24,}|or-v1-[0-9a-f]{48,}|[A-Za-z0-9]{40,})\b`), "API key"},
	{[]string{"xox"}, lazy(`\bxox[baprs]-[0-9]{6,}-[A-Za-z0-9-]{16,}\b`), "Slack token"},
	{[]string{"hooks.slack.com"}, lazy(`hooks\.slack\.com/services/T[A-Z0-9]{7,}/B[A-Z0-9]{7,}/[A-Za-z0-9]{20,}`), "Slack webhook"},
	{[]string{"/api/webhooks/"}, lazy(`discord(?:app)?\.com/api/webhooks/[0-9]{16,}/[A-Za-z0-9_-]{50,}`), "Discord webhook"},
	{[]string{":aa"}, lazy(`(?:\b|bot)[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}`), "Telegram bot token"},
	{[]string{"aiza"}, lazy(`\bAIza[A-Za-z0-9_-]{35}\b`), "Google API key"},
	{[]string{"gocspx-"}, lazy(`\bGOCSPX-[A-Za-z0-9_-]{28}\b`), "Google client secret"},
	{[]string{"glpat-"}, lazy(`\bglpat-[A-Za-z0-9_-]{20}\b`), "GitLab token"},
	{[]string{"sk_live_", "rk_live_"}, lazy(`\b[sr]k_live_[A-Za-z0-9]{20,}\b`), "Stripe key"},
	{[]string{"npm_"}, lazy(`\bnpm_[A-Za-z0-9]{36}\b`), "npm token"},
	{[]string{"hf_"}, lazy(`\bhf_[A-Za-z]{34}\b`), "Hugging Face token"},
	{[]string{"gsk_", "xai-"}, lazy(`\b(gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{70,})\b`), "API key"},
	{[]string{"pypi-"}, lazy(`\bpypi-AgE[A-Za-z0-9_-]{50,}`), "PyPI token"},
	{[]string{"sg."}, lazy(`\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b`), "SendGrid key"},
	{[]string{"dop_v1_", "shpat_", "dapi"}, lazy(`\b(dop_v1_[0-9a-f]{64}|shpat_[0-9a-f]{32}|dapi[0-9a-f]{32})\b`), "API token"},
	{[]string{"eyj"}, lazy(`\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{20,}`), "signed token"},
	{[]string{"private key"}, lazy(`-----BEGIN (RSA |EC |OPENSSH |DSA |PGP |ENCRYPTED )?PRIVATE KEY( BLOCK)?-----`), privateKey},
	{[]string{"://"}, lazy(`\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?)://[A-Za-z0-9_.-]+:[^\s:@/"'` + "`" + `<>{}$\[\]]{8,}@[a-z0-9-]+(?:\.[a-z0-9-]+)+`), "password"},
	{[]string{"export ", "set ", "env:"}, lazy(`(?i)(?:\bexport\s+|\bset\s+|\$env:)\w*(?:API_?KEY|TOKEN|SECRET|PASSWORD)\s*=\s*[A-Za-z0-9+/_-]{24,}={0,2}(?:[\s` + "`" + `]|$)`), "secret"},
	{[]string{"key", "secret", "token", "passw"}, lazy(`(?i)(?:api_?key|secret(?:_?key)?|access_?token|auth_?token|bot_?token|passw(?:or)?d|client_?secret)["']?\s*[:=]\s*["'][A-Za-z0-9+/_-]{24,}={0,2}["']`), "secret"},
}

// secretPart is the key in what a pattern matched: behind the name it is assigned
// to, or the password of an address.
func secretPart(match string) string {
	match = strings.TrimRight(match, " \t`")
	if strings.Contains(match, "://") {
		_, rest, _ := strings.Cut(match, "://")
		_, rest, _ = strings.Cut(rest, ":")
		password, _, _ := strings.Cut(rest, "@")
		return password
	}
	if i := strings.LastIndexAny(match, " =:\"'"); i == len(match)-1 && i > 0 {
		match = match[:i]
	}
	if strings.HasPrefix(match, "-----") {
		return match
	}
	if i := strings.LastIndexAny(match, " =\"'"); i >= 0 && len(match)-i > 20 {
		return match[i+1:]
	}
	return match
}

// madeUp reports whether a key is an example: long runs of one character, words
// such as EXAMPLE, characters in order, a header without a key behind it.
func madeUp(h hit) bool {
	if h.p.what == privateKey {
		return !keyFollows(h)
	}
	value := secretPart(h.text())
	low := strings.ToLower(value)
	for _, w := range exampleWords {
		if strings.Contains(low, w) {
			return true
		}
	}
	switch h.p.what {
	case "password":
		return exampleHost.get().MatchString(h.text())
	case "secret":
		return !mixed(value) || bits64(value) < 4
	}
	kinds := map[rune]bool{}
	for _, r := range low {
		kinds[r] = true
	}
	return len(kinds) < 10
}

var (
	exampleWords = []string{
		"example", "xxxx", "your", "placeholder", "abcdef", "12345", "54321", "0000", "fake", "dummy", "sample", "test", "redacted", "aaaa", "...", "deadbeef", "changeme", "change-me",
		"change_me", "password", "passwd", "secret", "mypass", "insert", "replace", "token", "api_key", "apikey", "qwerty", "foobar", "demo", "sflkxwrjsmekkf2qt4fwpmejf36pok6yjv_adqssw5c", // the last signs the example of jwt.io
	}
	exampleHost = lazy(`(?i)@(?:localhost|127\.|10\.|192\.168\.|(?:db|host|server|database)(?:\.(?:com|net|local|internal))?$|[a-z0-9.-]*\b(?:example|hostname|your|mydb|xxx)\b)`)
)

// keyFollows reports whether the text of a private key stands behind its header: a
// line of base64, on the next line or behind an escaped line end.
func keyFollows(h hit) bool {
	text := h.t.src.Text[h.end:min(len(h.t.src.Text), h.end+400)]
	text = strings.NewReplacer(`\r`, " ", `\n`, " ", "\n", " ", "\r", " ", ">", " ", "#", " ").Replace(text)
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, `"',+`)
		if len(word) >= 40 && isBase64(word) && !strings.Contains(strings.ToLower(word), "example") && bits64(word) >= 3.5 {
			return true
		}
	}
	return false
}

func isBase64(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=') {
			return false
		}
	}
	return true
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
