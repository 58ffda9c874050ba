package redact

import "strings"

// number looks for a card or a resident registration number that starts inside
// the word s[i:end].
func number(s string, i, end int) (finding, bool) {
	for at := i; at < end; at++ {
		if !digit(s[at]) || at > 0 && (digit(s[at-1]) || s[at-1] == '.') {
			continue
		}
		if to := rrnEnd(s, at); to > 0 {
			return finding{at, to, "rrn"}, true
		}
		if to := cardEnd(s, at); to > 0 && (at == 0 || !word[s[at-1]]) {
			return finding{at, to, "card"}, true
		}
	}
	return finding{}, false
}

// rrnEnd reads YYMMDD-SNNNNNN: a possible date, then a digit that says sex and
// century (1 to 8) and six more.
func rrnEnd(s string, i int) int {
	if len(s) < i+14 || s[i+6] != '-' {
		return 0
	}
	for k := range 14 {
		if k != 6 && !digit(s[i+k]) {
			return 0
		}
	}
	month := int(s[i+2]-'0')*10 + int(s[i+3]-'0')
	day := int(s[i+4]-'0')*10 + int(s[i+5]-'0')
	if month < 1 || month > 12 || day < 1 || day > 31 || s[i+7] < '1' || s[i+7] > '8' {
		return 0
	}
	if len(s) > i+14 && (alnum(s[i+14]) || s[i+14] == '_') {
		return 0
	}
	return i + 14
}

// cardEnd reads 14 to 19 digits, whole or in groups of three or more with one kind of
// separator, that start as card numbers do and whose check digit is right.
func cardEnd(s string, i int) int {
	var digits [19]byte
	n, group := 0, 0
	var sep byte
	to := i
scan:
	for to < len(s) {
		c := s[to]
		switch {
		case digit(c):
			if n == len(digits) {
				return 0
			}
			digits[n] = c - '0'
			n++
			group++
		case (c == ' ' || c == '-') && (sep == 0 || c == sep) && group >= 3 && to+1 < len(s) && digit(s[to+1]):
			sep, group = c, 0
		default:
			break scan
		}
		to++
	}
	if n < 14 || sep != 0 && group < 3 || to < len(s) && (word[s[to]] || s[to] == '.' && to+1 < len(s) && digit(s[to+1])) {
		return 0
	}
	// 2 to 6 are the networks' ranges; 1 starts the Unix times and 0 nothing.
	if digits[0] < 2 || digits[0] > 6 {
		return 0
	}
	sum := 0
	for k := range n {
		d := int(digits[n-1-k])
		if k%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	if sum%10 != 0 {
		return 0
	}
	return to
}

const maxLocal, maxHost = 64, 253 // RFC 5321 and RFC 1035

// email finds the address around the @ at s[at], not reaching before floor.
func email(s string, at, floor int) (finding, bool) {
	from := at
	for from > floor && at-from < maxLocal && (word[s[from-1]] || strings.IndexByte(".%+", s[from-1]) >= 0) {
		from--
	}
	for from < at && !alnum(s[from]) {
		from++
	}
	if from == at || s[from:at] == "git" {
		return finding{}, false
	}
	to, dot := at+1, 0
	for to < len(s) && to-at <= maxHost && (alnum(s[to]) || s[to] == '-' || s[to] == '.') {
		if s[to] == '.' {
			if s[to-1] == '.' || s[to-1] == '@' {
				break
			}
			dot = to
		}
		to++
	}
	for to > at && !alnum(s[to-1]) {
		to--
	}
	if dot >= to {
		dot = strings.LastIndexByte(s[at:to], '.') + at
	}
	if dot <= at || to-dot < 3 {
		return finding{}, false
	}
	for _, c := range []byte(s[dot+1 : to]) {
		if !lower(c) && !upper(c) {
			return finding{}, false
		}
	}
	return finding{from, to, "email"}, true
}

// userinfo finds the password in scheme://user:password@host; s[i:] starts with "://".
func userinfo(s string, i int) (finding, bool) {
	const longest = 512 // of a user and password that anybody uses
	colon := 0
	start := i + len("://")
	for k := start; k < len(s) && k-start < longest; k++ {
		switch c := s[k]; {
		case c == '@':
			if colon == 0 || colon+1 == k || marker(s[colon+1:]) > 0 {
				return finding{}, false
			}
			return finding{colon + 1, k, "password"}, true
		case c == ':' && colon == 0:
			colon = k
		case c == '/' || c == '?' || c == '#' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || space(c) || c >= 0x80:
			return finding{}, false
		}
	}
	return finding{}, false
}
