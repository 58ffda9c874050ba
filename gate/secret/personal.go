package secret

import "strings"

// number finds a card, document, account or telephone number that starts inside the word s[i:end].
func number(s string, i, end int) (Span, bool) {
	for at := i; at < end; at++ {
		if !digit(s[at]) {
			continue
		}
		first := at
		for at+1 < end && digit(s[at+1]) {
			at++
		}
		if first > 0 && (digit(s[first-1]) || s[first-1] == '.') {
			continue
		}
		if at-first >= 5 {
			if to := rrnEnd(s, first); to > 0 {
				return Span{From: first, To: to, Kind: RRN, What: "resident registration number"}, true
			}
		}
		if at-first >= 16 || at+1 < end && s[at+1] == '-' && at-first <= 5 && (first == i || !alnum(s[first-1])) {
			if to := documentEnd(s, first); to > 0 {
				return Span{From: first, To: to, Kind: ID, What: "document or account number"}, true
			}
		}
		if first == i+2 && upper(s[i]) && upper(s[i+1]) {
			if to := ibanEnd(s, i); to > 0 {
				return Span{From: i, To: to, Kind: ID, What: "IBAN"}, true
			}
		}
		if first > 0 && word(s[first-1]) {
			continue
		}
		if at-first >= 2 {
			if to := cardEnd(s, first); to > 0 {
				return Span{From: first, To: to, Kind: Card, What: "card number"}, true
			}
		}
		if s[first] == '0' {
			if f, ok := phone(s, first); ok {
				return f, true
			}
		}
	}
	return Span{}, false
}

// rrnEnd returns the end of YYMMDD-SNNNNNN at s[i], or 0: a possible date, a digit for sex and century (1 to 8), and
// six more digits. The package comment says when the last must be a check digit.
func rrnEnd(s string, i int) int {
	if len(s) < i+13 {
		return 0
	}
	for k := range 6 {
		if !digit(s[i+k]) {
			return 0
		}
	}
	to := i + 6
	dash := false
	for _, sep := range [...]string{" - ", "-", "–", "—", "‐", "‑", "−", "－", " ", ""} {
		if strings.HasPrefix(s[to:], sep) {
			dash = len(sep) > 0 && sep != " "
			to += len(sep)
			break
		}
	}
	if len(s) < to+7 {
		return 0
	}
	for k := range 7 {
		if !digit(s[to+k]) {
			return 0
		}
	}
	month := int(s[i+2]-'0')*10 + int(s[i+3]-'0')
	day := int(s[i+4]-'0')*10 + int(s[i+5]-'0')
	if month < 1 || month > 12 || day < 1 || day > 31 || s[to] < '1' || s[to] > '8' {
		return 0
	}
	if len(s) > to+7 && (alnum(s[to+7]) || s[to+7] == '_') {
		return 0
	}
	if !dash && !checks(s[i:i+6]+s[to:to+7]) && !saysRRN(s[max(0, i-40):i]) {
		return 0
	}
	return to + 7
}

// checks reports whether the last of 13 digits is the check digit of the others. The weights are 2 to 9 and 2 to 5.
func checks(digits string) bool {
	sum := 0
	for k := range 12 {
		sum += int(digits[k]-'0') * (k%8 + 2)
	}
	return int(digits[12]-'0') == (11-sum%11)%10
}

func saysRRN(text string) bool {
	return strings.Contains(text, "주민") || strings.Contains(text, "외국인등록") ||
		strings.Contains(text, "RRN") || strings.Contains(text, "rrn") || strings.Contains(text, "esident registration")
}

// documentEnd returns the end of a document or account number at s[i], or 0. It recognises Korean business numbers,
// driving licences, corporate numbers and bank accounts and American social security numbers by the lengths of their
// groups of digits, and Chinese identity numbers by their check digit.
func documentEnd(s string, i int) int {
	var digits [18]byte
	var form [6]byte // lengths of the groups
	n, group, to := 0, 0, i
	for ; to < len(s) && n < len(digits); to++ {
		if s[to] == '-' && group < len(form)-1 && form[group] > 0 {
			group++
			continue
		} else if !digit(s[to]) {
			break
		}
		digits[n] = s[to] - '0'
		n++
		form[group]++
	}
	two := digits[0]*10 + digits[1]
	right := false
	switch string(form[:group+1]) {
	case "\x03\x02\x05":
		sum := int(digits[8]) * 5 / 10
		for k, weight := range []byte{1, 3, 7, 1, 3, 7, 1, 3, 5, 1} {
			sum += int(digits[k] * weight)
		}
		right = sum%10 == 0
	case "\x03\x03\x06", "\x06\x02\x06", "\x04\x02\x07", "\x03\x04\x04\x02": // accounts of Korean banks
		right = true
	case "\x02\x02\x06\x02":
		right = two >= 11 && two <= 28
	case "\x03\x02\x04":
		area := int(two)*10 + int(digits[2])
		right = area > 0 && area != 666 && area < 900 && digits[3]+digits[4] > 0 && s[to-4:to] != "0000"
	case "\x11", "\x12":
		sum := 0
		for k, weight := range []int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2} {
			sum += int(digits[k]) * weight
		}
		last := "10X98765432"[sum%11]
		if n == 17 && to < len(s) && s[to]&^0x20 == 'X' {
			to++
			right = last == 'X'
		} else {
			right = n == 18 && digits[17]+'0' == last
		}
		born := int(digits[6])*10 + int(digits[7])
		right = right && (born == 19 || born == 20) && digits[10] < 2 && digits[12] < 4
	}
	if !right || to < len(s) && (word(s[to]) || s[to] == '.' && to+1 < len(s) && digit(s[to+1])) {
		return 0
	}
	return to
}

// ibanEnd returns the end of an IBAN at s[i], or 0. The IBAN may be in groups of four. Its remainder modulo 97 is 1.
func ibanEnd(s string, i int) int {
	n, rest, end := 0, 0, 0
	add := func(rest int, c byte) int {
		if digit(c) {
			return (rest*10 + int(c-'0')) % 97
		}
		return (rest*100 + int(c-'A') + 10) % 97
	}
	for at := i; at < len(s) && n < 34; at++ {
		c := s[at]
		if c == ' ' && n%4 == 0 {
			continue
		}
		if !digit(c) && !upper(c) {
			break
		}
		if n++; n > 4 {
			rest = add(rest, c)
		}
		if n >= 15 && (at+1 == len(s) || !word(s[at+1])) &&
			add(add(add(add(rest, s[i]), s[i+1]), s[i+2]), s[i+3]) == 1 {
			end = at + 1
		}
	}
	return end
}

// numbered reports whether v may be the number of a passport, a licence or an account: at least six digits and a few
// capitals, in groups. Dates are excluded.
func numbered(v string) bool {
	digits, capitals, groups := 0, 0, 1
	for i := range len(v) {
		switch c := v[i]; {
		case digit(c):
			digits++
		case upper(c):
			capitals++
		case c == '-' && i > 0 && i < len(v)-1:
			groups++
		default:
			return false
		}
	}
	return digits >= 6 && digits <= 20 && capitals <= 9 && (capitals > 0 || digits >= 8) &&
		!(groups == 3 && digits == 8 && v[4] == '-' && v[7] == '-')
}

// cardNumber reports whether a card network uses numbers with these first digits and this length, according to ISO/IEC
// 7812 and the networks' lists.
func cardNumber(digits []byte) bool {
	two := digits[0]*10 + digits[1]
	switch len(digits) {
	case 14: // Diners Club
		return two == 30 || two == 36 || two == 38 || two == 39
	case 15: // American Express
		return two == 34 || two == 37
	case 16:
		return digits[0] == 4 || two >= 50 && two <= 58 || two >= 22 && two <= 27 || two == 35 || two == 36 || digits[0] == 6
	}
	return digits[0] == 6 || two == 50 || two >= 56 && two <= 58 // UnionPay, Maestro
}

// cardEnd returns the end of a card number at s[i], or 0: 14 to 19 digits with the first digits of a card network and a
// valid check digit, undivided or in groups of at least three with one kind of separator.
func cardEnd(s string, i int) int {
	// The networks' ranges start with 2 to 6. Unix times start with 1.
	if s[i] < '2' || s[i] > '6' {
		return 0
	}
	var digits [19]byte
	n, group, groups := 0, 0, 1
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
		case (c == ' ' || c == '-' || c == '.') && (sep == 0 || c == sep) && group >= 3:
			next := to + 1
			if c == ' ' && next < len(s) && s[next] == ' ' {
				next++
			}
			if next >= len(s) || !digit(s[next]) {
				break scan
			}
			sep, group, to = c, 0, next-1
			groups++
		default:
			break scan
		}
		to++
	}
	if n < 14 || sep != 0 && group < 3 || sep == '.' && groups < 3 || to < len(s) &&
		(word(s[to]) || s[to] == '.' && to+1 < len(s) && digit(s[to+1])) {
		return 0
	}
	if !cardNumber(digits[:n]) {
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
	if sum%10 != 0 || sampleCard(s[i:to]) {
		return 0
	}
	return to
}

// sampleCard reports whether v repeats one group of four digits.
func sampleCard(v string) bool { return len(v) >= 16 && strings.Count(v, v[:4]) == 4 }

// phone finds a telephone number at s[i]: a Korean mobile number with or without separators, another Korean number with
// separators, or "+", a country code and at least 8 digits in groups.
func phone(s string, i int) (Span, bool) {
	if i > 0 && (alnum(s[i-1]) || s[i-1] == '.' || s[i-1] == '/' || s[i-1] == '#') {
		return Span{}, false
	}
	var digits [15]byte
	n, groups, first, last := 0, 1, 0, 0
	to := i
	open := s[i] == '('
	if open || s[i] == '+' {
		to++
	}
	if to >= len(s) || !digit(s[to]) {
		return Span{}, false
	}
	for to < len(s) {
		c := s[to]
		if digit(c) {
			if n == len(digits) {
				return Span{}, false
			}
			digits[n] = c
			n++
			if last++; groups == 1 {
				first = last
			}
			to++
			continue
		}
		next := to
		closed := c == ')'
		if closed {
			if !open {
				break
			}
			next++
		}
		for next < len(s) && next-to < 2 && (s[next] == '-' || s[next] == ' ' || s[next] == '.') {
			next++
		}
		if s[i] == '+' && next < len(s) && s[next] == '(' {
			open = true
			next++
		}
		if next == to || next >= len(s) || !digit(s[next]) {
			break
		}
		open = open && !closed
		groups++
		last = 0
		to = next
	}
	if open || to < len(s) &&
		(word(s[to]) || (s[to] == '.' || s[to] == ':' || s[to] == ',') && to+1 < len(s) && digit(s[to+1])) {
		return Span{}, false
	}
	good := false
	switch {
	case s[i] == '+':
		good = n >= 10 && digits[0] != '0' && last >= 2 && (groups >= 2 || n >= 11)
	case digits[0] != '0':
	case digits[1] == '1' && strings.IndexByte("016789", digits[2]) >= 0: // such as 010-1234-5678
		good = (n == 10 || n == 11) &&
			(groups == 1 && n == 11 && digits[2] == '0' || first == 3 && (groups == 3 && last == 4 || groups == 2))
	case digits[1] == '2': // such as 02-123-4567 and 02-1234-5678
		good = (n == 9 || n == 10) && groups == 3 && first == 2 && last == 4
	case digits[1] >= '3' && digits[1] <= '7': // such as 031-123-4567 and 070-1234-5678
		good = (n == 10 || n == 11) && groups == 3 && (first == 3 || first == 4 && digits[1] == '5' && n == 11) && last == 4
	}
	if !good || strings.Trim(s[to-4:to], s[to-1:to]) == "" && strings.Count(s[i:to], s[to-1:to]) >= 8 { // 010-0000-0000
		return Span{}, false
	}
	return Span{From: i, To: to, Kind: Phone, What: "telephone number"}, true
}

const maxLocal, maxHost = 64, 253 // RFC 5321 and RFC 1035

func email(s string, at, floor int) (Span, bool) {
	from := at
	for from > floor && at-from < maxLocal && (word(s[from-1]) || strings.IndexByte(".%+", s[from-1]) >= 0) {
		from--
	}
	for from < at && !alnum(s[from]) {
		from++
	}
	if from == at || s[from:at] == "git" {
		return Span{}, false
	}
	if at+2 < len(s) && digit(s[at+1]) && s[at+2] == 'x' {
		return Span{}, false // a file name such as icon@2x.png
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
		return Span{}, false
	}
	for _, c := range []byte(s[dot+1 : to]) {
		if !lower(c) && !upper(c) {
			return Span{}, false
		}
	}
	if host := s[at+1 : to]; strings.HasPrefix(host, "example.") && among(s[from:at], nobody) {
		return Span{}, false
	}
	switch s[dot+1 : to] {
	case "service", "timer", "socket", "target", "mount", "slice", "json", "yaml", "yml", "toml", "html", "csv", "png":
		return Span{}, false // a systemd unit such as getty@tty1.service, or a file such as schema@1.json
	}
	return Span{From: from, To: to, Kind: Email, What: "e-mail address"}, true
}

// userinfo finds the password in scheme://user:password@host; s[i:] starts with "://". The password may contain any
// character except blanks and quotes and ends at the last "@" before a host. A user without a password is returned if
// it looks like a key.
func userinfo(s string, i int) (Span, bool) {
	const longest = 256 // longer than any real user and password
	start := i + len("://")
	colon, end := 0, 0
scan:
	for k := start; k < len(s) && k-start < longest; k++ {
		switch c := s[k]; {
		case c == '@':
			if host := hostEnd(s, k+1); host > 0 && (end == 0 || colon > 0 && strings.IndexByte(s[end:k], '?') < 0 &&
				likelyHost(s[k+1:host]) && !likelyHost(s[end+1:max(end+1, hostEnd(s, end+1))])) {
				end = k
			}
		case c == ':' && colon == 0 && end == 0:
			colon = k
			port := k + 1
			for port < len(s) && digit(s[port]) {
				port++
			}
			if port == len(s) || port > k+1 && s[port] != '@' && !alnum(s[port]) && s[port] != '#' && s[port] != '!' {
				break scan
			}
		case c == '/' && colon == 0:
			break scan
		case c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || space(c) || c >= 0x80:
			break scan
		}
	}
	switch {
	case end == 0:
	case colon > 0 && colon+1 < end && (s[colon+1] == '/' || !notSecret(s[colon+1:end])):
		return Span{From: colon + 1, To: end, Kind: Password, What: "password"}, true
	case colon == 0 && random(s[start:end]):
		return Span{From: start, To: end, Kind: Password, What: "password"}, true
	}
	return Span{}, false
}

func hostEnd(s string, i int) int {
	to := i
	for to < len(s) && to-i < maxHost && (alnum(s[to]) || s[to] == '-' || s[to] == '.' || s[to] == '_') {
		to++
	}
	if to == i && (to == len(s) || s[to] != '[' && s[to] != '$' && s[to] != '{') {
		return 0
	}
	if to < len(s) && (s[to] == '@' || s[to] == '!' || s[to] == '%' || s[to] == '^' || s[to] == '&' || s[to] == '*' ||
		s[to] == '=') {
		return 0
	}
	return max(to, i+1)
}

func likelyHost(host string) bool {
	return strings.Contains(strings.Trim(host, "."), ".") || host == "localhost"
}
