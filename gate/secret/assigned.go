package secret

import "strings"

// kind of a name in front of a value.
type nameKind uint8

const (
	noName     nameKind = iota
	vagueName           // key, auth: only what is long and irregular is one
	weakName            // token, secret, api key: also ordinary words of code and prose
	shortName           // pass, pw: secret names that are also words
	strongName          // password and the like: what is assigned is one
	authName            // Authorization header
	pairName            // account, login: a user and a secret follow
	pinName             // only figures are one
	idName              // a number of a person or of what they own
)

// names are matched at the end of a name without its "_", "-" and ".", in small
// letters: DB_PASSWORD, x-api-key, accessToken. They are sorted by their last letter.
var names = ['z' + 1][]struct {
	name string
	kind nameKind
}{
	'd': {
		{"password", strongName}, {"passwd", strongName}, {"pswd", strongName}, {"pwd", weakName},
		{"accesskeyid", weakName}, {"accessid", weakName}, {"cred", vagueName}, {"sessionid", vagueName},
		{"sessid", vagueName}, {"clientid", vagueName}, {"appid", vagueName},
	},
	'e': {
		{"passphrase", strongName}, {"passcode", strongName}, {"secretkeybase", weakName}, {"signature", vagueName},
	},
	'g': {
		{"secretstring", weakName}, {"sig", vagueName},
	},
	'h': {
		{"auth", vagueName},
	},
	'l': {
		{"credential", weakName},
	},
	'n': {
		{"token", weakName}, {"login", vagueName}, {"session", vagueName}, {"dsn", vagueName},
		{"authorization", authName},
	},
	's': {
		{"storepass", strongName}, {"keypass", strongName}, {"secrets", weakName}, {"credentials", weakName},
		{"access", vagueName}, {"creds", vagueName},
	},
	't': {
		{"passwort", strongName}, {"secret", weakName}, {"salt", vagueName},
	},
	'y': {
		{"publickey", noName}, {"apikey", weakName}, {"accesskey", weakName}, {"secretkey", weakName},
		{"privatekey", weakName},
		{"encryptionkey", weakName}, {"signingkey", weakName}, {"accountkey", weakName}, {"sharedkey", weakName},
		{"authkey", weakName}, {"masterkey", weakName}, {"jwtkey", weakName}, {"hmackey", weakName},
		{"servicekey", weakName}, {"rolekey", weakName}, {"licensekey", weakName}, {"deploykey", weakName},
		{"appkey", weakName}, {"clientkey", weakName}, {"consumerkey", weakName}, {"sessionkey", weakName},
		{"cipherkey", weakName}, {"aeskey", weakName}, {"passkey", weakName}, {"key", vagueName},
	},
}

// wholeNames are names or the last parts of names that the ends of other words look like.
func wholeName(part string) nameKind {
	switch part {
	case "pass", "pw", "passw", "pword":
		return shortName
	}
	return noName
}

// suffix reports whether part, the last one of a name, only says which of several
// secrets it is.
func suffix(part string) bool {
	if strings.Trim(part, "0123456789") == "" {
		return true
	}
	switch part {
	case "prod", "production", "dev", "development", "stage", "staging", "test", "live", "local", "qa", "uat",
		"value", "val", "new", "old", "primary", "secondary",
		"backup", "default", "main", "b64", "base64", "raw", "str", "string", "read", "write", "ro", "rw", "admin", "root":
		return true
	}
	return false
}

const (
	longestName  = 48   // bytes of a name that are looked at
	longestQuote = 1024 // bytes of a quoted value that are looked at
	longestLines = 256  // the same where it goes over line ends
	longestPlain = 256  // bytes without a blank that may be a word or code; more is a secret
)

// kindOfName classifies the name that ends s.
func kindOfName(s string) nameKind {
	if len(s) == 0 {
		return noName
	}
	if s[len(s)-1] >= 0x80 {
		for _, list := range &phrases {
			for _, p := range list {
				if n := len(s) - len(p.text); p.kind <= strongName && n >= 0 && beginsSmall(s[n:], p.text) {
					return p.kind
				}
			}
		}
		return noName
	}
	end := len(s)
	for end > 0 && digit(s[end-1]) {
		end--
	}
	if end > 0 && alnum(s[end-1]) {
		s = s[:end] // password2
	}
	// The parts at the end that tell several secrets apart: API_KEY_2, TOKEN_PROD.
	for range 2 {
		i := len(s)
		for i > 0 && alnum(s[i-1]) {
			i--
		}
		if i < 2 || i == len(s) || s[i-1] != '_' && s[i-1] != '-' && s[i-1] != '.' || !alnum(s[i-2]) {
			break
		}
		var buf [12]byte
		if len(s)-i > len(buf) || !suffix(lowered(buf[:0], s[i:])) {
			break
		}
		s = s[:i-1]
	}
	if s == "" || !alnum(s[len(s)-1]) {
		return noName
	}
	last := s[len(s)-1] | 0x20
	if last > 'z' || names[last] == nil && last != 's' && last != 'w' { // pass, pw
		return noName
	}
	var buf [longestName]byte
	at := len(buf)
	part := 0  // where the last part of the name starts in buf
	first := 0 // where the word starts that ends the name
	for i := len(s) - 1; i >= 0 && at > 0 && (word(s[i]) || s[i] == '.' || s[i] == ' '); i-- {
		c := s[i]
		if c == ' ' {
			if first > 0 {
				break
			}
			first = at
		}
		if c == '_' || c == '-' || c == '.' || c == ' ' {
			if part == 0 {
				part = at
			}
			continue
		}
		if upper(c) {
			c += 'a' - 'A'
		}
		at--
		buf[at] = c
		if part == 0 && upper(s[i]) && i > 0 && lower(s[i-1]) {
			part = at
		}
	}
	first = max(first, at)
	joined := part > first
	if part == 0 {
		part = at
	}
	name := string(buf[at:]) // does not escape: no copy
	for _, n := range names[last] {
		if !strings.HasSuffix(name, n.name) {
			continue
		}
		if n.kind != vagueName || len(n.name) == len(buf)-first || joined && len(n.name) < len(buf)-first {
			return n.kind
		}
	}
	return wholeName(string(buf[part:]))
}

// mayName reports whether a word may end in one of the names that prose has, by its last letters.
func mayName(w string) bool {
	n := len(w)
	if n < 3 {
		return n == 2 && small(w[0]) == 'p' && small(w[1]) == 'w'
	}
	var buf [3]byte
	switch lowered(buf[:0], w[n-3:]) {
	case "ord", "swd", "pwd", "ase", "ode", "ial", "als", "ken", "ort", "ret", "ets", "key", "ass", "uth":
		return true
	}
	return digit(w[n-1]) || strings.IndexByte(w, '_') >= 0
}

// lowered appends s in small letters to buf and returns it as a string.
func lowered(buf []byte, s string) string {
	for i := range len(s) {
		buf = append(buf, small(s[i]))
	}
	return string(buf)
}

// sign is how a value is put behind a name.
type sign struct {
	spaced bool // blanks are next to it, as in prose and formatted code
	query  bool // the assignment is part of a URL's query
	line   bool // the value is a line of its own
	equals bool // "=" and not ":"
	env    bool // the name is in capitals, as in files of settings
}

// assigned finds the value after the sign at s[at] where the name in front of it is
// that of a secret: "name = value", "name: value", `"name", "value"`,
// "<name>value</". It does not look before floor.
func assigned(s string, at, floor int) (Span, bool) {
	switch s[at] {
	case '>':
		return element(s, at, floor)
	case '=':
		if at > floor && strings.IndexByte(":=!<>", s[at-1]) >= 0 { // the first of := has been looked at
			return Span{}, false
		}
	case ',':
		if at < floor+2 {
			return Span{}, false
		}
		from := skipBlanks(s, at+1)
		if from >= len(s) || s[from] != s[at-1] {
			return Span{}, false
		}
	}
	return assignedBy(s, at, at+1, floor)
}

// assignedBy is assigned for a sign that is s[at:to].
func assignedBy(s string, at, to, floor int) (Span, bool) {
	name := at
	if s[at] == '=' && name > floor && strings.IndexByte(".?|+", s[name-1]) >= 0 { // .=, ?=
		name--
	}
	for name > floor && blank(s[name-1]) {
		name--
	}
	if name == floor {
		return Span{}, false
	}
	if c := s[name-1]; c < 0x80 && !alnum(c) && strings.IndexByte("\"'`*\\", c) < 0 {
		return Span{}, false
	}
	how := sign{spaced: name < at && blank(s[at-1]), equals: s[at] == '='}
	quoted := name > floor && (s[name-1] == '"' || s[name-1] == '\'' || s[name-1] == '`')
	if quoted {
		if name--; name > floor && s[name-1] == '\\' {
			name--
		}
	} else if name > floor+1 && s[name-1] == '*' && s[name-2] == '*' { // **password**: …
		name -= 2
	}
	kind := kindOfName(s[max(floor, name-longestName):name])
	if kind == noName {
		if s[at] == ',' {
			return Span{}, false
		}
		if name, kind = nameBefore(s, name, floor); kind == noName {
			return Span{}, false
		}
	}
	from := to
	for from < len(s) && s[from] == ':' { // ::=
		from++
	}
	if from > to && (from == len(s) || s[from] != '=') {
		return Span{}, false
	}
	for from < len(s) && (s[from] == '=' || s[from] == '>') { // =>, ==, :=
		from++
	}
	start := from
	from = skipBlanks(s, from)
	if from+1 < len(s) && s[from] == '*' && s[from+1] == '*' { // **password:** …
		from = skipBlanks(s, from+2)
	}
	how.spaced = how.spaced || from > start
	if kind == authName {
		if s[at] == ',' {
			return Span{}, false
		}
		return header(s, from)
	}
	b, first := before(s, name)
	how.query = b == '?' || b == '&'
	how.env = first >= 0 && !strings.ContainsFunc(s[first:name], func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 0x80
	})
	if next := lineBehind(s, from); next > 0 {
		if kind != strongName && kind != shortName && kind != weakName || quoted {
			return Span{}, false
		}
		from, how.line = next, true
	}
	f, ok := value(s, from, kind, how)
	if s[at] == ',' && ok && !(hasDigit(s[f.From:f.To]) && irregular(s[f.From:f.To])) {
		return Span{}, false // a list of names
	}
	return f, ok
}

// lineBehind returns where the next line's text starts, if nothing but YAML's sign
// of a text block is on the rest of this one, or 0.
func lineBehind(s string, i int) int {
	if i < len(s) && (s[i] == '|' || s[i] == '>') {
		if i++; i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
	}
	for i < len(s) && s[i] == '\r' {
		i++
	}
	if i+1 >= len(s) || s[i] != '\n' {
		return 0
	}
	return skipBlanks(s, i+1)
}

// nameBefore returns the end and kind of a name that is not next to its sign: of
// typed variables, "password is: x", and pairs such as name="PASSWORD" value="x".
// The word next to the sign ends at end.
func nameBefore(s string, end, floor int) (int, nameKind) {
	from := end
	for from > floor && end-from < 8 && word(s[from-1]) {
		from--
	}
	pair := false
	switch strings.ToLower(s[from:end]) {
	case "string", "str", "is", "text":
	case "value":
		pair = true
	default:
		return end, noName
	}
	i := from
	for i > floor && from-i < 40 && (space(s[i-1]) || s[i-1] == ':' || pair && strings.IndexByte(`"',-{}`, s[i-1]) >= 0) {
		i--
	}
	if i == from {
		return end, noName
	}
	kind := kindOfName(s[max(floor, i-longestName):i])
	if kind == vagueName || kind == authName {
		kind = noName
	}
	return i, kind
}

// before returns the byte in front of the word that ends at end, 0 where there is
// none, and where the word starts.
func before(s string, end int) (byte, int) {
	i := end
	for i > 0 && end-i < longestName && word(s[i-1]) {
		i--
	}
	if i == 0 {
		return 0, i
	}
	return s[i-1], i
}

// element finds the text of <password>text</password>; s[at] is the ">".
func element(s string, at, floor int) (Span, bool) {
	name := at
	for name > floor && at-name < longestName && (word(s[name-1]) || s[name-1] == '.' || s[name-1] == ':') {
		name--
	}
	if name == at || name == floor || s[name-1] != '<' {
		return Span{}, false
	}
	kind := kindOfName(s[name:at])
	if kind == noName || kind == authName {
		return Span{}, false
	}
	from := at + 1
	for from < len(s) && from-at < longestName && space(s[from]) {
		from++
	}
	n := strings.IndexByte(s[from:min(len(s), from+longestLines)], '<')
	if n <= 0 || !strings.HasPrefix(s[from+n:], "</") {
		return Span{}, false
	}
	v := strings.TrimRight(s[from:from+n], " \t\r\n")
	if notSecret(v) || kind == vagueName && !random(v) || kind == weakName && (len(v) < 8 || !hasDigit(v)) {
		return Span{}, false
	}
	return Span{From: from, To: from + len(v), Kind: Assigned, What: "secret"}, true
}

// header finds the credentials of an Authorization header, after their scheme.
func header(s string, from int) (Span, bool) {
	for from < len(s) && (s[from] == '"' || s[from] == '\'' || s[from] == '\\') {
		from++
	}
	scheme := false
	for _, w := range []string{"bearer", "basic", "token", "apikey", "api-token", "key", "digest"} {
		if len(s) > from+len(w) && strings.EqualFold(s[from:from+len(w)], w) && blank(s[from+len(w)]) {
			from, scheme = skipBlanks(s, from+len(w)), true
			break
		}
	}
	to := credentialEnd(s, from)
	if v := s[from:to]; to-from < 6 || !scheme && plain(v) || placeholder(v) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// credentialEnd is where a run of base64, base64url or token bytes ends.
func credentialEnd(s string, i int) int {
	for i < len(s) && (word(s[i]) || strings.IndexByte("._~+/=", s[i]) >= 0) {
		i++
	}
	return i
}

// value judges the text at s[from:] that a name of this kind is given.
func value(s string, from int, kind nameKind, how sign) (Span, bool) {
	if from < len(s) && s[from] == '\\' { // JSON in JSON
		from++
	}
	if from >= len(s) {
		return Span{}, false
	}
	if q := s[from]; q == '"' || q == '\'' || q == '`' {
		return quoted(s, from, kind, how)
	}
	to := from
	for to < len(s) && !space(s[to]) && s[to] != '"' && s[to] != '\'' && s[to] != '`' {
		if how.query && s[to] == '&' || s[from] < 0x80 && s[to] >= 0x80 {
			break
		}
		to++
	}
	// Taking what is long keeps the scan linear: nothing long is read twice.
	if to-from > longestPlain {
		return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
	}
	if n := strings.Index(s[from:to], "</"); n > 0 {
		to = from + n
	}
	for to > from && strings.IndexByte(`.,;:?)]}>\`, s[to-1]) >= 0 {
		to--
	}
	v := s[from:to]
	switch {
	case v == "" || notSecret(v) || strings.ContainsAny(v, "([{") && (how.spaced || call(v)):
		return Span{}, false
	case kind == weakName && (len(v) < 8 || !hasDigit(v) && !(how.env && how.equals && !how.spaced) || placeholder(v)),
		kind == vagueName && !random(v):
		return Span{}, false
	case kind == shortName && (len(v) < 4 || !how.equals && plain(v) || strings.Trim(v, "0123456789.%/") == ""):
		return Span{}, false
	case how.line:
		// A line of its own: what is not a word, and nothing else is there.
		if !odd(v) || !lineEnds(s, to) || strings.IndexByte("-#*|", v[0]) >= 0 {
			return Span{}, false
		}
	case how.spaced && plain(v) && (!lineEnds(s, to) || kind == shortName):
		// A plain word next to a blank is a word of the sentence, a type or a
		// variable, unless nothing follows it on its line.
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// quoted judges the quoted value at s[from:].
func quoted(s string, from int, kind nameKind, how sign) (Span, bool) {
	q := s[from : from+1]
	rest := s[from+1 : min(len(s), from+1+longestQuote)]
	n := strings.IndexAny(rest, q+"\n\r")
	if n > 0 && rest[n] != q[0] && (kind == strongName || how.env) {
		// "first⏎second": closed soon, with no empty line and no other name between.
		n = strings.Index(rest[:min(len(rest), longestLines)], q)
		if n > 0 && (strings.Contains(rest[:n], "\n\n") || strings.ContainsAny(rest[:n], ":={}<>;")) {
			n = -1
		}
	}
	if n <= 0 || rest[n] != q[0] {
		return Span{}, false
	}
	v := rest[:n]
	if v[len(v)-1] == '\\' {
		v = v[:len(v)-1]
	}
	if v == "" || notSecret(v) || q == "`" && blank(v[0]) {
		return Span{}, false
	}
	words := strings.ContainsAny(v, " \t")
	switch kind {
	case weakName:
		if len(v) < 8 || placeholder(v) || words && !(how.env && how.equals) {
			return Span{}, false
		}
	case vagueName:
		if !random(v) {
			return Span{}, false
		}
	case shortName:
		if words || len(v) < 4 || !how.equals && plain(v) {
			return Span{}, false
		}
	}
	return Span{From: from + 1, To: from + 1 + len(v), Kind: Assigned, What: "secret"}, true
}

// call reports whether v starts as the call of a function does.
func call(v string) bool {
	i := strings.IndexByte(v, '(')
	return i > 0 && plain(v[:i])
}

// plain reports whether v is only letters and the joints of identifiers.
func plain(v string) bool {
	for i := range len(v) {
		if c := v[i]; !lower(c) && !upper(c) && c != '.' && c != '_' && c != '/' && c < 0x80 {
			return false
		}
	}
	return true
}

// random reports whether v looks made by a machine: 16 or more bytes of a key's
// alphabet, irregular, and not the same few of them.
func random(v string) bool {
	if len(v) < 16 || !irregular(v) || !hasDigit(v) {
		return false
	}
	var seen [4]uint64
	different := 0
	for i := range len(v) {
		c := v[i]
		if !alnum(c) && strings.IndexByte("+/=_-~.%", c) < 0 {
			return false
		}
		if seen[c>>6]&(1<<(c&63)) == 0 {
			seen[c>>6] |= 1 << (c & 63)
			different++
		}
	}
	return different >= 9 && !(strings.Contains(v, "/") && strings.Contains(v, ".")) &&
		strings.Count(v, "/") <= len(v)/16 &&
		strings.Count(v, "-")+strings.Count(v, ".")+strings.Count(v, "_") <= 4
}

// odd reports whether v, which stands in a sentence where a password may, is more
// than a word: digits with letters, four digits or more, or a sign that is typed in
// passwords and not in prose.
func odd(v string) bool {
	return len(v) >= 4 && written(v) && !notSecret(v) && !technical(v)
}

// written is odd for a value that may also be a reference or a word of the trade.
func written(v string) bool {
	var digits, letters, signs, others int
	for i := range len(v) {
		switch c := v[i]; {
		case digit(c):
			digits++
		case alnum(c):
			letters++
		case strings.IndexByte("!@#$%^&*?+=~", c) >= 0:
			signs++
		case c == '/' || c == '(' || c == '<' || c == '{' || c == '[':
			return false
		default:
			others++
		}
	}
	switch {
	case letters == 0 && signs+others == 0:
		return digits >= 4
	case letters == 0:
		return digits > 0 && signs > 1
	case digits > 0:
		return true
	}
	return signs > 0 && !strings.HasPrefix(v, "@") && strings.Trim(v, "!?*~") == strings.TrimRight(v, "!?*~") &&
		strings.ContainsAny(strings.TrimRight(v, "!?*~"), "!@#$%^&*+=")
}

// technical reports whether v is a word of the trade that has a digit.
func technical(v string) bool {
	if v == "" || strings.IndexByte("bsmuarohpjv", small(v[0])) < 0 {
		return false
	}
	var buf [8]byte
	low := lowered(buf[:0], v[:min(len(v), 6)])
	if low[0] == 'v' {
		return len(low) > 1 && digit(low[1]) && strings.Trim(low, "v0123456789.-_") == "" // a version
	}
	for _, p := range []string{"base", "sha", "md5", "utf", "aes", "rsa", "argon", "oauth", "http", "bcrypt", "pbkdf",
		"scrypt", "jwt"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return false
}

func lineEnds(s string, i int) bool {
	for i < len(s) && (blank(s[i]) || strings.IndexByte(".,;:!?", s[i]) >= 0) {
		i++
	}
	return i == len(s) || s[i] == '\n' || s[i] == '\r'
}

// placeholder reports whether v stands for a secret that the reader has: your-api-key,
// API_TOKEN.
func placeholder(v string) bool {
	if len(v) > 4 && strings.EqualFold(v[:4], "your") {
		return true
	}
	joined := false
	for i := range len(v) {
		if !upper(v[i]) && v[i] != '_' {
			return false
		}
		joined = joined || v[i] == '_'
	}
	return joined
}

// notSecret holds types, literals, references and masks that stand where a
// secret would.
func notSecret(v string) bool {
	switch {
	case strings.HasPrefix(v, opening),
		strings.HasPrefix(v, "$") && !strings.HasPrefix(v, "$2") && !strings.HasPrefix(v, "$argon"),
		strings.HasPrefix(v, "{"), strings.HasPrefix(v, "<"), strings.HasPrefix(v, "%("), len(v) > 2 && v[0] == '%' &&
			v[len(v)-1] == '%',
		strings.HasPrefix(v, "/"), strings.HasPrefix(v, "~/"), strings.HasPrefix(v, "./"),
		strings.HasPrefix(v, "process.env"), strings.HasPrefix(v, "os.environ"), strings.HasPrefix(v, "os.getenv"),
		v == "" || strings.IndexByte("*\xe2xX.-_", v[0]) >= 0 && strings.Trim(v, "*•xX.…-_") == "":
		return true
	}
	if len(v) > len("self.password")+2 {
		return false
	}
	switch strings.ToLower(strings.TrimRight(v, "?|")) {
	case "string", "str", "text", "varchar", "bytes", "number", "int", "integer", "any", "object", "null", "nil",
		"none", "undefined", "true", "false", "bool", "boolean", "required", "optional", "secret", "password", "token",
		"self", "self.password", "self.token":
		return true
	}
	return false
}
