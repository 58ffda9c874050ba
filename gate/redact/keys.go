package redact

import "strings"

// prefixes are the starts of keys that their issuers made recognisable, with
// the fewest bytes that follow in a real one.
var prefixes = []struct {
	text string
	rest int
}{
	{"sk-", 17}, {"sk_live_", 16}, {"sk_test_", 16}, {"rk_live_", 16},
	{"ghp_", 20}, {"gho_", 20}, {"ghu_", 20}, {"ghs_", 20}, {"ghr_", 20}, {"github_pat_", 20},
	{"xoxb-", 10}, {"xoxa-", 10}, {"xoxp-", 10}, {"xoxr-", 10}, {"xoxs-", 10},
	{"AIza", 30}, {"glpat-", 16}, {"npm_", 30}, {"hf_", 20},
}

// wholeWord looks at the word s[i:end] and, for what spans several words (JWT,
// PEM block, "Bearer …", "--password …"), at what follows it.
func wholeWord(s string, i, end int) (finding, bool) {
	w := s[i:end]
	switch w[0] {
	case '-':
		if strings.HasPrefix(w, "-----BEGIN") {
			return privateKey(s, i)
		}
		return flagValue(s, w, end)
	case 'A':
		if len(w) == 20 && (strings.HasPrefix(w, "AKIA") || strings.HasPrefix(w, "ASIA")) && upperOrDigit(w) {
			return finding{i, end, "api_key"}, true
		}
	case 'B', 'b':
		if strings.EqualFold(w, "bearer") {
			return bearer(s, end)
		}
	case 'e':
		if strings.HasPrefix(w, "eyJ") {
			return jwt(s, i, end)
		}
	}
	for _, p := range prefixes {
		// A digit tells a key from a hyphenated name such as sk-learn-style-estimators.
		if len(w) >= len(p.text)+p.rest && strings.HasPrefix(w, p.text) && hasDigit(w) {
			return finding{i, end, "api_key"}, true
		}
	}
	return finding{}, false
}

func upperOrDigit(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) && !upper(s[i]) {
			return false
		}
	}
	return true
}

// jwt finds header.payload.signature; the signature may be empty.
func jwt(s string, i, end int) (finding, bool) {
	if end-i < 8 || end >= len(s) || s[end] != '.' || !strings.HasPrefix(s[end+1:], "eyJ") {
		return finding{}, false
	}
	end = wordEnd(s, end+1)
	if end < len(s) && s[end] == '.' {
		end = wordEnd(s, end+1)
	}
	return finding{i, end, "jwt"}, true
}

// bearer finds the credentials after a free-standing "Bearer": at least 16
// bytes, one of them a digit, so that "bearer authentication" stays.
func bearer(s string, i int) (finding, bool) {
	from := i
	for from < len(s) && blank(s[from]) {
		from++
	}
	to := credentialEnd(s, from)
	if from == i || to-from < 16 || !hasDigit(s[from:to]) {
		return finding{}, false
	}
	return finding{from, to, "secret"}, true
}

// credentialEnd is where a run of base64, base64url or token bytes ends.
func credentialEnd(s string, i int) int {
	for i < len(s) && (word[s[i]] || strings.IndexByte("._~+/=", s[i]) >= 0) {
		i++
	}
	return i
}

// privateKey finds a PEM block of a private key. Without its END line it lasts
// as long as its lines look like base64.
func privateKey(s string, i int) (finding, bool) {
	const label, end = "PRIVATE KEY", "-----END"
	head := s[i:min(len(s), i+80)]
	at := strings.Index(head, label)
	if at < 0 || strings.ContainsAny(head[:at], "\n\r") {
		return finding{}, false
	}
	from := i + at + len(label)
	// The longest private keys (16,384-bit RSA) take 13 KB.
	if n := strings.Index(s[from:min(len(s), from+16<<10)], end); n >= 0 {
		to := from + n + len(end)
		for to < len(s) && s[to] != '\n' && s[to] != '\r' && !strings.HasPrefix(s[to:], "-----") && s[to] < 0x80 {
			to++
		}
		for to < len(s) && s[to] == '-' {
			to++
		}
		return finding{i, to, "private_key"}, true
	}
	to := from
	for to < len(s) && (alnum(s[to]) || strings.IndexByte("-+/=\n\r", s[to]) >= 0) {
		to++
	}
	return finding{i, to, "private_key"}, true
}
