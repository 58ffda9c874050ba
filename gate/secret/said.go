package secret

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A cue is a word or phrase that says that a secret is near.
type cue struct {
	text string // in small letters
	kind nameKind
}

// phrases are the cues that kindOfName does not know, by their first byte. Of two with the
// same beginning the longer one comes first.
var phrases = [256][]cue{
	'a': {{"account number", idName}, {"account no", idName}, {"account", pairName}, {"api 키", weakName},
		{"api키", weakName}, {"apiキー", weakName}, {"access code", pinName}, {"alarm code", pinName}},
	'b': {{"bank account", idName}, {"basic auth", pairName}, {"backup code", strongName}},
	'c': {{"contraseña", strongName}, {"contrasena", strongName}, {"clave", weakName}, {"cuenta", idName},
		{"credential", pairName}, {"creds", pairName}},
	'd': {{"driver licen", idName}, {"driver's licen", idName}, {"drivers licen", idName}, {"driving licen", idName},
		{"door code", pinName}},
	'e': {{"entry code", pinName}},
	'g': {{"gate code", pinName}},
	'h': {{"htpasswd", strongName}, {"hasło", strongName}},
	'i': {{"identified by", strongName}, {"iban", idName}},
	'k': {{"kennwort", strongName}, {"konto", idName}},
	'l': {{"log in", pairName}, {"login", pairName}, {"lösenord", strongName}, {"lock code", pinName}},
	'm': {{"mot de passe", strongName}, {"mdp", strongName}, {"mật khẩu", strongName}},
	'n': {{"national id", idName}, {"national insurance", idName}},
	'p': {{"pin code", pinName}, {"pin", pinName}, {"passport", idName}, {"pasaporte", idName},
		{"passeport", idName}, {"parola", strongName}},
	'r': {{"requirepass", strongName}, {"recovery code", strongName}, {"routing number", idName}, {"reisepass", idName}},
	's': {{"sign in", pairName}, {"senha", strongName}, {"ssn", idName}, {"social security", idName},
		{"sqlplus", pairName}, {"ssws", weakName}, {"seed", weakName}, {"security code", pinName}},
	't':  {{"tax id", idName}},
	'u':  {{"username", pairName}, {"unlock code", pinName}, {"unlocks with", strongName}},
	'w':  {{"wachtwoord", strongName}},
	0xC5: {{"şifre", strongName}},
	0xD0: {{"пароль", strongName}, {"пароля", strongName}, {"ключ", weakName}, {"логин", pairName}, {"паспорт", idName}},
	0xD1: {{"токен", weakName}},
	0xE3: {{"パスワード", strongName}, {"パスポート", idName}, {"トークン", weakName}, {"アカウント", pairName},
		{"ログイン", pairName}, {"マイナンバー", idName}},
	0xE4: {{"令牌", weakName}},
	0xE5: {{"密码", strongName}, {"密碼", strongName}, {"口令", strongName}, {"合言葉", strongName}, {"密钥", weakName},
		{"密鑰", weakName}, {"帳號", pairName}, {"口座", idName}, {"卡号", idName}, {"免許", idName}},
	0xE6: {{"暗証番号", strongName}, {"旅券", idName}, {"护照", idName}},
	0xE7: {{"登录", pairName}, {"登入", pairName}, {"秘密鍵", weakName}},
	0xE8: {{"账号", pairName}, {"身份证", idName}, {"護照", idName}},
	0xE9: {{"鍵", weakName}, {"银行", idName}, {"銀行", idName}},
	0xEA: {{"공개키", noName}, {"계정", pairName}, {"계좌", idName}},
	0xEB: {{"비밀번호", strongName}, {"비밀 번호", strongName}, {"비밀키", weakName}, {"비번", strongName},
		{"로그인", pairName}, {"면허", idName}, {"뱅크", idName}, {"농협", idName}, {"법인등록", idName}},
	0xEC: {{"암호", weakName}, {"시크릿키", weakName}, {"시크릿 키", weakName}, {"시크릿", weakName}, {"시드", weakName},
		{"인증키", weakName},
		{"인증 키", weakName}, {"액세스키", weakName}, {"액세스 키", weakName}, {"접속정보", pairName}, {"접속 정보", pairName},
		{"아이디", pairName}, {"은행", idName}, {"여권", idName}, {"사업자", idName}, {"외국인등록", idName},
		{"주민", idName}, {"우체국", idName}, {"신협", idName}},
	0xED: {{"패스워드", strongName}, {"토큰", weakName}, {"키값", weakName}, {"키 값", weakName}, {"키", vagueName}, {"핀번호", pinName},
		{"핀 번호", pinName}, {"통장", idName}},
}

// glue is what may stand between a cue and its value when the sentence says that the one is
// the other: words of the cue's phrase, particles and copulas. links are those that do
// so whatever is between them and the cue.
var (
	glue = [...]string{"the", "a", "my", "our", "this", "that", "new", "old", "now", "current", "currently", "value",
		"number", "no.", "no", "here", "info", "details", "for", "with", "user", "use", "using", "set", "and",
		"값", "정보", "번호", "기존", "새", "새로운", "현재", "원래", "임시", "초기", "지금", "각각", "다음", "아래", "여기", "는", "은", "가", "이",
		"를", "을", "도", "란", "로", "으로", "에서", "야", "이야", "임", "인데", "を", "用", "改成", "改为", "设为"}
	links = [...]string{"is", "it's", "was", "are", "be", "to", "as", "=", "→", "⇒", "es", "ist", "est", "é", "は", "が",
		"是", "为", "為",
		"는", "은", "가", "이", "를", "을"}
)

const (
	nearBefore = 80 // bytes before a value in which its cue is looked for
	nearAfter  = 48
)

// cues remembers the last cue of the text that was read, so that no byte is read twice.
type cues struct {
	upto int
	last place
}

// place is where a cue is in a text.
type place struct {
	from, to int
	kind     nameKind
}

// before returns the last cue in the nearBefore bytes that end at s[i] and in their sentence.
func (c *cues) before(s string, i int) place {
	starts.once.Do(prepare)
	at := max(c.upto, i-nearBefore)
	if at > c.upto {
		for at < i && at > 0 && (alnum(s[at-1]) || s[at]&0xC0 == 0x80) {
			at++
		}
	}
	for at < i {
		p, next := cueAt(s, at, i)
		if p.kind != noName {
			c.last = p
		}
		at = next
	}
	c.upto = max(c.upto, i)
	if c.last.kind == noName || c.last.to > i || i-c.last.to > nearBefore || strings.IndexByte(s[c.last.to:i], '\n') >= 0 {
		return place{}
	}
	return c.last
}

// cueAt returns the cue at s[at:end] and where to look for the next one.
func cueAt(s string, at, end int) (place, int) {
	if c := s[at]; c < 0x80 && !alnum(c) {
		return place{}, at + 1
	}
	first := small(s[at])
	if at+1 == end {
		return place{}, end
	}
	if starts.cues[first]>>(small(s[at+1])&63)&1 == 0 {
		first = 0
	}
	for _, p := range phrases[first] {
		if beginsSmall(s[at:end], p.text) {
			to := at + len(p.text)
			if p.kind == pinName && (first == 'p' || first >= 0x80) && !owned(s[:at], p.text == "pin code") {
				break
			}
			if s[at] < 0x80 {
				to = wordEnd(s[:end], to)
			}
			return place{at, to, p.kind}, to
		}
	}
	if s[at] >= 0xE0 {
		return place{}, min(at+3, end)
	} else if s[at] >= 0x80 {
		return place{}, at + 1
	}
	to := wordEnd(s[:end], at)
	if !mayName(s[at:to]) {
		return place{}, to
	}
	if kind := kindOfName(s[max(0, to-longestName):to]); kind != noName && kind != authName {
		return place{at, to, kind}, to
	}
	return place{}, to
}

// beginsSmall reports whether s begins with text, which is in small letters.
func beginsSmall(s, text string) bool {
	if len(s) < len(text) {
		return false
	}
	for i := range len(text) {
		if small(s[i]) != text[i] {
			return false
		}
	}
	return true
}

// owned reports whether before ends in the owner of a PIN, a person or a card: that of a chip
// is nobody's secret.
func owned(before string, code bool) bool {
	words := strings.Fields(before[max(0, len(before)-longestName):])
	if len(words) == 0 {
		return false
	}
	switch strings.ToLower(strings.TrimSuffix(words[len(words)-1], "의")) {
	case "my", "your", "his", "her", "our", "their":
		return !code
	case "card", "sim", "phone", "bank", "banking", "atm", "debit", "door",
		"alarm", "keypad", "내", "제", "나", "저", "우리", "카드", "유심", "통장", "계좌", "은행", "현관", "도어락":
		return true
	}
	return false
}

// tie says how the text between a cue and a value joins them.
type tie uint8

const (
	loose  tie = iota
	linked     // the value follows a copula
	tied       // nothing but glue is between them
)

// joint returns how between, the text from a cue to a value, joins them.
func joint(between string) tie {
	joined := loose
	all := true
	for i := 0; i < len(between); {
		if n := marker(between[i:]); n > 0 {
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
		if n := beginsWord(between[i:], links[:]); n > 0 {
			joined = linked
			i += n
			continue
		}
		if n := beginsWord(between[i:], glue[:]); n > 0 {
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

// beginsWord returns the length of the longest of words that s begins with, or 0.
func beginsWord(s string, words []string) int {
	best := 0
	for _, w := range words {
		if n := len(w); n > best && beginsSmall(s, w) && (w[0] >= 0x80 || n == len(s) || !word(s[n])) {
			best = n
		}
	}
	return best
}

// said finds the value at the word s[i:to] that its sentence says to be a secret: the more
// loosely a cue is joined to it, the less it may look like a word.
func (c *cues) said(s string, i, to, floor int) (Span, bool) {
	cue := c.before(s, i)
	if cue.kind == idName {
		if i-cue.to <= nearAfter && numbered(s[i:to]) && !counted(s[to:]) {
			return Span{From: i, To: to, Kind: ID, What: "number of a document or account"}, true
		}
		cue = place{}
	}
	if cue.kind == noName && !signed(s, i, to) && (to == len(s) || !passwordSign(s[to])) && !likely(s[i:to]) {
		return Span{}, false // as nearly every word with a figure
	}
	from, to := token(s, i, to, floor)
	v := s[from:to]
	if len(v) < 4 || len(v) > longestPlain || !odd(v) && !scrambled(v) && !random(v) || address(v) {
		return Span{}, false
	}
	f := Span{From: from, To: to, Kind: Assigned, What: "secret"}
	if cue.kind != noName && cue.to <= from {
		between := s[cue.to:from]
		user, tight := pair(between)
		if user >= 0 {
			between = between[:user]
		}
		if strings.Contains(strings.ReplaceAll(between, "... ", " "), ". ") || strings.Contains(between, "。") {
			return Span{}, false
		}
		if cue.kind == vagueName && network(s[max(0, cue.from-nearBefore):cue.from]) {
			cue.kind = strongName
		}
		if joins(s, f, cue.kind, joint(between), user >= 0, tight, between != "") {
			return f, true
		}
	}
	sure := unspoken(v)
	switch {
	case !sure && !likely(v):
		return Span{}, false
	case administers(s[:from], sure), opensSession(s[max(0, from-longestPlain):from], random(v)),
		sure && user(s[:from]) && strings.ContainsAny(v, "!$^&*"),
		len(v) >= 32 && mixed(v) && machineMade(v) && !foreign(s, from, to):
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
		p, at = cueAt(after, at, len(after))
		switch p.kind {
		case strongName, shortName:
			if len(v) > 6 && (joint(after[:p.from]) == tied || equated(after[:p.from])) {
				return f, true
			}
			fallthrough
		case weakName, pairName:
			if sure {
				return f, true
			}
		case vagueName:
			if machineMade(v) && (joint(after[:p.from]) == tied || equated(after[:p.from])) {
				return f, true
			}
		}
	}
	return Span{}, false
}

// equated reports whether between, the text from a value to a cue, is a copula and a word or two.
func equated(between string) bool {
	between = strings.TrimLeft(between, " \"'`")
	return beginsWord(between, links[:]) > 0 && len(strings.Fields(between)) <= 4
}

// joins reports whether f is the secret of a cue that is joined to it so; apart says that there is
// something between them.
func joins(s string, f Span, kind nameKind, how tie, paired, tight, apart bool) bool {
	v := s[f.From:f.To]
	if strings.Trim(v, "0123456789") == "" {
		return how != loose && apart && len(v) <= 8 && (kind == pinName || kind == strongName) && !counted(s[f.To:])
	}
	switch {
	case kind == pinName:
		return false
	case paired && how != loose && kind != vagueName:
		return how == tied && !tight || likely(v) || unspoken(v)
	case !random(v) && !uuid(v) && foreign(s, f.From, f.To):
		return false
	case kind == vagueName:
		return how != loose && (machineMade(v) || unspoken(v) && strings.ContainsAny(v, "!$^&*")) ||
			how == tied && len(v) >= 12 && (mixed(v) || unspoken(v) || random(v) && !strings.ContainsAny(v, "-_"))
	case unspoken(v):
		return true
	case kind == strongName, kind == shortName:
		return how == tied && (apart || likely(v)) || how == linked && (likely(v) || len(v) >= 8 && hasDigit(v)) ||
			kind == strongName && len(v) >= 8 && likely(v)
	case kind == weakName:
		return len(v) >= 8 && (how == tied || how == linked && len(v) >= 12 && likely(v))
	}
	return false
}

// token returns what a person would take for the value at the word s[i:to]: it goes on to
// blanks, quotes, commas and letters of other scripts.
func token(s string, i, to, floor int) (from, end int) {
	for i > floor && to-i < longestPlain && passwordSign(s[i-1]) {
		i--
		for i > floor && alnum(s[i-1]) && to-i < longestPlain {
			i--
		}
	}
	for i < to && (s[i] == '*' || s[i] == '?') {
		i++
	}
	for to < len(s) && to-i <= longestPlain && s[to] > ' ' && s[to] < 0x7f &&
		strings.IndexByte("\"'`,;<>()[]{}|", s[to]) < 0 {
		to++
	}
	if end := strings.TrimRight(s[i:to], "#*"); len(end) < to-i && strings.Trim(end, "0123456789") == "" {
		return i, i + len(end) // the code of a door
	}
	for to > i && (strings.IndexByte(".:", s[to-1]) >= 0 ||
		strings.IndexByte("?!*", s[to-1]) >= 0 && (s[to-1] == '?' || to > i+1 && s[to-2] == s[to-1])) {
		to--
	}
	return i, to
}

// pair reports whether between, the text from a cue to a value, ends in a user and a sign that
// parts the two, as in "admin / " and "ann:": user is where the user begins, or -1; tight
// says that the sign may as well be that of a path or of a sentence.
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
	if between[sign] == ',' && name != sign {
		return -1, false
	}
	user = name
	if user > 0 && between[user-1] == ']' { // a user that has been redacted
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
	if beginsWord(between[user:name], links[:]) == name-user {
		return -1, false
	}
	return user, tight
}

// administers reports whether before ends in a well-known user and the sign that a password follows, if
// it is not sure what follows one that may be of a path.
func administers(before string, sure bool) bool {
	user, tight := pair(before[max(0, len(before)-longestName):])
	if user < 0 || tight && !sure {
		return false
	}
	if user += max(0, len(before)-longestName); user > 0 && strings.IndexByte("/\\.", before[user-1]) >= 0 {
		return false
	}
	switch strings.ToLower(strings.TrimRight(before[user:], " /:,|")) {
	case "admin", "administrator", "root", "user", "guest", "test", "sa", "postgres", "ubuntu", "pi":
		return true
	}
	return false
}

// network reports whether a text speaks of a wireless network, whose key is its password.
func network(text string) bool {
	text = strings.ToLower(text)
	names := []string{"wifi", "wi-fi", "ssid", "hotspot", "wlan", "와이파이", "공유기"}
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
}

// user reports whether before ends in a name of small letters and the slash that parts it from its password.
func user(before string) bool {
	name := strings.TrimSuffix(before, "/")
	at := len(name)
	for at > 0 && (lower(name[at-1]) || digit(name[at-1])) {
		at--
	}
	return len(name) < len(before) && at < len(name) && (at == 0 || space(name[at-1]))
}

// opensSession reports whether before ends in the quote of an argument in a call that takes credentials:
// Client("id", "secret"), if the argument is random, or of one that joins a network.
func opensSession(before string, random bool) bool {
	open := strings.LastIndexByte(before, '(')
	if open < 0 || strings.IndexByte("\"'`", before[len(before)-1]) < 0 || strings.ContainsAny(before[open:], ")\n") {
		return false
	}
	end := open
	for open > 0 && word(before[open-1]) {
		open--
	}
	name := strings.ToLower(before[open:end])
	if !random {
		return name == "begin" && network(before)
	}
	return slices.ContainsFunc([]string{"client", "login", "auth", "connect", "init", "search", "api", "session", "sdk",
		"configure", "credentials"}, func(call string) bool { return strings.HasSuffix(name, call) })
}

// counted reports whether after, the text that follows a number, says what was counted.
func counted(after string) bool {
	after = strings.TrimLeft(after, " ")
	for _, unit := range [...]string{"자", "개", "회", "번", "년", "월", "일", "분", "초", "시", "명", "건", "원", "글자", "%", "times",
		"char", "days", "min", "sec", "bytes", "bit", "文字", "位", "个", "次", "年"} {
		if strings.HasPrefix(after, unit) {
			return true
		}
	}
	return false
}

// address reports whether v is an address of mail or of a computer, which is not a password.
func address(v string) bool {
	_, host, ok := strings.Cut(v, "@")
	return ok && strings.Contains(host, ".") || strings.Contains(v, "://") || strings.HasPrefix(v, "\\\\")
}

func passwordSign(c byte) bool { return classes[c]&strange != 0 }

// foreign reports that a word is part of a longer one: of a path, a name or a number.
func foreign(s string, from, to int) bool {
	part := func(i int) bool { return i >= 0 && i < len(s) && strings.IndexByte("/\\_-.=<{[", s[i]) >= 0 }
	return part(from-1) || part(to) && (s[to] != '.' || to+1 < len(s) && alnum(s[to+1])) ||
		strings.ContainsAny(s[from:to], "/\\.=:")
}

// groups returns how many runs of figures, letters of both sizes and signs v has.
func groups(v string) (figures, letters, signs int, small, capital bool) {
	for i := range len(v) {
		switch c := v[i]; {
		case digit(c):
			if i == 0 || !digit(v[i-1]) {
				figures++
			}
		case alnum(c):
			letters++
			small, capital = small || lower(c), capital || upper(c)
		case classes[c]&strange != 0 && (i > 0 || c != '@' && c != '#') && (i < len(v)-1 || c != '@'):
			signs++
		}
	}
	return
}

// uuid reports whether v has the form of a UUID, or begins so, as the keys of some vendors do.
func uuid(v string) bool {
	return len(v) >= 36 && (len(v) == 36 || !alnum(v[36])) && v[8] == '-' && v[13] == '-' && v[18] == '-' &&
		v[23] == '-' && random(v[:36])
}

// machineMade reports whether v is what no person makes up: a UUID, or a key without joints that is
// not as long as a hash.
func machineMade(v string) bool {
	return uuid(v) || len(v) >= 24 && random(v) && !strings.ContainsAny(v, "-_./%") &&
		(len(v) != 40 && len(v) != 64 || strings.Trim(v, "0123456789abcdef") != "")
}

// unspoken reports whether v is like nothing but a password or key: digits among the
// letters with a sign, in two places with letters of both sizes, or in three.
func unspoken(v string) bool {
	if len(v) < 6 {
		return false
	}
	figures, letters, signs, small, capital := groups(v)
	joints := strings.ContainsAny(v, "-_")
	return letters > 1 && (signs > 0 && (figures > 0 || scrambled(v)) || figures > 0 && scrambled(v) ||
		!joints && (figures > 1 && small && capital && len(v) >= 8 || figures > 2 && len(v) >= 12)) &&
		!technical(v) && !notSecret(v)
}

// likely reports whether v may be a word that has a figure, but is rather a password: letters with a sign
// inside, or with three figures or more.
func likely(v string) bool {
	if len(v) < 6 {
		return false
	}
	figures, letters, signs, small, capital := groups(v)
	digits := 0
	for i := range len(v) {
		if digit(v[i]) {
			digits++
		}
	}
	return (letters > 1 && (signs > 0 && (digits > 0 || small && capital) || digits > 2 ||
		digits > 1 && (figures > 1 || small && capital)) || scrambled(v)) && !technical(v) && !notSecret(v)
}

// scrambled reports whether small letters and capitals change in v as often as in no name.
func scrambled(v string) bool {
	changes := 0
	for i := 1; i < len(v); i++ {
		if lower(v[i-1]) && upper(v[i]) || upper(v[i-1]) && lower(v[i]) {
			changes++
		}
	}
	return len(v) >= 8 && changes*5 >= len(v)*2
}

// startingWord looks at the word s[i:end] and, for what spans several words (a
// PEM block, "Bearer …", "--password …"), at what follows it.
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
			return quotedPhrase(s, i, end)
		}
	case 'n', 'N':
		if len(w) == len("net") && strings.EqualFold(w, "net") {
			return netCommand(s, end)
		}
	case 'p', 'P':
		switch strings.ToLower(w) {
		case "password":
			return netrc(s, i, end)
		case "passphrase", "phrase":
			return ofWords(s, i, end)
		}
	}
	return Span{}, false
}

// quotedPhrase finds the words in quotes that a password or passphrase is said to be; s[i:end]
// is "is" or "was".
func quotedPhrase(s string, i, end int) (Span, bool) {
	from := skipBlanks(s, end)
	if from+1 >= len(s) || strings.IndexByte("\"'`", s[from]) < 0 || !namesPassword(s[max(0, i-nearBefore):i]) {
		return Span{}, false
	}
	n := strings.IndexByte(s[from+1:min(len(s), from+1+longestName)], s[from])
	if n < 4 {
		return Span{}, false
	}
	v := s[from+1 : from+1+n]
	if notSecret(v) || strings.ContainsAny(v, "\n{}()<>") || strings.IndexByte(v, ' ') < 0 && !odd(v) {
		return Span{}, false
	}
	return Span{From: from + 1, To: from + 1 + n, Kind: Assigned, What: "secret"}, true
}

// ofWords finds the words, and nothing else up to the end of a line or clause, that a passphrase
// or the seed phrase of a wallet is said to be; s[i:end] is "phrase" or "passphrase".
func ofWords(s string, i, end int) (Span, bool) {
	before := strings.ToLower(strings.TrimRight(s[max(0, i-nearAfter):i], " \t-"))
	kinds := []string{"seed", "recovery", "mnemonic", "secret", "wallet", "backup"}
	ends := func(kind string) bool { return strings.HasSuffix(before, kind) }
	if end-i == len("phrase") && !slices.ContainsFunc(kinds, ends) {
		return Span{}, false
	}
	sign := strings.IndexAny(s[end:min(len(s), end+nearAfter)], ":=\n.,")
	from := end + sign + 1
	for _, is := range [...]string{" is ", " was "} {
		if at := strings.Index(s[end:min(len(s), end+nearAfter)], is); at >= 0 && (sign < 0 || at < sign) {
			sign, from = at, end+at+len(is)
		}
	}
	if sign < 0 || strings.IndexByte("\n.,", s[end+sign]) >= 0 {
		return Span{}, false
	}
	from = skipBlanks(s, from)
	if from < len(s) && strings.IndexByte("\"'`", s[from]) >= 0 {
		from++
	}
	to, words := from, 0
	for at := from; ; words++ {
		next := at
		for next < len(s) && lower(s[next]) {
			next++
		}
		switch s[at:next] {
		case "the", "and", "for", "with", "that", "this", "you", "your", "not", "when", "from", "must", "should", "can",
			"use", "any", "are", "has", "have", "been", "too", "what", "how", "but":
			return Span{}, false
		}
		if next-at < 3 || next-from > longestPlain {
			break
		}
		to = next
		if at = skipBlanks(s, next); at == next {
			words++
			break
		}
	}
	rest := strings.TrimLeft(s[to:], " ")
	if words < 3 || rest != "" && strings.IndexByte("\r\n.,;\"'`-(/\xe2", rest[0]) < 0 {
		return Span{}, false
	}
	return Span{From: from, To: to, Kind: Assigned, What: "secret"}, true
}

// namesPassword reports whether a sentence speaks of a password.
func namesPassword(sentence string) bool {
	found := false
	for at := 0; at < len(sentence); {
		var p place
		p, at = cueAt(sentence, at, len(sentence))
		found = found || p.kind == strongName
	}
	return found
}

// netrc finds the password in "login ann password x", s[i:end] being "password".
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

// netCommand finds the password in what follows the net of "net user NAME PASSWORD /add" and
// "net use X: \\HOST\SHARE PASSWORD /user:NAME". Without an option only what no sentence
// holds is one: "net user growth was 5%" and "the .NET user guide" are prose.
func netCommand(s string, i int) (Span, bool) {
	if at := i - len("net"); at > 0 && !space(s[at-1]) && strings.IndexByte("\"'`(>&|;:", s[at-1]) < 0 {
		return Span{}, false
	}
	var found Span
	option, share := false, false
	for n := range 7 {
		from := skipBlanks(s, i)
		to, q := from, byte(' ')
		if from == i || from == len(s) {
			break
		}
		if s[from] == '"' {
			from, to, q = from+1, from+1, '"'
		}
		for to < len(s) && to-from <= longestPlain && s[to] != q && s[to] != '\n' && s[to] != '\r' && s[to] != '\t' &&
			(q == '"' || s[to] < 0x80 && strings.IndexByte("\"'`|;&<>", s[to]) < 0) {
			to++
		}
		v := s[from:to]
		if i = to; q == '"' {
			i = min(len(s), to+1)
		}
		switch {
		case v == "" || to-from > longestPlain:
			return Span{}, false
		case n == 0 && strings.EqualFold(v, "use"):
			share = true
		case n == 0 && strings.EqualFold(v, "user"):
		case n == 0:
			return Span{}, false
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

// easyConnect finds the password in scott/tiger@//host, s[at] being the "@".
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
