package secret

import (
	"slices"
	"strings"
)

// longestCommand is the maximum distance, in bytes, between a command and its flag.
const longestCommand = 300

// mysql lists the commands that accept a password directly after -p.
const mysql = "mysql mysqldump mysqladmin mariadb mariadb-dump sshpass 7z"

// shortFlags lists the flags whose argument is a secret or, if user is set, a user, a colon and a secret.
var shortFlags = [...]struct {
	flags, commands string
	user            bool
}{
	{"-u --user -U --proxy-user", "curl wget http https xh", true},
	{"-a", "redis-cli http https xh", true},
	{"-p", "sshpass login mongo mongosh mongodump ldapsearch", false},
	{"-k", "openssl", false},
	{"-P", "unzip zip", false},
	{"-w", "ldapsearch ldapadd ldapmodify snmpget", false},
}

// flagged finds the secret after a command's flag, as in --password x, -Password x, curl -u ann:x and mysql -px.
func flagged(s string, i, end, floor int) (Span, bool) {
	if i > 0 && !space(s[i-1]) && s[i-1] != '"' && s[i-1] != '\'' {
		return Span{}, false
	}
	w := s[i:end]
	switch {
	case w == "-S" || w == "--password-stdin" || w == "--stdin":
		return piped(s, i, floor)
	case len(w) < 2 || w[1] == 'p' && len(w) > 2 && strings.HasPrefix("password", w[1:]):
	case len(w) == 2 && strings.IndexByte("pawkPuU", w[1]) >= 0, w == "--user", w == "--proxy-user":
		return argument(s, i, end, w)
	case w[1] == 'p' && byCommand(s, i, mysql):
		from, to, _ := argumentAt(s, i+2, "\"'`;|<>")
		for to-from > longestPlain && to < len(s) && visible(s[to]) {
			to++
		}
		if v := s[from:to]; v == "" || notSecret(v) || strings.HasPrefix(v, "assword") || strings.HasPrefix(v, "ort") ||
			strings.HasPrefix(v, "rotocol") {
			return Span{}, false
		}
		return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
	}
	if end >= len(s) || s[end] != ' ' || len(w) < 5 && !strings.HasPrefix(w, "--") ||
		strings.HasPrefix(strings.TrimLeft(w, "-"), "no") {
		return Span{}, false
	}
	kind := kindOfName(w)
	if kind == noName || kind == authName || kind == vagueName || kind == gluedName {
		return Span{}, false
	}
	from := skipBlanks(s, end)
	if from < len(s) && s[from] == '-' {
		return Span{}, false
	}
	return value(s, from, kind, sign{spaced: true})
}

// piped finds a secret that is piped into a command, as in echo x | sudo -S.
func piped(s string, i, floor int) (Span, bool) {
	line := s[max(floor, i-longestCommand):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	pipe := strings.LastIndexByte(line, '|')
	if pipe < 0 {
		return Span{}, false
	}
	written := strings.TrimRight(line[:pipe], " ")
	from := max(strings.LastIndex(written, "echo "), strings.LastIndex(written, "printf ")) + 1
	if from == 0 {
		return Span{}, false
	}
	from += strings.IndexByte(written[from-1:], ' ')
	if strings.HasPrefix(written[from:], "-n ") || strings.HasPrefix(written[from:], "%s ") {
		from += 3
	}
	v := strings.Trim(written[from:], "'\" ")
	from += strings.Index(written[from:], v)
	if v == "" || notSecret(v) || strings.ContainsAny(v, "$`|") {
		return Span{}, false
	}
	from += i - len(line)
	return Span{From: from, To: from + len(v), Kind: Assigned, What: "secret"}, true
}

// argumentAt returns the span of the argument at s[i] without its quotes, and its end with them. An argument without
// quotes also ends at any byte in stop.
func argumentAt(s string, i int, stop string) (from, to, end int) {
	q := byte(' ')
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		q = s[i]
		i++
	}
	to = i
	for to < len(s) && to-i <= longestPlain && s[to] != '\n' && s[to] != '\r' && s[to] != q &&
		(q != ' ' || s[to] != '\t' && s[to] < 0x80 && strings.IndexByte(stop, s[to]) < 0) {
		to++
	}
	if q != ' ' {
		return i, to, min(len(s), to+1)
	}
	return i, to, to
}

func argument(s string, i, end int, w string) (Span, bool) {
	from := skipBlanks(s, end)
	if from < len(s) && s[from] == '=' {
		from = skipBlanks(s, from+1)
	}
	if from >= len(s) || from == end && s[from] != '"' && s[from] != '\'' {
		return Span{}, false
	}
	from, to, next := argumentAt(s, from, "")
	if to-from > longestPlain || strings.HasPrefix(s[from:to], opening) {
		return Span{}, false
	}
	known := w == "-p" && s[end] != ' ' && byCommand(s, i, mysql) // as in -p'x'
	for _, f := range shortFlags {
		if known || !slices.Contains(strings.Fields(f.flags), w) || !byCommand(s, i, f.commands) {
			continue
		}
		known = true
		n := strings.IndexByte(s[from:to], ':')
		switch {
		case !f.user:
		case n < 0 && w != "-a":
			return Span{}, false
		case n == to-from-1 && n >= 8: // as in "KEY:", without a password
			to = from + n
		default:
			from += n + 1
		}
		if next == to && to-from > 2 && quote(s[from]) && s[to-1] == s[from] {
			from, to = from+1, to-1
		}
	}
	if !known {
		return Span{}, false
	}
	if v := s[from:to]; v == "" || notSecret(v) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// byCommand reports whether one of the commands comes before s[i] on its line. A line that ends with a backslash
// continues on the next one.
func byCommand(s string, i int, commands string) bool {
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
	for c := range strings.FieldsSeq(commands) {
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
