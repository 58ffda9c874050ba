package secret

import (
	"strings"
	"unicode/utf8"
)

const (
	awsKey      = "AWS access key" // a secret of 40 bytes follows it
	nearBefore  = 80               // maximum bytes between a cue and a value after it
	nearAfter   = 48
	longestList = 400  // maximum bytes between a cue and a value that is alone on a later line
	longestRows = 2048 // maximum bytes of table rows read above a cell
)

// cues holds the last two cues and the last secret that Find has passed.
type cues struct {
	last, prior place
	found       Span
}

// alike reports whether two values have digits and hyphens in the same places. In values of more than 9 bytes, or if
// both have a letter and a digit, a digit may match a letter.
func alike(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	free := len(a) > 9 || hasDigit(a) && hasDigit(b) && lookOf(a).letters > 0 && lookOf(b).letters > 0
	for i := range len(a) {
		if digit(a[i]) != digit(b[i]) && !(alnum(a[i]) && alnum(b[i]) && free) || (a[i] == '-') != (b[i] == '-') {
			return false
		}
	}
	return true
}

func (c *cues) add(p place) {
	if p.kind != noName && p.from >= c.last.to {
		c.prior, c.last = c.last, p
	}
}

func (p place) near(s string, i int) place {
	if p.kind == noName || p.to > i || i-p.to > nearBefore || strings.IndexByte(s[p.to:i], '\n') >= 0 {
		return place{}
	}
	return p
}

// tie says how closely the text between a cue and a value connects the two.
type tie uint8

const (
	loose  tie = iota
	linked     // a copula or a sign such as ":" comes before the value
	tied       // only glue words come between cue and value
)

func joint(between string) tie {
	joined := loose
	all := true
	for i := 0; i < len(between); {
		if n := marker(between[i:]); n > 0 { // a value that is already redacted
			all, joined = all && strings.HasPrefix(between[i+len(opening):], string(Email)), loose
			i += n
			continue
		}
		if c := between[i]; c == '=' || c == ':' || c == '>' {
			joined = linked
			i++
			continue
		} else if c < 0x80 && !alnum(c) && c != '.' {
			all = all && strings.IndexByte(" \t\"'`*()[-", c) >= 0
			i++
			continue
		}
		if n := begin(between[i:], link); n > 0 {
			joined = linked
			i += n
			continue
		}
		if n := begin(between[i:], glue); n > 0 {
			i += n
			continue
		}
		all, joined = false, loose
		if between[i] < 0x80 {
			i = max(i+1, wordEnd(between, i))
			continue
		}
		_, n := utf8.DecodeRuneInString(between[i:])
		i += n
	}
	if all {
		return tied
	}
	return joined
}

// announced finds the value at the word s[i:to] if the text calls it a secret. The looser the tie between cue and
// value, the less the value may look like a word.
func (c *cues) announced(s string, i, to, floor int) (Span, bool) {
	near, prior := c.last.near(s, i), c.prior.near(s, i)
	if f, ok := ofTwoScripts(s, i, to, near); ok {
		return f, true
	}
	listed := c.found.To > 0 && i-c.found.To < 8 ||
		c.last.kind != noName && i-c.last.to < longestRows && c.last.to < i && fillsPlace(s, i)
	if near.kind == noName && !listed && !signed(s, i, to) && (to == len(s) || !passwordSign(s[to]) || s[to] == '?') &&
		(i == 0 || !passwordSign(s[i-1]) || s[i-1] == '?') {
		if to-i < 6 {
			return Span{}, false // rejects most words with a digit early
		}
		if l := lookOf(s[i:to]); !l.likely() && !l.mixed() {
			return Span{}, false
		}
	}
	for _, cue := range [...]place{near, prior} {
		if f, ok := documentNumber(s, i, to, cue); ok {
			return f, true
		}
	}
	from, to := token(s, i, to, floor)
	v := s[from:to]
	if isDigest(s[:from], v) || len(v) < 4 || len(v) > longestPlain {
		return Span{}, false
	}
	l := lookOf(v)
	f := Span{From: from, To: to, Kind: Assigned, What: "secret"}
	if c.found.What == awsKey && from-c.found.To < nearBefore && len(v) == 40 && l.small && l.capital && l.digits > 0 {
		return f, true
	}
	sure := l.onlySecret()
	if near.kind == noName && !listed && !sure && !l.likely() && !l.mixed() ||
		!l.odd() && l.digits+l.joints < len(v) && !l.scrambled() && !l.random() || dull(v) || address(v) {
		return Span{}, false
	}
	if c.found.To > 0 && c.found.To <= from && alike(s[c.found.From:c.found.To], v) {
		between := strings.Trim(s[c.found.To:from], " \t\r\n,;-*\"'`")
		if between == "" || among(between, glue) {
			return f, true // another code in a list of codes
		}
	}
	if says(s, f, &l, near) || says(s, f, &l, prior) {
		return f, true
	}
	if listed {
		if kind, how := c.above(s, from, to, &l); joins(s, f, &l, kind, how, false, false, true) {
			return f, true
		}
		if g, ok := cell(s, from, to); ok {
			return g, true
		}
	}
	switch {
	case (sure || l.likely() || l.mixed()) && administers(s[:from], sure):
		return f, true
	case !sure && !l.likely():
		return Span{}, false
	case opensSession(s[max(0, from-longestPlain):from], l.random()),
		sure && follows(s[:from]) && strings.ContainsAny(v, "!$^&*"),
		len(v) >= 32 && l.digits > 0 && l.small && l.capital && l.machineMade() && !foreign(s, from, to):
		return f, true
	case foreign(s, from, to):
		return Span{}, false
	}
	after := s[to:min(len(s), to+nearAfter)]
	if end := strings.IndexAny(after, ".\n"); end >= 0 {
		after = after[:end]
	}
	for at := 0; at < len(after); {
		var p place
		p, at = cueAt(after, at)
		if p.kind == noName {
			continue
		}
		leads := joint(after[:p.from]) == tied || equated(after[:p.from])
		switch p.kind {
		case strongName, shortName:
			if leads && len(v) > 6 || sure {
				return f, true
			}
		case weakName, pairName:
			if sure {
				return f, true
			}
		case vagueName:
			if leads && l.machineMade() {
				return f, true
			}
		}
	}
	return Span{}, false
}

// ofTwoScripts finds a password such as 바다거북42!, which starts with letters that are not ASCII and ends with the word
// s[i:to].
func ofTwoScripts(s string, i, to int, cue place) (Span, bool) {
	if cue.kind != strongName || i == 0 || s[i-1] < 0x80 {
		return Span{}, false
	}
	from := i
	for from > cue.to && !space(s[from-1]) && !quote(s[from-1]) {
		from--
	}
	for to < len(s) && passwordSign(s[to]) && s[to] != '?' {
		to++
	}
	l := lookOf(s[i:to])
	if l.digits+l.signs < 2 || l.digits == 0 || joint(s[cue.to:from]) == loose || from == cue.to || counted(s[to:]) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

func documentNumber(s string, i, to int, cue place) (Span, bool) {
	f := Span{From: i, To: to, Kind: ID, What: "document or account number"}
	if cue.kind == pinName {
		return codeNumber(s, i, to, cue)
	}
	if cue.kind != idName && cue.kind != cardName || i-cue.to > nearAfter {
		return Span{}, false
	}
	for to+1 < len(s) && (s[to] == ' ' || s[to] == '.') && digit(s[to+1]) && f.To-i < longestName {
		for to++; to < len(s) && (digit(s[to]) || s[to] == '-'); {
			to++
		}
		if to == len(s) || !word(s[to]) && !strings.HasPrefix(s[to:], "/") {
			f.To = to
		}
	}
	l := lookOf(s[i:f.To])
	if cue.kind == cardName {
		f.Kind, f.What = Card, "card number"
		if l.letters > 0 || l.digits < 13 || l.digits > 19 {
			return Span{}, false
		}
	}
	plain := strings.NewReplacer(" ", "", ".", "").Replace(s[i:f.To])
	return f, !sampleCard(s[i:f.To]) && numbered(plain) && !counted(s[f.To:])
}

func codeNumber(s string, i, to int, cue place) (Span, bool) {
	for to+1 < len(s) && s[to] == ' ' && digit(s[to+1]) && wordEnd(s, to+1)-to-1 == to-i && to-i <= 4 {
		to = wordEnd(s, to+1)
	}
	for to+1 < len(s) && s[to] == '-' && digit(s[to+1]) {
		to = wordEnd(s, to+1)
	}
	l := lookOf(s[i:to])
	cue.to = min(i, cue.to+opened(s[cue.to:]))
	if l.letters > 2 || l.small || l.signs > 0 || l.digits > 10 ||
		l.digits < 4 && !(l.digits == 3 && s[cue.from]|0x20 == 'c') ||
		joint(s[cue.to:i]) == loose || i == cue.to || counted(s[to:]) {
		return Span{}, false
	}
	for i > cue.to && s[i-1] == '*' {
		i--
	}
	for to < len(s) && (s[to] == '#' || s[to] == '*') {
		to++
	}
	return Span{From: i, To: to, Kind: Assigned, What: "secret"}, true
}

func says(s string, f Span, l *look, cue place) bool {
	if cue.kind == noName || cue.kind == idName || cue.kind == cardName || cue.to > f.From {
		return false
	}
	between := s[cue.to:f.From]
	user, tight := pair(between)
	if user >= 0 && joint(between[:user]) != loose {
		between = between[:user]
	} else {
		user = -1
	}
	if strings.Contains(strings.ReplaceAll(between, "... ", " "), ". ") || strings.Contains(between, "。") {
		return false
	}
	if (cue.kind == vagueName || cue.kind == weakName) && holds(s[max(0, cue.from-nearBefore):f.From], network) {
		cue.kind = strongName
	}
	how := joint(between)
	if how == linked && l.letters == 0 && len(strings.Fields(between)) > 4 {
		how = loose
	}
	if how == loose && begin(strings.TrimLeft(s[f.To:], " \"'`"), copula) > 0 {
		how = linked
	}
	return joins(s, f, l, cue.kind, how, user >= 0, tight, between != "")
}

// equated reports whether the text from a value to a cue is a copula and a few words.
func equated(between string) bool {
	between = strings.TrimLeft(between, " \"'`")
	return begin(between, link) > 0 && len(strings.Fields(between)) <= 4
}

// joins reports whether f is the secret that a cue of the given kind announces. how is the tie between cue and value.
// apart means that there is text between them, and paired that a user comes before the value; tight is as in pair.
func joins(s string, f Span, l *look, kind nameKind, how tie, paired, tight, apart bool) bool {
	v := l.v
	if l.digits+l.joints == len(v) {
		port := f.From > 1 && s[f.From-1] == ':' && digit(s[f.From-2])
		return how != loose && apart && !port && len(v) <= 64 && kind == strongName && !counted(s[f.To:]) &&
			(l.joints == 0 && len(v) <= 8 || l.digits >= 6 && !(l.figures == 3 && l.digits == 8))
	}
	switch {
	case kind == noName, kind == pinName, kind == gluedName && (!l.mixed() || strings.ContainsAny(v, ".(")):
		return false
	case paired && how != loose && kind != vagueName && kind != gluedName:
		return how == tied && !tight || l.mixed() || l.likely() || l.onlySecret()
	case !l.random() && !l.uuid() && foreign(s, f.From, f.To):
		return false
	case kind == vagueName, kind == gluedName:
		return how != loose && (l.grouped() || l.machineMade() || l.onlySecret() && strings.ContainsAny(v, "!$^&*")) ||
			how == tied && len(v) >= 12 && (l.digits > 0 && l.small && l.capital || l.onlySecret() ||
				l.random() && !strings.ContainsAny(v, "-_"))
	case l.onlySecret():
		return true
	case kind == strongName, kind == shortName:
		return how == tied && (apart || l.likely()) || how == linked && (l.likely() || len(v) >= 8 && l.digits > 0) ||
			kind == strongName && len(v) >= 8 && l.likely()
	case kind == weakName:
		return len(v) >= 8 && (how == tied || how == linked && len(v) >= 12 && l.likely())
	}
	return false
}

// isDigest reports whether v is a hash: hexadecimal after a word such as sha256, or an ssh key's fingerprint.
func isDigest(before, v string) bool {
	if len(v) == 43 && strings.HasSuffix(before, "SHA256:") {
		return true
	}
	for i := range len(v) {
		if c := v[i] | 0x20; !digit(v[i]) && (c < 'a' || c > 'f') {
			return false
		}
	}
	end := len(before)
	for end > 0 && (blank(before[end-1]) || quote(before[end-1]) || before[end-1] == ':') {
		end--
	}
	start := end
	for start > 0 && (word(before[start-1]) || before[start-1] >= 0x80) {
		start--
	}
	return among(before[start:end], digest)
}

func fillsPlace(s string, i int) bool {
	for i > 0 && strings.IndexByte(" \t-*>`\"'", s[i-1]) >= 0 {
		i--
	}
	return i == 0 || strings.IndexByte("\n|,.):", s[i-1]) >= 0
}

// above returns the kind of the cue above a list that contains the value s[from:to], and the tie between the two. Each
// value of the list must be alone on its line, unless it is on the line after the cue and can only be a secret.
func (c *cues) above(s string, from, to int, l *look) (nameKind, tie) {
	cue := c.last
	if from < cue.to || from-cue.to > longestList {
		return noName, loose
	}
	rest, lines, ok := strings.Cut(s[cue.to:from], "\n")
	if !ok || len(rest) > nearBefore {
		return noName, loose
	}
	how := loose
	if rest = strings.TrimRight(rest, " \t\r`"); strings.HasSuffix(rest, ":") || strings.HasSuffix(rest, "：") {
		how = linked
	}
	if holds(s[max(0, cue.from-nearAfter):cue.from], below) || holds(rest, below) {
		how = linked
	}
	const marks = " \t\r-*>`\"'.):|0123456789"
	for {
		line, more, ok := strings.Cut(lines, "\n")
		if ok && strings.IndexByte(strings.Trim(line, marks), ' ') >= 0 {
			return noName, loose
		}
		if !ok {
			alone := strings.Trim(line, marks) == "" && lineEnds(strings.TrimLeft(s[to:min(len(s), to+4)], "`\"'"), 0)
			if !alone && (!l.onlySecret() || cue.kind != strongName || strings.Count(s[cue.to:from], "\n") > 1) {
				return noName, loose
			}
			if alone && how == linked && cue.kind == weakName {
				how = tied
			}
			return cue.kind, how
		}
		lines = more
	}
}

// cell finds the value in a table cell if the first row has a cue in the same column.
func cell(s string, from, to int) (Span, bool) {
	top := max(0, from-longestRows)
	start := strings.LastIndexByte(s[top:from], '\n') + 1 + top
	end := min(len(s), to+longestRows)
	if n := strings.IndexByte(s[to:end], '\n'); n >= 0 {
		end = to + n
	}
	separator := byte(',')
	for _, c := range []byte("|\t") {
		if strings.IndexByte(s[start:end], c) >= 0 {
			separator = c
		}
	}
	before, after := strings.TrimRight(s[start:from], " `\"*"), strings.TrimLeft(s[to:end], " `\"*\r")
	if before != "" && before[len(before)-1] != separator || after != "" && after[0] != separator {
		return Span{}, false
	}
	n := strings.Count(before, string(separator))
	header := ""
	for at := start; at > top; {
		line := s[top : at-1]
		next := strings.LastIndexByte(line, '\n') + 1
		line = line[next:]
		if strings.IndexByte(line, separator) < 0 {
			break
		}
		header, at = line, next+top
	}
	for range n {
		_, header, _ = strings.Cut(header, string(separator))
	}
	header, _, _ = strings.Cut(header, string(separator))
	header = strings.Trim(header, " \t\r*`\"")
	if len(header) > nearAfter {
		return Span{}, false
	}
	kind := noName
	for at := 0; at < len(header); {
		var p place
		if p, at = cueAt(header, at); p.kind != noName {
			kind = p.kind
		}
	}
	if kind != strongName && kind != shortName && (separator == ',' || kind != weakName && kind != vagueName) {
		return Span{}, false
	}
	return value(s[:to], from, kind, sign{})
}

// token returns the span of the value around the word s[i:to], up to blanks, quotes, commas and letters of other
// scripts.
func token(s string, i, to, floor int) (from, end int) {
	for i > floor && to-i < longestPlain && (word(s[i-1]) || s[i-1] == '.' || passwordSign(s[i-1])) {
		i--
	}
	for i < to && s[i] == '.' {
		i++
	}
	for i < to && (s[i] == '*' || s[i] == '?') {
		i++
	}
	for to < len(s) && to-i <= longestPlain && s[to] > ' ' && s[to] < 0x7f &&
		strings.IndexByte("\"'`,;<>()[]{}|", s[to]) < 0 {
		to++
	}
	end = to
	for end > i && (s[end-1] == '#' || s[end-1] == '*') {
		end--
	}
	if end < to && lookOf(s[i:end]).digits == end-i {
		return i, end // a door code such as 1234#
	}
	for to > i && (s[to-1] == '.' || s[to-1] == ':' || s[to-1] == '?' ||
		(s[to-1] == '!' || s[to-1] == '*') && to > i+1 && s[to-2] == s[to-1]) {
		to--
	}
	return i, to
}

// pair finds a user and a separator, such as "admin / " and "ann:", at the end of the text between a cue and a value.
// It returns the position of the user, or -1. tight means that the separator may also belong to a path or a sentence.
func pair(between string) (user int, tight bool) {
	end := len(between)
	for end > 0 && blank(between[end-1]) {
		end--
	}
	if end < 2 || strings.IndexByte("/:,|", between[end-1]) < 0 {
		return -1, false
	}
	sign := end - 1
	name := sign
	for name > 0 && blank(between[name-1]) {
		name--
	}
	tight = between[sign] != '/' || name == sign && end == len(between)
	user = name
	if user > 0 && between[user-1] == ']' { // the user is redacted
		if at := strings.LastIndexByte(between[:user], '['); at >= 0 && marker(between[at:]) == user-at {
			return at, tight
		}
	}
	for user > 0 && (word(between[user-1]) || between[user-1] == '.' || between[user-1] == '@') {
		user--
	}
	if user == name {
		return -1, false
	}
	return user, tight
}

// administers reports whether before ends in a well-known user and the separator before a password. sure means that
// the value after it cannot be part of a path.
func administers(before string, sure bool) bool {
	before = before[max(0, len(before)-longestName):]
	at, tight := pair(before)
	domain := strings.LastIndexByte(before, '\\')
	if sure && domain > 1 && upper(before[domain-1]) && strings.IndexByte(before[domain:], ' ') == len(before)-domain-1 {
		return true // as in ACME\ann …
	}
	if at < 0 || tight && !sure || at > 0 && strings.IndexByte("/\\.", before[at-1]) >= 0 {
		return false
	}
	name := strings.TrimRight(before[at:], " /:,|")
	return among(name, user) || !tight && (strings.IndexByte(name, '@') > 0 || strings.HasSuffix(name, "]") ||
		holds(before[:at], network))
}

// follows reports whether before ends in a lower-case name and a slash, as in "ann/secret".
func follows(before string) bool {
	name := strings.TrimSuffix(before, "/")
	at := len(name)
	for at > 0 && (lower(name[at-1]) || digit(name[at-1])) {
		at--
	}
	return len(name) < len(before) && at < len(name) && (at == 0 || space(name[at-1]))
}

// opensSession reports whether before ends in the opening quote of an argument of a call that takes credentials, as in
// Client("id", "secret"). Unless the argument is random, only calls that join a network count.
func opensSession(before string, random bool) bool {
	if before == "" || !quote(before[len(before)-1]) {
		return false
	}
	open := strings.LastIndexByte(before, '(')
	if open < 0 || strings.ContainsAny(before[open:], ")\n") {
		return false
	}
	end := open
	for open > 0 && word(before[open-1]) {
		open--
	}
	name := strings.ToLower(before[open:end])
	if !random {
		return name == "begin" && holds(before, network)
	}
	for call := range strings.SplitSeq(words.of[opener], "|") {
		if strings.HasSuffix(name, call) {
			return true
		}
	}
	return false
}

// counted reports whether after, the text after a number, starts with a unit or another word for counted things.
func counted(after string) bool {
	after = strings.TrimLeft(after, " -")
	for w := range strings.SplitSeq(words.of[unit], "|") {
		if beginsSmall(after, w) {
			return true
		}
	}
	return false
}

func address(v string) bool {
	_, host, ok := strings.Cut(v, "@")
	return ok && strings.Contains(host, ".") || strings.Contains(v, "://") || strings.HasPrefix(v, "\\\\")
}

func passwordSign(c byte) bool { return classes[c]&strange != 0 }

// foreign reports whether a word is part of a longer path, name or number.
func foreign(s string, from, to int) bool {
	part := func(i int) bool { return i >= 0 && i < len(s) && strings.IndexByte("/\\_-.=<{[", s[i]) >= 0 }
	v := s[from:to]
	dot := strings.LastIndexByte(v, '.')
	return part(from-1) || part(to) && (s[to] != '.' || to+1 < len(s) && alnum(s[to+1])) ||
		strings.ContainsAny(v, "/\\=:") ||
		dot >= 0 && (strings.ToLower(v) == v || len(v)-dot < 6 && plain(v[dot:]) && strings.ToLower(v[dot:]) == v[dot:])
}

// startingWord finds a secret that starts with the word s[i:end] and may span several words, such as a PEM block,
// "Bearer …" or "--password …".
func startingWord(s string, i, end, floor int) (Span, bool) {
	w := s[i:end]
	switch {
	case strings.HasPrefix(w, "-----BEGIN"):
		return privateKey(s, i)
	case w[0] == '-':
		return flagged(s, i, end, floor)
	case strings.HasPrefix(w, "ey"):
		return jwt(s, i, end)
	case strings.EqualFold(w, "bearer"):
		return bearer(s, end)
	case strings.EqualFold(w, "net"):
		return netCommand(s, end)
	case strings.EqualFold(w, "password"):
		return netrc(s, i, end)
	}
	return Span{}, false
}

// leadsToWords reports whether the secret of the cue may consist of several words or come before the cue.
func (p place) leadsToWords() bool {
	return p.kind == strongName || p.kind == weakName || p.kind == wordsName || p.kind == pinName
}

// ofWords finds a secret of several words after a cue: a wallet's recovery phrase, a passphrase, or groups of
// letters that all have the same length.
func ofWords(s string, cue place, floor int) (Span, bool) {
	if cue.kind == pinName {
		return codeBefore(s, cue, floor)
	}
	if f, ok := quotedBefore(s, cue.from, floor); ok {
		return f, true
	}
	at, joined := cue.to, false
	for end := min(len(s), cue.to+nearAfter); at < end; {
		c := s[at]
		n := max(begin(s[at:], link), begin(s[at:], give))
		switch {
		case n > 0 || c == ':' || c == '=':
			joined = true
			at += max(n, 1)
		case joined && begin(s[at:], glue) > 0:
			at += begin(s[at:], glue)
		case blank(c) || c == ',' && !joined || joined && c == '\n' && cue.kind == wordsName:
			at++
		case c == '(' && strings.IndexByte(s[at:end], ')') > 0:
			at += strings.IndexByte(s[at:end], ')') + 1
		case joined || !alnum(c) || cue.kind == strongName && c >= 0x80:
			end = at
		default:
			next := wordEnd(s, at)
			if !joined && groupEnd(s, at, cue.kind == wordsName) > 0 {
				end = at
				break
			}
			at = next
		}
	}
	if at >= len(s) {
		return Span{}, false
	}
	if q := s[at]; quote(q) && (joined || at == skipBlanks(s, cue.to)) {
		n := strings.IndexByte(s[at+1:min(len(s), at+1+longestPlain)], q)
		return Span{From: at + 1, To: at + 1 + n, Kind: Assigned, What: "secret"}, n > 0 && spoken(s[at+1:at+1+n])
	}
	to := groupEnd(s, at, cue.kind == wordsName)
	if to == 0 {
		to = at
		for to < len(s) && to-at < longestPlain && (lower(s[to]) || digit(s[to]) || s[to] == ' ' && s[to-1] != ' ') {
			to++
		}
		to = at + len(strings.TrimRight(s[at:to], " "))
		if cue.kind == wordsName {
			to = at + walletWords(s[at:to])
		}
		words, digits, prose := countWords(s[at:to])
		least := 3
		if cue.kind == weakName || cue.kind == wordsName && !joined {
			least = 11
		}
		if prose || words < least || !joined && cue.kind != wordsName || cue.kind == strongName && words < 9 &&
			!(digits && digit(s[to-1]) && joint(s[cue.to:at]) == tied) &&
			!strings.EqualFold(s[cue.from:cue.to], "passphrase") {
			return Span{}, false
		}
	}
	if to < len(s) && s[to] < 0x80 && s[to] != ' ' && strings.IndexByte("\r\n.,;\"'`-(/)", s[to]) < 0 {
		return Span{}, false
	}
	return Span{From: at, To: to, Kind: Assigned, What: "secret"}, true
}

// walletWords returns the length of the prefix of s that ends before the first word that never occurs in a recovery
// phrase.
func walletWords(s string) int {
	to := 0
	for at := 0; at < len(s); {
		end := wordEnd(s, at)
		if among(s[at:end], stop) {
			break
		}
		to = end
		at = end + 1
	}
	return to
}

func codeBefore(s string, cue place, floor int) (Span, bool) {
	from := max(floor, cue.from-nearBefore)
	text := s[from:cue.from]
	text = text[strings.LastIndexAny(text, ".\n")+1:]
	end := len(text)
	for end > 0 && !digit(text[end-1]) {
		end--
	}
	start := end
	for start > 1 && (digit(text[start-1]) || text[start-1] == ' ' && end-start == 3 && digit(text[start-2])) {
		start--
	}
	words := strings.Fields(text[:start])
	l := lookOf(text[start:end])
	if l.digits < 4 || l.digits > 8 || len(words) == 0 || text[start-1] != ' ' ||
		!among(words[len(words)-1], give) && !(l.digits >= 6 && equated(text[end:])) {
		return Span{}, false
	}
	return Span{From: cue.from - len(text) + start, To: cue.from - len(text) + end, Kind: Assigned, What: "secret"}, true
}

// quotedBefore finds a passphrase in quotes before a copula and the cue at s[to].
func quotedBefore(s string, to, floor int) (Span, bool) {
	from := max(floor, to-nearAfter/2)
	end := strings.LastIndexAny(s[from:to], "\"'`") + from
	if end < from || joint(s[end+1:to]) != tied || !equated(s[end+1:to]) {
		return Span{}, false
	}
	line := s[max(floor, end-longestName):end]
	open := strings.LastIndexByte(line, s[end])
	if open < 0 {
		return Span{}, false
	}
	return Span{From: end - len(line) + open + 1, To: end, Kind: Assigned, What: "secret"}, spoken(line[open+1:])
}

func spoken(v string) bool {
	words, digits, prose := countWords(v)
	return len(v) >= 4 && words > 1 && !notSecret(v) && !strings.ContainsAny(v, "\n{}()<>") && (digits || !prose)
}

// groupEnd returns the end of exactly four groups of four lower-case letters at s[at], or 0. It returns 0 for a
// wallet, whose recovery phrase has no such groups.
func groupEnd(s string, at int, wallet bool) int {
	groups, to := 0, 0
	for at < len(s) && !wallet {
		next := at
		for next < len(s) && lower(s[next]) {
			next++
		}
		if next-at != 4 || among(s[at:next], stop) {
			break
		}
		groups++
		if to = next; next == len(s) || s[next] != ' ' {
			break
		}
		at = next + 1
	}
	if groups != 4 {
		return 0
	}
	return to
}

// countWords returns the number of words in v, whether a word has only digits, and whether a word is typical of prose.
func countWords(v string) (words int, digits, prose bool) {
	for w := range strings.FieldsSeq(v) {
		l := lookOf(w)
		words++
		digits = digits || l.digits == len(w)
		prose = prose || among(w, stop) || l.digits == 0 && len(w) < 3 || w[0] >= 0x80
	}
	return words, digits, prose
}

// netrc finds the password in "login ann password x"; s[i:end] is "password".
func netrc(s string, i, end int) (Span, bool) {
	from := skipBlanks(s, end)
	to := from
	for to < len(s) && to-from <= longestPlain && s[to] > ' ' && s[to] < 0x7f {
		to++
	}
	ahead := strings.Fields(s[max(0, i-nearBefore):i])
	if n := len(ahead); to == from || to-from > longestPlain || n < 2 || ahead[n-2] != "login" || notSecret(s[from:to]) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// netCommand finds the password after the word net in "net user NAME PASSWORD /add" and "net use X: \\HOST\SHARE
// PASSWORD /user:NAME". Without an option the password must not look like a word, because "net user growth was 5%" is
// prose.
func netCommand(s string, i int) (Span, bool) {
	if at := i - len("net"); at > 0 && !space(s[at-1]) && strings.IndexByte("\"'`(>&|;:", s[at-1]) < 0 {
		return Span{}, false
	}
	var found Span
	option, share := false, false
	for n := range 7 {
		from := skipBlanks(s, i)
		if from == i || from == len(s) {
			break
		}
		from, to, next := argumentAt(s, from, "\"'`|;&<>")
		i = next
		v := s[from:to]
		switch {
		case v == "" || to-from > longestPlain:
			return Span{}, false
		case n == 0:
			share = strings.EqualFold(v, "use")
			if !share && !strings.EqualFold(v, "user") {
				return Span{}, false
			}
		case v[0] == '/':
			option = option || len(v) > 1
		case share && (strings.HasPrefix(v, `\\`) || strings.HasSuffix(v, ":")), n == 1 && !share:
		case found.To == 0 && v != "*" && (n == 2 && !option || share) && !notSecret(v):
			found = Span{From: from, To: to, Kind: Assigned, What: "secret"}
		}
	}
	v := s[found.From:found.To]
	if v == "" || !option && (len(v) < 8 || !odd(v) || !hasDigit(v) || strings.ToLower(v) == v) {
		return Span{}, false
	}
	return found, true
}

func easyConnect(s string, at, floor int) (Span, bool) {
	from := at
	for from > floor && at-from < longestName && s[from-1] > ' ' && s[from-1] < 0x7f && s[from-1] != '/' {
		from--
	}
	if !strings.HasPrefix(s[at:], "@//") || at-from < 4 || from <= floor || s[from-1] != '/' || notSecret(s[from:at]) {
		return Span{}, false
	}
	return Span{From: from, To: at, Kind: Password, What: "password"}, true
}

// bearer finds the credentials after the word "Bearer": at least 16 irregular bytes, unlike "bearer authentication".
func bearer(s string, i int) (Span, bool) {
	from := skipBlanks(s, i)
	to := credentialEnd(s, from)
	if from == i || to-from < 16 || !irregular(s[from:min(to, from+mostRead)]) {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// jwt finds header.payload.signature. The signature may be empty.
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
