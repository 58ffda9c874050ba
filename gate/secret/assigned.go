package secret

import "strings"

const (
	longestName  = 48   // maximum bytes of a name
	longestQuote = 1024 // maximum bytes of a quoted value on one line
	longestLines = 256  // maximum bytes of a quoted value that spans lines
	longestPlain = 256  // maximum bytes of an unquoted value; a longer value always counts as a secret
)

// kindOfName classifies the name at the end of s, such as DB_PASSWORD, x-api-key or accessToken.
func kindOfName(s string) nameKind {
	words.once.Do(readWords)
	if len(s) == 0 {
		return noName
	}
	whole := s[strings.LastIndexAny(s, " \t\n\"'`(,;:=&?")+1:]
	if strings.ContainsFunc(whole, func(r rune) bool { return r >= 0x80 }) {
		for _, c := range words.cues[1:] {
			if n := len(s) - int(c.size); c.kind <= vagueName && n >= 0 && beginsSmall(s[n:], c.text()) {
				return c.kind
			}
		}
	}
	if s[len(s)-1] >= 0x80 {
		return noName
	}
	end := len(s)
	for end > 0 && digit(s[end-1]) {
		end--
	}
	if end > 0 && alnum(s[end-1]) {
		s = s[:end] // drops the 2 of password2
	}
	// Drop parts at the end that only distinguish several secrets, as in API_KEY_2 and TOKEN_PROD.
	for range 2 {
		i := len(s)
		for i > 0 && alnum(s[i-1]) {
			i--
		}
		if i < 2 || i == len(s) || strings.IndexByte("_-.", s[i-1]) < 0 || !alnum(s[i-2]) ||
			strings.Trim(s[i:], "0123456789") != "" && !among(s[i:], suffixPart) {
			break
		}
		s = s[:i-1]
	}
	if s == "" || !alnum(s[len(s)-1]) {
		return noName
	}
	last := small(s[len(s)-1])
	if words.ends[last] == 0 && last != 'w' { // a final w may be that of pw, a shortName
		return noName
	}
	var buf [longestName]byte
	at := len(buf)
	part := 0  // offset in buf of the last part of the name
	first := 0 // offset in buf of the last word of the name
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
		at--
		buf[at] = small(c)
		if part == 0 && upper(c) && i > 0 && lower(s[i-1]) {
			part = at
		}
	}
	first = max(first, at)
	joined := part > first
	if part == 0 {
		part = at
	}
	kind, name := noName, string(buf[at:])
	for n := words.ends[last]; n != 0; n = words.cues[n].next {
		c := &words.cues[n]
		if size := len(buf) - first; strings.HasSuffix(name, c.text()) {
			if kind = gluedName; c.kind != vagueName || int(c.size) == size || joined && int(c.size) < size {
				return c.kind
			}
		}
	}
	if among(string(buf[part:]), shortName) {
		return shortName
	}
	return kind
}

// sign describes how a name and its value are joined.
type sign struct {
	spaced bool // blanks are next to the sign, as in prose and formatted code
	query  bool // the assignment is in a URL's query
	line   bool // the value is alone on the next line
	equals bool // the sign is "=" and not ":"
	env    bool // the name is in upper case, as in settings files
}

// assigned finds the value after the sign at s[at] if the name of a secret comes before the sign, as in "name = value",
// "name: value", `"name", "value"` and "<name>value</". It does not read before floor.
func assigned(s string, at, floor int) (Span, bool) {
	switch s[at] {
	case '>':
		return element(s, at, floor)
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

func assignedBy(s string, at, to, floor int) (Span, bool) {
	name := at
	if s[at] == '=' && name > floor && strings.IndexByte(".?|+", s[name-1]) >= 0 { // as in .= and ?=
		name--
	}
	for name > floor && blank(s[name-1]) {
		name--
	}
	if name == floor {
		return Span{}, false
	}
	if c := s[name-1]; c < 0x80 && !alnum(c) && strings.IndexByte("\"'`*\\)", c) < 0 {
		return Span{}, false
	}
	how := sign{spaced: name < at && blank(s[at-1]), equals: s[at] == '='}
	quoted := name > floor && (s[name-1] == '"' || s[name-1] == '\'' || s[name-1] == '`')
	if quoted {
		if name--; name > floor && s[name-1] == '\\' {
			name--
		}
	} else if s[name-1] == ')' { // as in 비밀번호(storePassword)=…
		name--
	} else if name > floor+1 && s[name-1] == '*' && s[name-2] == '*' { // as in **password**: …
		name -= 2
	}
	kind := kindOfName(s[max(floor, name-longestName):name])
	if kind == noName {
		if s[at] == ',' {
			return Span{}, false
		}
		if c := s[at]; c == ':' && name-2 >= floor && s[name-2:name] == "/p" {
			kind = shortName
		} else if c == ':' && ownHeader(s[max(floor, name-longestName):name]) {
			kind = vagueName
		} else if name, kind = nameBefore(s, name, floor); kind == noName {
			return Span{}, false
		}
	}
	from := to
	for from < len(s) && s[from] == ':' { // as in ::=
		from++
	}
	if from > to && (from == len(s) || s[from] != '=') {
		return Span{}, false
	}
	for from < len(s) && (s[from] == '=' || s[from] == '>') { // as in =>, == and :=
		from++
	}
	start := from
	from = skipBlanks(s, from)
	if from+1 < len(s) && s[from] == '*' && s[from+1] == '*' { // as in **password:** …
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
	if next := nextLine(s, from); next > 0 {
		if kind != strongName && kind != shortName && kind != weakName || quoted {
			return Span{}, false
		}
		from, how.line = next, true
	}
	f, ok := value(s, from, kind, how)
	if s[at] == ',' && ok && !(hasDigit(s[f.From:f.To]) && irregular(s[f.From:f.To])) {
		return Span{}, false // the comma separates names in a list
	}
	return f, ok
}

// ownHeader reports whether s ends in the name of a custom HTTP header (X-…) that may contain a secret.
func ownHeader(s string) bool {
	s = s[strings.LastIndexAny(s, " \"'")+1:]
	s = strings.ToLower(s)
	return len(s) > 4 && strings.HasPrefix(s, "x-") && !strings.HasSuffix(s, "id") && !strings.ContainsAny(s, "._/") &&
		!strings.Contains(s, "trace") && !strings.HasPrefix(s, "x-amz") && !strings.HasPrefix(s, "x-cache")
}

// fields finds the password in host:port:database:user:password and in WIFI:…;P:password; s[i] is a ":".
func fields(s string, i, floor int) (Span, bool) {
	if n := strings.IndexByte(s[i:min(len(s), i+longestName)], ';'); n > 1 && i-2 >= floor && s[i-2:i] == ";P" &&
		strings.Contains(s[max(floor, i-nearBefore):i], "WIFI:") {
		return Span{From: i + 1, To: i + n, Kind: Password, What: "password"}, true
	}
	if i+1 >= len(s) || s[i+1] <= ' ' || i-floor < 8 || digit(s[i-1]) {
		return Span{}, false
	}
	from, to := i, i+1
	for from > floor && i-from < longestPlain && visible(s[from-1]) {
		from--
	}
	for to < len(s) && visible(s[to]) && to-i < longestPlain {
		to++
	}
	if strings.Count(s[from:i], ":") != 3 {
		return Span{}, false
	}
	_, rest, _ := strings.Cut(s[from:i], ":")
	port, _, _ := strings.Cut(rest, ":")
	v := s[i+1 : to]
	if port != "*" && (len(port) < 4 || strings.Trim(port, "0123456789") != "") || len(v) < 4 || notSecret(v) ||
		strings.Contains(v, ":") || strings.Contains(s[from:i], "/") {
		return Span{}, false
	}
	return Span{From: i + 1, To: to, Kind: Password, What: "password"}, true
}

// nextLine returns the start of the text on the next line. It returns 0 unless the rest of this line is empty or is a
// YAML block indicator (| or >).
func nextLine(s string, i int) int {
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

// nameBefore returns the end and kind of a name that is not next to its sign, as in typed variables, "password is: x"
// and name="PASSWORD" value="x". The word next to the sign ends at end.
func nameBefore(s string, end, floor int) (int, nameKind) {
	from := end
	for from > floor && end-from < 8 && word(s[from-1]) {
		from--
	}
	pair := false
	if from == end || strings.IndexByte("grste", small(s[end-1])) < 0 {
		return end, noName
	}
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
	if kind == vagueName || kind == gluedName || kind == authName {
		kind = noName
	}
	return i, kind
}

// before returns the byte before the word that ends at end, or 0, and the start of the word.
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
	if notSecret(v) || (kind == vagueName || kind == gluedName) && !worth(v, kind, sign{}) ||
		kind == weakName && (len(v) < 8 || !hasDigit(v)) {
		return Span{}, false
	}
	return Span{From: from, To: from + len(v), Kind: Assigned, What: "secret"}, true
}

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
	if v := s[from:to]; to-from < 6 || !scheme && plain(v) || placeholder(v) || notSecret(v) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

func credentialEnd(s string, i int) int {
	for i < len(s) && (word(s[i]) || strings.IndexByte("._~+/=", s[i]) >= 0) {
		i++
	}
	return i
}

func value(s string, from int, kind nameKind, how sign) (Span, bool) {
	if from < len(s) && s[from] == '\\' { // the quote is escaped, as in JSON inside a JSON string
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
	// A long value is taken without further checks, which keeps the scan linear.
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
	case notSecret(v) || !worth(v, kind, how) || strings.ContainsAny(v, "([{") && (how.spaced || call(v)),
		kind == weakName && !hasDigit(v) && !(how.env && how.equals && !how.spaced),
		kind == shortName && strings.Trim(v, "0123456789.%/") == "":
		return Span{}, false
	case how.line:
		// A value on a line of its own must not look like an ordinary word.
		if n := strings.IndexByte(v, '='); n > 0 && word(v[n-1]) || !odd(v) || !lineEnds(s, to) ||
			strings.IndexByte("-#*|", v[0]) >= 0 {
			return Span{}, false
		}
	case how.spaced && plain(v) && (!lineEnds(s, to) || kind == shortName):
		// A plain word after a blank is part of a sentence, a type or a variable, unless it is the last word on
		// its line.
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

func quoted(s string, from int, kind nameKind, how sign) (Span, bool) {
	q := s[from : from+1]
	rest := s[from+1 : min(len(s), from+1+longestQuote)]
	n := strings.IndexAny(rest, q+"\n\r")
	if n > 0 && rest[n] != q[0] && (kind == strongName || how.env) {
		// A quoted value that spans lines must be short, without an empty line or another assignment.
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
	if !worth(v, kind, how) || kind == shortName && words || kind == weakName && words && !(how.env && how.equals) {
		return Span{}, false
	}
	return Span{From: from + 1, To: from + 1 + len(v), Kind: Assigned, What: "secret"}, true
}

func worth(v string, kind nameKind, how sign) bool {
	switch kind {
	case pinName:
		return len(v) > 2 && len(v) < 9 && lookOf(v).digits == len(v)
	case weakName:
		return len(v) >= 8 && !placeholder(v)
	case vagueName, gluedName:
		return random(v) && (kind == vagueName || lookOf(v).mixed() && !strings.ContainsAny(v, ".("))
	case shortName:
		return len(v) >= 4 && (how.equals || !plain(v))
	}
	return true
}

func call(v string) bool {
	i := strings.IndexByte(v, '(')
	return i > 0 && plain(v[:i])
}

func lineEnds(s string, i int) bool {
	for i < len(s) && (blank(s[i]) || strings.IndexByte(".,;:!?", s[i]) >= 0) {
		i++
	}
	return i == len(s) || s[i] == '\n' || s[i] == '\r'
}
