package secret

import (
	_ "embed"
	"strings"
	"sync"
)

// keyData has a line for each kind of key with a recognisable shape: its pattern, a tab and the key's common name. The
// lines are sorted by pattern. The counts in a pattern are those of the shortest real key, or smaller if only keys
// start with the literal.
//
//go:embed keys.txt
var keyData string

// A pattern consists of literal bytes and groups: <h32> stands for 32 bytes of class h, <w20+> for at least 20 bytes of
// class w. It starts with a literal, or with a group and a literal, and nextKey searches for the literal. If ordinary
// names start with the literal too, a final "?" requires an irregular key, and a final "!" a key with a digit, an
// upper-case and a lower-case letter.
//
//	d digits            h lower-case hex     H hex            l lower-case letters, digits
//	u capitals, digits  a letters, digits    w a, _ -         W w, . =
//	t w, . ~            b a, + / =           p everything in a path or key
type shape struct {
	what, pattern string
	lead          string // the group before the literal, usually ""
}

// shortestKey is the length of the shortest key of the table.
const shortestKey = 16

// mostRead is the maximum number of bytes that a failing match reads. It bounds the work on text full of key prefixes.
const mostRead = 256

func inClass(class, c byte) bool {
	switch class {
	case 'd':
		return digit(c)
	case 'h':
		return digit(c) || 'a' <= c && c <= 'f'
	case 'H':
		return digit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	case 'l':
		return digit(c) || lower(c)
	case 'u':
		return digit(c) || upper(c)
	case 'a':
		return alnum(c)
	case 'w':
		return word(c)
	case 'W':
		return word(c) || c == '.' || c == '='
	case 't':
		return word(c) || c == '.' || c == '~'
	case 'b':
		return alnum(c) || c == '+' || c == '/' || c == '='
	case 'p':
		return classes[c]&inKey != 0
	}
	return false
}

// group parses a group such as "<c12+>" at the start of p. more reports a "+", and length is the length of the group.
func group(p string) (class byte, count int, more bool, length int) {
	class = p[1]
	i := 2
	for ; p[i] != '>'; i++ {
		if p[i] == '+' {
			more = true
			continue
		}
		count = count*10 + int(p[i]-'0')
	}
	return class, count, more, i + 1
}

// match returns the end of the key with pattern p at s[i], or -1. It does not read past end.
func match(p, s string, i, end int) int {
	from := i
	for len(p) > 1 || p != "" && p != "?" && p != "!" {
		if p[0] != '<' {
			if i >= end || s[i] != p[0] {
				return -1
			}
			i++
			p = p[1:]
			continue
		}
		class, count, more, length := group(p)
		p = p[length:]
		stop := i + count
		if stop > end {
			return -1
		}
		for ; i < stop; i++ {
			if !inClass(class, s[i]) {
				return -1
			}
		}
		if more {
			for i < end && inClass(class, s[i]) {
				if i++; i == from+mostRead && !looks(p, s[from:i]) {
					return -1
				}
			}
		} else if p == "" && i < end && alnum(s[i]) {
			return -1
		}
	}
	if !looks(p, s[from:min(i, from+mostRead)]) {
		return -1
	}
	for s[i-1] == '.' || s[i-1] == ':' { // punctuation after the key
		i--
	}
	return i
}

// looks reports whether rest is the end of a pattern ("", "?" or "!") and key is as irregular as the pattern requires.
func looks(rest, key string) bool {
	switch rest {
	case "":
		return true
	case "?":
		return irregular(key)
	case "!":
		return mixed(key)
	}
	return false
}

func literal(p string) string {
	if i := strings.IndexByte(p, '<'); i >= 0 {
		return p[:i]
	}
	return p
}

// starts indexes the table by the first bytes of its patterns.
var starts struct {
	once  sync.Once
	lines []uint16               // offsets of the lines of keyData
	pairs [128 * 128 / 64]uint64 // bit set of the first two bytes of patterns without a lead
	keys  [129]uint16            // index in lines of the first pattern for each first byte
	inner [128 * 128 / 64]uint64 // like pairs, for the literals after a lead
}

func setPair(pairs *[128 * 128 / 64]uint64, p string) {
	if p[1] == '<' { // the literal has one byte
		for c := range 128 {
			n := int(p[0])<<7 | c
			pairs[n>>6] |= 1 << (n & 63)
		}
		return
	}
	n := int(p[0])<<7 | int(p[1])
	pairs[n>>6] |= 1 << (n & 63)
}

func shapeOf(line string) shape {
	pattern, what, _ := strings.Cut(line, "\t")
	what, _, _ = strings.Cut(what, "\n")
	lead := pattern[:strings.IndexByte(pattern, '>')+1]
	if pattern[0] != '<' {
		lead = ""
	}
	return shape{what, pattern[len(lead):], lead}
}

func shapeAt(n uint16) shape { return shapeOf(keyData[starts.lines[n]:]) }

func prepare() {
	starts.lines = make([]uint16, 0, strings.Count(keyData, "\n"))
	at := 0
	for line := range strings.Lines(keyData) {
		starts.lines = append(starts.lines, uint16(at))
		at += len(line)
		k := shapeOf(line)
		first, pairs := k.pattern[0], &starts.pairs
		if k.lead != "" {
			first, pairs = '<', &starts.inner
		}
		starts.keys[first+1] = uint16(len(starts.lines))
		setPair(pairs, k.pattern)
	}
	for c := 1; c < len(starts.keys); c++ {
		starts.keys[c] = max(starts.keys[c], starts.keys[c-1])
	}
}

// nextKey returns the first key of the table in s[from:end], a run of key bytes, or the zero Span. The key does not
// start before floor.
func nextKey(s string, from, end, floor int) Span {
	if end-from < shortestKey {
		return Span{}
	}
	starts.once.Do(prepare)
	for i := from; i+1 < end; i++ {
		n := int(s[i])<<7 | int(s[i+1])
		bit := uint64(1) << (n & 63)
		if starts.pairs[n>>6]&bit != 0 {
			if f, ok := keyAt(s, i, end); ok {
				return f
			}
		}
		if starts.inner[n>>6]&bit != 0 {
			if f, ok := keyAround(s, i, end, floor); ok {
				return f
			}
		}
	}
	return Span{}
}

func keyAt(s string, i, end int) (Span, bool) {
	if end-i < 3 {
		return Span{}, false
	}
	best := Span{}
	for n := starts.keys[s[i]]; n < starts.keys[s[i]+1]; n++ {
		if p := keyData[starts.lines[n]:]; p[1] != s[i+1] || p[2] != s[i+2] && p[2] != '<' {
			continue
		}
		k := shapeAt(n)
		if !begins(s, i) && !distinct(literal(k.pattern)) || i > 0 && k.doubtful() && s[i-1] == '_' {
			continue
		}
		if to := match(k.pattern, s, i, end); to > 0 && to >= best.To { // the later of two matches is more specific
			best = Span{i, to, k.kind(), k.what, len(literal(k.pattern))}
		}
	}
	return best, best.To > 0 && !strings.Contains(s[best.From:best.To], "EXAMPLE")
}

func (k shape) kind() Kind {
	if strings.HasSuffix(k.what, " webhook") {
		return Webhook
	}
	return APIKey
}

// doubtful reports whether the literal is also the start of ordinary names.
func (k *shape) doubtful() bool { c := k.pattern[len(k.pattern)-1]; return c == '?' || c == '!' }

// begins reports whether a key may start at s[i]: s[i-1] is not a letter or digit, unless it is the letter of an
// escaped \n, \r or \t.
func begins(s string, i int) bool {
	return i == 0 || !alnum(s[i-1]) || i > 1 && s[i-2] == '\\' && (s[i-1] == 'n' || s[i-1] == 'r' || s[i-1] == 't')
}

func distinct(lit string) bool {
	return len(lit) >= 4 && strings.ContainsAny(lit, "_-.")
}

func keyAround(s string, i, end, floor int) (Span, bool) {
	for n := starts.keys['<']; n < starts.keys['<'+1]; n++ {
		k := shapeAt(n)
		if k.pattern[0] != s[i] || k.pattern[1] != '<' && k.pattern[1] != s[i+1] {
			continue
		}
		class, count, more, _ := group(k.lead)
		from := i
		for from > floor && i-from < mostRead && (more || i-from < count) && inClass(class, s[from-1]) {
			from--
		}
		if i-from < count {
			continue
		}
		if to := match(k.pattern, s, i, end); to > 0 {
			return Span{From: from, To: to, Kind: k.kind(), What: k.what}, true
		}
	}
	return Span{}, false
}
