package lint

import (
	"fmt"
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
	Bad:      file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\nSet `GITHUB_TOKEN=ghp_"+"a8Xk2LmQ9rT4vZ7wB1cD5eF6gH3jK0nPqRsT`.\n"),
	Good:     file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\nSet `GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`.\n"),
	Check: func(s *Skill, report Report) {
		scanLines(s, keys, 10, nil, func(src *Source, start, end int, p pattern) {
			value := src.Text[start:end]
			if madeUp(value) {
				return
			}
			at := src.Span(start, end)
			at.Excerpt = strings.ReplaceAll(at.Excerpt, value, value[:min(6, len(value))]+"…") // the report is no second leak
			report(Problem{At: at, Text: fmt.Sprintf("%s that begins with %q", p.what, value[:min(6, len(value))])})
		})
	},
}

var keys = []pattern{
	{[]string{"akia", "asia"}, lazy(`\b(AKIA|ASIA)[A-Z0-9]{16}\b`), "AWS access key"},
	{[]string{"ghp_", "gho_", "ghs_", "ghu_", "github_pat_"}, lazy(`\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})\b`), "GitHub token"},
	{[]string{"sk-"}, lazy(`\bsk-(ant-[A-Za-z0-9_-]{24,}|proj-[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{40,})\b`), "API key"},
	{[]string{"xox"}, lazy(`\bxox[baprs]-[0-9]{6,}-[A-Za-z0-9-]{16,}\b`), "Slack token"},
	{[]string{"aiza"}, lazy(`\bAIza[A-Za-z0-9_-]{35}\b`), "Google API key"},
	{[]string{"glpat-"}, lazy(`\bglpat-[A-Za-z0-9_-]{20}\b`), "GitLab token"},
	{[]string{"sk_live_", "rk_live_"}, lazy(`\b[sr]k_live_[A-Za-z0-9]{20,}\b`), "Stripe key"},
	{[]string{"npm_"}, lazy(`\bnpm_[A-Za-z0-9]{36}\b`), "npm token"},
	{[]string{"private key-----"}, lazy(`-----BEGIN (RSA |EC |OPENSSH |DSA |PGP )?PRIVATE KEY( BLOCK)?-----\s*$`), "private key"},
}

// madeUp reports whether a key is an example: long runs of one character, words
// such as EXAMPLE, or characters in order.
func madeUp(key string) bool {
	if strings.HasPrefix(key, "-----") {
		return true // a header without the key's text on this line is how keys are documented
	}
	low := strings.ToLower(key)
	for _, w := range []string{"example", "xxxx", "your", "placeholder", "abcdef", "12345", "0000", "fake", "dummy", "sample", "test", "redacted", "aaaa", "...", "deadbeef", "changeme"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	kinds := map[rune]bool{}
	for _, r := range low {
		kinds[r] = true
	}
	return len(kinds) < 10
}
