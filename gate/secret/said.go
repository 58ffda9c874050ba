package secret

import (
	"strings"
	"unicode/utf8"
)

// cjkNames are the names of secrets in Korean, Japanese and Chinese. classes marks
// their first bytes.
var cjkNames = [...]struct {
	name string
	kind nameKind
}{
	{"비밀번호", strongName}, {"비밀 번호", strongName}, {"패스워드", strongName}, {"비번", strongName},
	{"パスワード", strongName}, {"密码", strongName}, {"密碼", strongName},
	{"암호", weakName}, {"토큰", weakName}, {"시크릿", weakName}, {"인증키", weakName},
	{"비밀키", weakName}, {"액세스키", weakName}, {"액세스 키", weakName}, {"시크릿키", weakName},
	{"시크릿 키", weakName}, {"API키", weakName}, {"API 키", weakName}, {"api 키", weakName}, {"api키", weakName},
	{"인증 키", weakName},
}

// particles may stand between a name and what it is said to be.
var particles = [...]string{"는", "은", "가", "이", "를", "을", "도", "란", "は", "是", "为", "為"}

// namedInCJK reads the character at s[i], which is not ASCII: a full-width colon or
// equals sign, or a name that is followed by its value without any sign, as in
// "비밀번호는 abc123! 이야".
func namedInCJK(s string, i, floor int) (Span, bool) {
	switch r, n := utf8.DecodeRuneInString(s[i:]); r {
	case '：', '＝':
		return assignedBy(s, i, i+n, floor)
	case '핀':
		return pinInKorean(s, i)
	case '비', '패', 'パ', '密', '암', '토', '시', '인', '액':
	default:
		return Span{}, false
	}
	rest := s[i:]
	for _, k := range &cjkNames {
		if !strings.HasPrefix(rest, k.name) {
			continue
		}
		from := skipParticle(s, i+len(k.name))
		if at := skipBlanks(s, from); strings.HasPrefix(s[at:], "값") { // 비밀번호 값은
			from = skipParticle(s, at+len("값"))
		}
		return stated(s, from, skipBlanks(s, from), k.kind)
	}
	return Span{}, false
}

// pinInKorean reads "핀번호는 4711" at s[i:], which is a person's or a card's: that of a chip is nobody's.
func pinInKorean(s string, i int) (Span, bool) {
	rest, ok := strings.CutPrefix(s[i:], "핀번호")
	if !ok {
		if rest, ok = strings.CutPrefix(s[i:], "핀 번호"); !ok {
			return Span{}, false
		}
	}
	before := strings.Fields(s[max(0, i-longestName):i])
	if len(before) == 0 {
		return Span{}, false
	}
	for _, owner := range [...]string{"내", "제", "나의", "저의", "우리", "카드", "유심", "통장", "계좌", "은행", "현관", "도어락"} {
		if particle, ok := strings.CutPrefix(before[len(before)-1], owner); ok && (particle == "" || particle == "의") {
			from := skipBlanks(s, skipParticle(s, len(s)-len(rest)))
			if from < len(s) && s[from] == ':' {
				from = skipBlanks(s, from+1)
			}
			return pin(s, from)
		}
	}
	return Span{}, false
}

func skipParticle(s string, i int) int {
	for _, p := range &particles {
		if strings.HasPrefix(s[i:], p) {
			return i + len(p)
		}
	}
	return i
}

// stated judges the word at s[from:], which a sentence says to be a secret. The
// name ends at behind.
func stated(s string, behind, from int, kind nameKind) (Span, bool) {
	if from >= len(s) || from == behind && s[from] != '"' && s[from] != '\'' && s[from] != '`' {
		return Span{}, false
	}
	if q := s[from]; q == '"' || q == '\'' || q == '`' {
		n := strings.IndexByte(s[from+1:min(len(s), from+1+longestPlain)], q)
		if n < 4 {
			return Span{}, false
		}
		v := s[from+1 : from+1+n]
		if notSecret(v) || strings.ContainsAny(v, " \t\n\r/(){}") || !odd(v) {
			return Span{}, false
		}
		return Span{From: from + 1, To: from + 1 + n, Kind: Assigned, What: "secret"}, true
	}
	to := from
	for to < len(s) && s[to] < 0x80 && !space(s[to]) && s[to] != '"' && s[to] != '\'' && s[to] != '`' && s[to] != ',' &&
		s[to] != ';' {
		to++
	}
	if to-from > longestPlain {
		return Span{}, false
	}
	for to > from && strings.IndexByte(".:)]}>", s[to-1]) >= 0 {
		to--
	}
	v := s[from:to]
	if !odd(v) || kind == weakName && (len(v) < 8 || !hasDigit(v)) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// startingWord looks at the word s[i:end] and, for what spans several words (a
// PEM block, "Bearer …", "--password …", "password is …"), at what follows it.
func startingWord(s string, i, end int) (Span, bool) {
	w := s[i:end]
	switch w[0] {
	case '-':
		if strings.HasPrefix(w, "-----BEGIN") {
			return privateKey(s, i)
		}
		return flagged(s, i, end)
	case 'B', 'b':
		if len(w) == len("bearer") && strings.EqualFold(w, "bearer") {
			return bearer(s, end)
		}
	case 'e':
		if strings.HasPrefix(w, "ey") {
			return jwt(s, i, end)
		}
	case 'i', 'w':
		if w == "is" || w == "was" {
			name := i
			for name > 0 && blank(s[name-1]) {
				name--
			}
			if ownPIN(s[:name]) {
				return pin(s, skipBlanks(s, end))
			}
			if kind := kindOfName(s[max(0, name-longestName):name]); kind == strongName || kind == weakName ||
				kind == shortName {
				return stated(s, end, skipBlanks(s, end), kind)
			}
		}
	case 'n', 'N':
		if len(w) == len("net") && strings.EqualFold(w, "net") {
			return netUser(s, end)
		}
	case 'p', 'P':
		switch {
		case len(w) > 3 && w[len(w)-1]|0x20 != 'd' && w[len(w)-1]|0x20 != 'e':
		case strings.EqualFold(w, "password"), strings.EqualFold(w, "passwd"), strings.EqualFold(w, "passphrase"),
			strings.EqualFold(w, "pw"), strings.EqualFold(w, "pwd"):
			return spoken(s, i, end)
		}
	}
	return Span{}, false
}

// ownPIN reports whether before ends in what somebody calls a PIN of a person or a card; a pin
// of a chip is nobody's.
func ownPIN(before string) bool {
	words := strings.Fields(before[max(0, len(before)-longestName):])
	n, code := len(words), false
	if n > 2 && (strings.EqualFold(words[n-1], "code") || strings.EqualFold(words[n-1], "number")) {
		n, code = n-1, true
	}
	if n < 2 || !strings.EqualFold(words[n-1], "pin") {
		return false
	}
	switch strings.ToLower(words[n-2]) {
	case "my", "your", "his", "her", "our", "their":
		return !code // "my pin code is 560001" says where somebody lives
	case "card", "sim", "phone", "bank", "banking", "atm", "debit", "door",
		"alarm", "keypad":
		return true
	}
	return false
}

// pin finds the four to eight digits of a PIN at s[from:].
func pin(s string, from int) (Span, bool) {
	to := from
	for to < len(s) && digit(s[to]) {
		to++
	}
	if n := to - from; n < 4 || n > 8 || to < len(s) && (word(s[to]) || s[to] == '.' && to+1 < len(s) && digit(s[to+1])) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// netUser finds the password in what follows the net of "net user NAME PASSWORD /add". Without an
// option behind it only what no sentence holds is one: "net user growth was 5%" and "the .NET user guide" are prose.
func netUser(s string, i int) (Span, bool) {
	if at := i - len("net"); at > 0 && !space(s[at-1]) && strings.IndexByte("\"'`(>&|;:", s[at-1]) < 0 {
		return Span{}, false
	}
	var span [3][2]int // of user, NAME and PASSWORD
	for k := range span {
		from := skipBlanks(s, i)
		to := from
		if from < len(s) && s[from] == '"' {
			n := strings.IndexByte(s[from+1:min(len(s), from+1+longestPlain)], '"')
			if n < 1 {
				return Span{}, false
			}
			span[k], i = [2]int{from + 1, from + 1 + n}, from+n+2
			continue
		}
		for to < len(s) && to-from <= longestPlain && !space(s[to]) && s[to] < 0x80 &&
			strings.IndexByte("\"'`|;&<>", s[to]) < 0 {
			to++
		}
		if to == from || to-from > longestPlain || from == i {
			return Span{}, false
		}
		span[k], i = [2]int{from, to}, to
	}
	user, v := s[span[0][0]:span[0][1]], s[span[2][0]:span[2][1]]
	if !strings.EqualFold(user, "user") || s[span[1][0]] == '/' || notSecret(v) || v == "*" ||
		!netUserOption(s[i:]) && (len(v) < 8 || !odd(v) || !hasDigit(v) || strings.ToLower(v) == v) {
		return Span{}, false
	}
	return Span{From: span[2][0], To: span[2][1], Kind: Assigned, What: "secret"}, true
}

// netUserOption reports whether s begins with an option of net user.
func netUserOption(s string) bool {
	option, _, _ := strings.Cut(strings.TrimLeft(s, " \t"), " ")
	option, _, _ = strings.Cut(strings.ToLower(option), ":")
	switch strings.TrimRight(option, "\r\n.,`\"'") {
	case "/add", "/domain", "/active", "/comment", "/countrycode", "/expires", "/fullname", "/homedir", "/passwordchg",
		"/passwordreq", "/profilepath", "/scriptpath", "/times", "/usercomment", "/workstations", "/y", "/yes":
		return s[0] == ' ' || s[0] == '\t'
	}
	return false
}

// spoken finds the password behind the bare word, as in .netrc ("login ann password
// x") and in "user ann password x".
func spoken(s string, i, end int) (Span, bool) {
	from := skipBlanks(s, end)
	if from == end || from >= len(s) {
		return Span{}, false
	}
	to := from
	for to < len(s) && to-from <= longestPlain && s[to] > ' ' && s[to] < 0x7f {
		to++
	}
	ahead := strings.Fields(s[max(0, i-80):i])
	if n := len(ahead); to > from && to-from <= longestPlain && n >= 2 && (strings.EqualFold(ahead[n-2], "login") ||
		strings.EqualFold(ahead[n-2], "user") && n >= 3 && ahead[n-3] != "the") {
		if v := s[from:to]; !notSecret(v) && (ahead[n-2] == "login" || odd(v)) {
			return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
		}
	}
	f, ok := stated(s, end, from, strongName)
	if !ok || f.To-f.From < 6 || s[from] != s[f.From] {
		return Span{}, false
	}
	return f, true
}

// bearer finds the credentials after a free-standing "Bearer": at least 16
// bytes that are not a word, so that "bearer authentication" stays.
func bearer(s string, i int) (Span, bool) {
	from := skipBlanks(s, i)
	to := credentialEnd(s, from)
	if from == i || to-from < 16 || !irregular(s[from:min(to, from+mostRead)]) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// jwt finds header.payload.signature; the signature may be empty.
func jwt(s string, i, end int) (Span, bool) {
	if end-i < 8 || end >= len(s) || s[end] != '.' || !strings.HasPrefix(s[end+1:], "ey") {
		return Span{}, false
	}
	if s[i+2] != 'J' && (end-i < 18 || !irregular(s[i:min(end, i+mostRead)])) {
		return Span{}, false
	}
	end = wordEnd(s, end+1)
	if end < len(s) && s[end] == '.' {
		end = credentialEnd(s, end+1)
		for s[end-1] == '.' {
			end--
		}
	}
	return Span{From: i, To: end, Kind: JWT, What: "signed token"}, true
}
