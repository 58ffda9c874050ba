package secret

import "strings"

// privateKey finds a PEM block of a private key that begins at s[i]. Without an END line the block lasts as long as
// its text looks like one: header lines such as Proc-Type, then base64 lines of equal length, possibly indented,
// quoted, or with escaped line ends.
func privateKey(s string, i int) (Span, bool) {
	from := headEnd(s, i)
	if from < 0 {
		return Span{}, false
	}
	span := Span{From: i, To: from, Kind: PrivateKey, What: "private key"}
	const end = "-----END"
	// The longest private keys (16,384-bit RSA) take 13 KB.
	if n := strings.Index(s[from:min(len(s), from+16<<10)], end); n >= 0 {
		to := from + n + len(end)
		for to < len(s) && (upper(s[to]) || digit(s[to]) || s[to] == ' ') {
			to++
		}
		for to < len(s) && s[to] == '-' {
			to++
		}
		span.To = to
		return span, true
	}
	longest := 0
	for at := from; at < len(s); {
		piece := skipJoints(s, at)
		if strings.HasPrefix(s[piece:], "-----BEGIN") {
			n := headEnd(s, piece)
			if n < 0 {
				break
			}
			at, span.To, longest = n, n, 0
			continue
		}
		to := piece
		for to < len(s) && (alnum(s[to]) || s[to] == '+' || s[to] == '/' || s[to] == '=') {
			to++
		}
		if longest == 0 {
			if n := headerEnd(s, piece); n > 0 {
				at, span.To = n, n
				continue
			}
		}
		if to == piece {
			break
		}
		// A short first piece before a space is prose: all lines of a key but the last have the same length.
		if longest == 0 && to-piece < 24 && to < len(s) && s[to] == ' ' && s[piece-1] != '\n' {
			break
		}
		span.To, at = to, to
		if to-piece < longest {
			break
		}
		longest = to - piece
	}
	for span.To < len(s) && (s[span.To] == '-' || alnum(s[span.To]) && span.To > from) {
		span.To++
	}
	return span, true
}

// headEnd returns the end of the line -----BEGIN … PRIVATE KEY … at s[i], or -1.
func headEnd(s string, i int) int {
	const label = "PRIVATE KEY"
	head := s[i:min(len(s), i+120)]
	at := strings.Index(head, label)
	if at < 0 || strings.ContainsAny(head[:at], "\n\r") {
		return -1
	}
	to := i + at + len(label)
	if strings.HasPrefix(s[to:], " BLOCK") {
		to += len(" BLOCK")
	}
	for to < len(s) && s[to] == '-' {
		to++
	}
	return to
}

// headerEnd returns the end of a line such as "Proc-Type: 4,ENCRYPTED" at s[i], or 0.
func headerEnd(s string, i int) int {
	to := i
	for to < len(s) && to-i < 24 && (alnum(s[to]) || s[to] == '-') {
		to++
	}
	if to == i || to+1 >= len(s) || s[to] != ':' || s[to+1] != ' ' {
		return 0
	}
	for to < len(s) && to-i < 160 && s[to] != '\n' && s[to] != '\r' && s[to] != '"' && !escapedEnd(s, to) {
		to++
	}
	for to > i && s[to-1] >= 0x80 {
		to--
	}
	return to
}

func escapedEnd(s string, i int) bool {
	return s[i] == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 'r')
}

// skipJoints skips everything between two lines of a key: blanks, line ends (also escaped ones), and the marks of
// quotations, comments and string literals.
func skipJoints(s string, i int) int {
	for i < len(s) {
		switch {
		case space(s[i]) || s[i] == '>' || s[i] == '|' || s[i] == '"' || s[i] == '\'' || s[i] == ',' || s[i] == '#' ||
			s[i] == '*':
			i++
		case escapedEnd(s, i):
			i += 2
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\':
			i++
		case s[i] == '+' && i+1 < len(s) && (s[i+1] == ' ' || s[i+1] == '\n' || s[i+1] == '"'):
			i++
		default:
			return i
		}
	}
	return i
}
