package redact

import "strings"

// kind of a key in front of "=" or ":".
const (
	noKey     = iota
	weakKey   // token, secret, key: also ordinary words of code and prose
	strongKey // password and the like: whatever is assigned is one
	authKey   // Authorization header
)

// keyNames are matched at the end of a name whose case, "_" and "-" do not
// count: DB_PASSWORD, x-api-key, accessToken.
var keyNames = []struct {
	name string
	kind int
}{
	{"password", strongKey}, {"passwd", strongKey}, {"passphrase", strongKey},
	{"secret", weakKey}, {"token", weakKey}, {"apikey", weakKey}, {"accesskey", weakKey},
	{"secretkey", weakKey}, {"privatekey", weakKey}, {"credential", weakKey}, {"pwd", weakKey},
	{"authorization", authKey},
	{"비밀번호", strongKey}, {"패스워드", strongKey}, {"비번", strongKey},
	{"암호", weakKey}, {"토큰", weakKey}, {"시크릿", weakKey},
}

const (
	longestKey   = 48   // bytes of a name that are looked at
	longestQuote = 1024 // bytes of a quoted value that are looked at
	longestPlain = 256  // bytes without a blank that may be a word or code; more is a secret
)

// keyKind classifies the name that ends s.
func keyKind(s string) int {
	if len(s) == 0 || s[len(s)-1] < 0x80 && !alnum(s[len(s)-1]) {
		return noKey
	}
	if s[len(s)-1] >= 0x80 {
		for _, k := range keyNames {
			if strings.HasSuffix(s, k.name) {
				return k.kind
			}
		}
		return noKey
	}
	var buf [longestKey]byte
	at := len(buf)
	for i := len(s) - 1; i >= 0 && at > 0 && word[s[i]]; i-- {
		c := s[i]
		if c == '_' || c == '-' {
			continue
		}
		if upper(c) {
			c += 'a' - 'A'
		}
		at--
		buf[at] = c
	}
	for _, k := range keyNames {
		if strings.HasSuffix(string(buf[at:]), k.name) {
			return k.kind
		}
	}
	return noKey
}

// assigned finds the value after the "=" or ":" at s[at] where the name in
// front of it is that of a secret. It does not look before floor.
func assigned(s string, at, floor int) (finding, bool) {
	name := at
	for name > floor && blank(s[name-1]) {
		name--
	}
	spaced := name < at
	if name > floor && (s[name-1] == '"' || s[name-1] == '\'' || s[name-1] == '`') {
		name--
	}
	key := keyKind(s[max(floor, name-longestKey):name])
	if key == noKey {
		return finding{}, false
	}
	from := at + 1
	for from < len(s) && (s[from] == '=' || s[from] == '>') { // =>, ==, :=
		from++
	}
	start := from
	for from < len(s) && blank(s[from]) {
		from++
	}
	spaced = spaced || from > start
	if key == authKey {
		return header(s, from)
	}
	query := strings.IndexByte("?&", before(s, name)) >= 0
	return value(s, from, key, spaced, query)
}

// before returns the byte in front of the word that ends at end, 0 where there is none.
func before(s string, end int) byte {
	for end > 0 && word[s[end-1]] {
		end--
	}
	if end == 0 {
		return 0
	}
	return s[end-1]
}

// header finds the credentials of an Authorization header, after their scheme.
func header(s string, from int) (finding, bool) {
	if from < len(s) && (s[from] == '"' || s[from] == '\'') {
		from++
	}
	for _, scheme := range []string{"bearer", "basic", "token", "apikey", "digest"} {
		if len(s) > from+len(scheme) && strings.EqualFold(s[from:from+len(scheme)], scheme) && blank(s[from+len(scheme)]) {
			from += len(scheme)
			for from < len(s) && blank(s[from]) {
				from++
			}
			break
		}
	}
	to := credentialEnd(s, from)
	if to-from < 6 {
		return finding{}, false
	}
	return finding{from, to, "secret"}, true
}

// value judges the text at s[from:] that is assigned to a key. spaced says that
// there is a blank next to the sign, as in prose and formatted code; query that
// the assignment is part of a URL's query.
func value(s string, from, key int, spaced, query bool) (finding, bool) {
	if from >= len(s) {
		return finding{}, false
	}
	if q := s[from]; q == '"' || q == '\'' || q == '`' {
		n := strings.IndexAny(s[from+1:min(len(s), from+1+longestQuote)], string(q)+"\n\r")
		if n <= 0 || s[from+1+n] != q {
			return finding{}, false
		}
		v := s[from+1 : from+1+n]
		if notSecret(v) || key == weakKey && (len(v) < 8 || strings.ContainsAny(v, " \t")) {
			return finding{}, false
		}
		return finding{from + 1, from + 1 + n, "secret"}, true
	}
	to := from
	for to < len(s) && !space(s[to]) && s[to] != '"' && s[to] != '\'' && s[to] != '`' {
		if query && s[to] == '&' || s[from] < 0x80 && s[to] >= 0x80 {
			break
		}
		to++
	}
	// Taking what is long keeps the scan linear: nothing long is read twice.
	if to-from > longestPlain {
		return finding{from, to, "secret"}, true
	}
	for to > from && strings.IndexByte(".,;:?)]}>", s[to-1]) >= 0 {
		to--
	}
	v := s[from:to]
	if v == "" || notSecret(v) || strings.ContainsAny(v, "([{") && spaced {
		return finding{}, false
	}
	if key == weakKey && (len(v) < 8 || !hasDigit(v)) {
		return finding{}, false
	}
	// A plain word next to a blank is a word of the sentence, a type or a
	// variable, unless nothing follows it on its line.
	if spaced && plain(v) && !lineEnds(s, to) {
		return finding{}, false
	}
	return finding{from, to, "secret"}, true
}

// flagValue finds what follows a command-line flag such as --password.
func flagValue(s, w string, end int) (finding, bool) {
	if !strings.HasPrefix(w, "--") || end >= len(s) || s[end] != ' ' {
		return finding{}, false
	}
	key := keyKind(w)
	if key != strongKey && key != weakKey {
		return finding{}, false
	}
	from := end
	for from < len(s) && blank(s[from]) {
		from++
	}
	if from < len(s) && s[from] == '-' {
		return finding{}, false
	}
	return value(s, from, key, true, false)
}

// plain reports whether v is only letters and the joints of identifiers.
func plain(v string) bool {
	for i := range len(v) {
		if c := v[i]; !lower(c) && !upper(c) && c != '.' && c != '_' && c < 0x80 {
			return false
		}
	}
	return true
}

func lineEnds(s string, i int) bool {
	for i < len(s) && (blank(s[i]) || strings.IndexByte(".,;:!?", s[i]) >= 0) {
		i++
	}
	return i == len(s) || s[i] == '\n' || s[i] == '\r'
}

// notSecret holds types, literals, references and masks that stand where a
// secret would.
func notSecret(v string) bool {
	switch {
	case strings.HasPrefix(v, opening),
		strings.HasPrefix(v, "$"), strings.HasPrefix(v, "{{"), strings.HasPrefix(v, "<"), strings.HasPrefix(v, "%("),
		strings.HasPrefix(v, "/"), strings.HasPrefix(v, "~/"),
		strings.HasPrefix(v, "process.env"), strings.HasPrefix(v, "os.environ"), strings.HasPrefix(v, "os.getenv"),
		strings.Trim(v, "*•xX.…-_") == "":
		return true
	}
	switch strings.ToLower(strings.TrimRight(v, "?|")) {
	case "string", "str", "text", "varchar", "bytes", "number", "int", "integer", "any", "object", "null", "nil",
		"none", "undefined", "true", "false", "bool", "boolean", "required", "optional", "secret", "password", "token",
		"self", "self.password", "self.token":
		return true
	}
	return false
}
