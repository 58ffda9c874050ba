package hooks

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads JSON that may be damaged or cut off. It agrees with encoding/json on valid JSON and reads as much as it
// can of anything else. Its methods always end, and none is recursive.
type scanner struct {
	text []byte
	pos  int
	cut  bool // the text ended inside a value
}

// object reads an object and calls member after every key. member must consume the value, for example with str or skip.
// object returns false if there is no object.
func (s *scanner) object(member func(key string)) bool {
	s.blanks()
	if s.peek() != '{' {
		return false
	}
	s.pos++
	for {
		s.blanks()
		switch s.peek() {
		case eof:
			s.cut = true
			return true
		case '}':
			s.pos++
			return true
		case '"':
			key := s.str()
			s.blanks()
			if s.peek() != ':' {
				continue
			}
			s.pos++
			member(key)
		default: // a comma or an invalid byte
			s.pos++
		}
	}
}

func (s *scanner) nested(member func(key string)) {
	if !s.object(member) {
		s.skip()
	}
}

func (s *scanner) first() string {
	s.blanks()
	rest := *s
	if s.skip(); rest.peek() != '[' {
		return ""
	}
	rest.pos++
	return rest.str()
}

// str returns the next value if it is a string, even if it is cut off. It skips any other value and returns "".
func (s *scanner) str() string {
	s.blanks()
	if s.peek() != '"' {
		s.skip()
		return ""
	}
	s.pos++
	start := s.pos
	for s.pos < len(s.text) { // most strings need no decoding
		switch c := s.text[s.pos]; {
		case c == '"':
			out := string(s.text[start:s.pos])
			s.pos++
			return out
		case c == '\\' || c >= utf8.RuneSelf:
			return s.decode(start)
		}
		s.pos++
	}
	s.cut = true
	return string(s.text[start:])
}

// decode reads the rest of a string that began at start and whose characters from s.pos on must be decoded.
func (s *scanner) decode(start int) string {
	out := make([]byte, 0, bytes.IndexByte(s.text[s.pos:], '"')+s.pos-start+1)
	out = append(out, s.text[start:s.pos]...)
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '"':
			s.pos++
			return string(out)
		case c == '\\':
			r, n := escape(s.text[s.pos:])
			if n == 0 { // cut off inside an escape
				s.pos = len(s.text)
				break
			}
			s.pos += n
			out = utf8.AppendRune(out, r)
		case c < utf8.RuneSelf:
			out = append(out, c)
			s.pos++
		default:
			r, n := utf8.DecodeRune(s.text[s.pos:])
			if r == utf8.RuneError && n == 1 && !utf8.FullRune(s.text[s.pos:]) {
				s.pos = len(s.text) // cut off inside a rune
				break
			}
			out = utf8.AppendRune(out, r)
			s.pos += n
		}
	}
	s.cut = true
	return string(out)
}

// escape decodes the escape sequence at the beginning of text and returns its length, or 0 if text ends inside it. It
// decodes an unknown escape to the letter after the backslash.
func escape(text []byte) (rune, int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch text[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, ok := hex4(text)
		if !ok {
			if len(text) < 6 {
				return 0, 0
			}
			return utf8.RuneError, 2
		}
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		if low, ok := hex4(text[6:]); ok {
			if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
				return full, 12
			}
		}
		return utf8.RuneError, 6
	}
	r, n := utf8.DecodeRune(text[1:])
	return r, 1 + n
}

func hex4(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range text[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func (s *scanner) isFalse() bool {
	s.blanks()
	start := s.pos
	s.skip()
	return string(s.text[start:s.pos]) == "false"
}

func (s *scanner) skip() {
	s.blanks()
	depth := 0
	for {
		switch s.peek() {
		case eof:
			s.cut = true
			return
		case '"':
			s.skipString()
		case '{', '[':
			depth++
			s.pos++
		case '}', ']':
			if depth == 0 {
				return
			}
			depth--
			s.pos++
		case ',':
			if depth == 0 {
				return
			}
			s.pos++
			continue
		case ' ', '\t', '\r', '\n', ':':
			s.pos++
			continue
		default:
			for s.pos < len(s.text) && !delimits(s.text[s.pos]) {
				s.pos++
			}
		}
		if depth == 0 {
			return
		}
	}
}

func (s *scanner) skipString() {
	s.pos++
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case '"':
			s.pos++
			return
		case '\\':
			s.pos++
		}
		s.pos++
	}
	s.pos = len(s.text)
	s.cut = true
}

func delimits(c byte) bool {
	switch c {
	case '"', '{', '}', '[', ']', ',', ':', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

const eof = -1

func (s *scanner) peek() int {
	if s.pos >= len(s.text) {
		return eof
	}
	return int(s.text[s.pos])
}

var bom = []byte("\ufeff")

func (s *scanner) atText() bool {
	s.blanks()
	return s.peek() == '"'
}

func (s *scanner) blanks() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\r', '\n', 0:
			s.pos++
		case bom[0]:
			if !bytes.HasPrefix(s.text[s.pos:], bom) {
				return
			}
			s.pos += len(bom)
		default:
			return
		}
	}
}
