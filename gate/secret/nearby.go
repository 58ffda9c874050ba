package secret

import "strings"

const (
	nearBefore = 60 // bytes before a word that may say what it is
	nearBehind = 24
)

// nearNames are words for a secret, in small letters and by their first byte, that may stand
// anywhere near it: "set the password to x", "x 가 비밀번호야".
var nearNames = [256][]string{
	'/':  {"/user:"},
	'a':  {"api key", "apikey", "access key", "access token", "api 키", "api키"},
	'c':  {"credential", "creds", "contraseña", "contrasena", "clave"},
	'h':  {"htpasswd"},
	'i':  {"identified by"},
	'k':  {"key is"},
	'l':  {"log in"},
	'm':  {"my token"},
	'o':  {"our token"},
	'p':  {"password", "passwd", "passcode", "passphrase", "pwd", "pw ", "pw는", "pwは"},
	'r':  {"requirepass"},
	's':  {"secret key", "secret은", "sign in"},
	't':  {"the token", "token ", "the secret", "the key"},
	0xE3: {"パスワード", "トークン"},
	0xE4: {"令牌"},
	0xE5: {"密码", "密碼", "口令", "密钥", "合言葉"},
	0xE6: {"暗証番号"},
	0xE9: {"鍵"},
	0xEB: {"비밀번호", "비번", "로그인"},
	0xEC: {"암호", "시크릿", "인증키", "액세스 키"},
	0xED: {"패스워드", "토큰", "키값", "키 값"},
}

// nearby finds a word that nobody writes in prose, around s[i:to], next to a word that
// says it is a secret, in the same sentence and whatever stands between them.
func nearby(s string, i, to, floor int) (Span, bool) {
	if !(i > floor && passwordSign(s[i-1]) || to < len(s) && passwordSign(s[to])) && (to-i < 8 || !manyGroups(s[i:to])) {
		return Span{}, false // as nearly every word with a figure
	}
	from := i
	for from > floor && i-from < longestName && partOfPassword(s[from-1]) {
		from--
	}
	for to < len(s) && to-from <= longestName && partOfPassword(s[to]) {
		to++
	}
	for to > from && strings.IndexByte("?!", s[to-1]) >= 0 && (to == len(s) || s[to] <= ' ') {
		to--
	}
	if to-from > longestName || foreign(s, from, to) || !unspoken(s[from:to]) {
		return Span{}, false
	}
	before, behind := s[max(floor, from-nearBefore):from], s[to:min(len(s), to+nearBehind)]
	if !namesSecret(before) && !namesSecret(behind) {
		return Span{}, false // as nearly everywhere: sentences are looked for where they matter
	}
	if at := max(strings.LastIndex(before, ". "), strings.LastIndexByte(before, '\n')); at >= 0 {
		before = before[at:]
	}
	if at := strings.IndexAny(behind, ".\n"); at >= 0 {
		behind = behind[:at]
	}
	if !namesSecret(before) && !namesSecret(behind) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// manyGroups reports whether a word has several groups of figures and none of the marks that
// join words, as keys do and dates and names of versions do not.
func manyGroups(w string) bool {
	groups := 0
	for i := range len(w) {
		switch {
		case w[i] == '-' || w[i] == '_':
			return false
		case digit(w[i]) && (i == 0 || !digit(w[i-1])):
			groups++
		}
	}
	return groups > 1
}

func passwordSign(c byte) bool { return classes[c]&strange != 0 }

func partOfPassword(c byte) bool { return alnum(c) || passwordSign(c) }

// foreign reports that a word is part of a longer one: of a path, a name or a number.
func foreign(s string, from, to int) bool {
	part := func(i int) bool { return i >= 0 && i < len(s) && strings.IndexByte("/\\_-.=<{[", s[i]) >= 0 }
	return part(from-1) || part(to) && (s[to] != '.' || to+1 < len(s) && alnum(s[to+1]))
}

// unspoken reports whether v is like nothing but a password or key: digits among the
// letters with a sign, in two places with letters of both sizes, or in three.
func unspoken(v string) bool {
	if len(v) < 6 {
		return false
	}
	var groups, letters, signs int
	var small, capital bool
	for i := range len(v) {
		switch c := v[i]; {
		case digit(c):
			if i == 0 || !digit(v[i-1]) {
				groups++
			}
		case alnum(c):
			letters++
			small, capital = small || lower(c), capital || upper(c)
		case c == '-' || c == '_': // gpt-4o-2024-05-13
			return false
		case i > 0 && i < len(v)-1 || c != '?' && c != '*' && c != '@':
			signs++
		}
	}
	return letters > 1 &&
		(groups > 0 && signs > 0 || groups > 1 && small && capital && len(v) >= 8 || groups > 2 && len(v) >= 12) &&
		!technical(v) && !notSecret(v)
}

func namesSecret(s string) bool {
	for at := range len(s) {
		for _, name := range nearNames[small(s[at])] {
			if beginsSmall(s[at:], name) {
				return true
			}
		}
	}
	return false
}

// beginsSmall reports whether s begins with name, which is in small letters.
func beginsSmall(s, name string) bool {
	if len(s) < len(name) {
		return false
	}
	for i := 1; i < len(name); i++ {
		if small(s[i]) != name[i] {
			return false
		}
	}
	return true
}
