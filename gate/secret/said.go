package secret

import "strings"

// cjkNames are the names of secrets in Korean, Japanese and Chinese. classes marks
// their first bytes.
var cjkNames = [...]struct {
	name string
	kind nameKind
}{
	{"비밀번호", strongName}, {"비밀 번호", strongName}, {"패스워드", strongName}, {"비번", strongName}, {"パスワード", strongName}, {"密码", strongName}, {"密碼", strongName},
	{"암호", weakName}, {"토큰", weakName}, {"시크릿", weakName}, {"인증키", weakName}, {"비밀키", weakName}, {"액세스키", weakName}, {"액세스 키", weakName}, {"시크릿키", weakName},
	{"시크릿 키", weakName}, {"API키", weakName}, {"API 키", weakName}, {"api 키", weakName}, {"api키", weakName}, {"인증 키", weakName},
}

// particles may stand between a name and what it is said to be.
var particles = [...]string{"는", "은", "가", "이", "를", "을", "도", "란", "は", "是", "为", "為"}

// namedInCJK reads the character at s[i], which is not ASCII: a full-width colon or
// equals sign, or a name that is followed by its value without any sign, as in
// "비밀번호는 abc123! 이야".
func namedInCJK(s string, i, floor int) (Span, bool) {
	if len(s) < i+3 {
		return Span{}, false
	}
	rest := s[i:]
	switch rest[:3] {
	case "：", "＝":
		return assignedBy(s, i, i+3, floor)
	case "비", "패", "パ", "密", "암", "토", "시", "인", "액":
	default:
		return Span{}, false
	}
	for _, k := range &cjkNames {
		if !strings.HasPrefix(rest, k.name) {
			continue
		}
		from := i + len(k.name)
		for _, p := range &particles {
			if strings.HasPrefix(s[from:], p) {
				from += len(p)
				break
			}
		}
		if at := skipBlanks(s, from); strings.HasPrefix(s[at:], "값") { // 비밀번호 값은
			from = at + len("값")
			for _, p := range particles {
				if strings.HasPrefix(s[from:], p) {
					from += len(p)
					break
				}
			}
		}
		return stated(s, from, skipBlanks(s, from), k.kind)
	}
	return Span{}, false
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
	for to < len(s) && s[to] < 0x80 && !space(s[to]) && s[to] != '"' && s[to] != '\'' && s[to] != '`' && s[to] != ',' && s[to] != ';' {
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
		if strings.EqualFold(w, "bearer") {
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
			if kind := kindOfName(s[max(0, name-longestName):name]); kind == strongName || kind == weakName || kind == shortName {
				return stated(s, end, skipBlanks(s, end), kind)
			}
		}
	case 'p', 'P':
		switch {
		case len(w) > len("passphrase"):
		case strings.EqualFold(w, "password"), strings.EqualFold(w, "passwd"), strings.EqualFold(w, "passphrase"), strings.EqualFold(w, "pw"), strings.EqualFold(w, "pwd"):
			return spoken(s, i, end)
		}
	}
	return Span{}, false
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
	if n := len(ahead); to > from && to-from <= longestPlain && n >= 2 && (strings.EqualFold(ahead[n-2], "login") || strings.EqualFold(ahead[n-2], "user") && n >= 3 && ahead[n-3] != "the") {
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
// bytes that are no word, so that "bearer authentication" stays.
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

// longestCommand bounds how far before a flag its command is looked for.
const longestCommand = 300

// mysql are the commands that take a password right behind -p.
var mysql = []string{"mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "sshpass", "7z"}

// flagged finds what follows a command's flag: --password x, -Password x, curl -u
// ann:x, mysql -px.
func flagged(s string, i, end int) (Span, bool) {
	if i > 0 && !space(s[i-1]) && s[i-1] != '"' && s[i-1] != '\'' {
		return Span{}, false
	}
	w := s[i:end]
	switch {
	case len(w) < 2 || w[1] == 'p' && len(w) > 2 && strings.HasPrefix("password", w[1:]):
	case w == "-p" || w == "-a" || w == "-w" || w == "-k" || w == "-P" || w == "-u" || w == "--user" || w == "-U" || w == "--proxy-user":
		return argument(s, i, end, w)
	case w[1] == 'p' && byCommand(s, i, mysql...):
		to := i + 2
		if to < len(s) && (s[to] == '"' || s[to] == '\'') {
			to++
		}
		from := to
		for to < len(s) && !space(s[to]) && s[to] < 0x80 && strings.IndexByte("\"'`;|<>", s[to]) < 0 {
			to++
		}
		if v := s[from:to]; v == "" || notSecret(v) || strings.HasPrefix(v, "assword") || strings.HasPrefix(v, "ort") || strings.HasPrefix(v, "rotocol") {
			return Span{}, false
		}
		return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
	}
	if end >= len(s) || s[end] != ' ' || len(w) < 5 && !strings.HasPrefix(w, "--") || strings.HasPrefix(strings.TrimLeft(w, "-"), "no") {
		return Span{}, false
	}
	kind := kindOfName(w)
	if kind == noName || kind == authName || kind == vagueName {
		return Span{}, false
	}
	from := skipBlanks(s, end)
	if from < len(s) && s[from] == '-' {
		return Span{}, false
	}
	return value(s, from, kind, sign{spaced: true})
}

// argument finds the secret in what follows the short flag w of a known command.
func argument(s string, i, end int, w string) (Span, bool) {
	from := skipBlanks(s, end)
	if from < len(s) && s[from] == '=' {
		from = skipBlanks(s, from+1)
	}
	if from >= len(s) || from == end && s[from] != '"' && s[from] != '\'' {
		return Span{}, false
	}
	q := s[from]
	if q == '"' || q == '\'' {
		from++
	} else {
		q = 0
	}
	to := from
	for to < len(s) && to-from <= longestPlain && s[to] != '\n' && s[to] != '\r' && (q != 0 && s[to] != q || q == 0 && !space(s[to]) && s[to] < 0x80) {
		to++
	}
	if to-from > longestPlain {
		return Span{}, false
	}
	if strings.HasPrefix(s[from:to], opening) {
		return Span{}, false
	}
	switch w {
	case "-u", "--user", "-U", "--proxy-user":
		if !byCommand(s, i, "curl", "wget", "http", "https", "xh") {
			return Span{}, false
		}
		v := s[from:to]
		n := strings.IndexByte(v, ':')
		switch {
		case n < 0:
			return Span{}, false
		case n == len(v)-1 && n >= 8: // a key as the user
			to = from + n
		default:
			from += n + 1
		}
		for q == 0 && from < to && (s[from] == '"' || s[from] == '\'') && to-from > 2 && s[to-1] == s[from] {
			from, to = from+1, to-1
		}
	case "-p":
		if s[end] != ' ' && byCommand(s, i, mysql...) { // -p'x'
			break
		}
		if !byCommand(s, i, "sshpass", "login", "mongo", "mongosh", "mongodump", "ldapsearch") {
			return Span{}, false
		}
	case "-a":
		if !byCommand(s, i, "redis-cli") && !byCommand(s, i, "http", "https", "xh") {
			return Span{}, false
		}
		if n := strings.IndexByte(s[from:to], ':'); n >= 0 {
			from += n + 1
		}
	case "-k":
		if !byCommand(s, i, "openssl") {
			return Span{}, false
		}
	case "-P":
		if !byCommand(s, i, "unzip", "zip") {
			return Span{}, false
		}
	case "-w":
		if !byCommand(s, i, "ldapsearch", "ldapadd", "ldapmodify", "snmpget") {
			return Span{}, false
		}
	}
	if v := s[from:to]; v == "" || notSecret(v) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// byCommand reports whether one of the commands stands before s[i] on its line;
// lines that end with a backslash go on.
func byCommand(s string, i int, commands ...string) bool {
	line := s[max(0, i-longestCommand):i]
	for at := len(line); ; {
		n := strings.LastIndexByte(line[:at], '\n')
		if n < 0 {
			break
		}
		if !strings.HasSuffix(strings.TrimRight(line[:n], "\r"), `\`) {
			line = line[n+1:]
			break
		}
		at = n
	}
	for _, c := range commands {
		for at := 0; ; {
			n := strings.Index(line[at:], c)
			if n < 0 {
				break
			}
			n += at
			at = n + len(c)
			if (n == 0 || !alnum(line[n-1]) && line[n-1] != '.' && line[n-1] != '-') && (at == len(line) || blank(line[at])) {
				return true
			}
		}
	}
	return false
}
