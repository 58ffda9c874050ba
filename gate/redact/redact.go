// Package redact replaces secrets and personal data in text by "[redacted:kind]".
//
//	api_key      keys with a known prefix: sk-, sk_live_, ghp_, github_pat_, xoxb-, AKIA, AIza, glpat-, npm_, hf_
//	jwt          three base64url parts, the first two starting with eyJ
//	secret       the value in password=, token:, "apiKey": "…", --secret …, Authorization: Bearer …, 비밀번호: …
//	private_key  a PEM block, with its BEGIN and END lines
//	email        name@host.tld; "git@host" stays, it is nobody's address
//	card         14 to 19 digits of a card network's range with a valid check digit
//	rrn          a Korean resident registration number, ######-#######
//	password     the password in scheme://user:password@host
//
// Everything else stays byte for byte. A value that is plainly not a secret
// (a type name, an environment reference, a word in the middle of a sentence
// after "token: ") stays too: code and prose about passwords must remain
// searchable. Text is read a bounded number of times, in linear time, and
// Redact(Redact(s)) == Redact(s).
package redact

import "strings"

const (
	opening = "[redacted:"
	closing = "]"
)

// maxPasses bounds the work on text made to be redacted again and again. One
// pass finds everything in ordinary text; a second one confirms it.
const maxPasses = 8

// Redact returns text with its secrets replaced. Text without any is returned
// as it is, without a copy.
func Redact(text string) string {
	for range maxPasses {
		next := pass(text)
		if next == text {
			break
		}
		text = next
	}
	return text
}

// finding is one span to replace: text[from:to].
type finding struct {
	from, to int
	kind     string
}

// pass replaces what one reading from left to right finds.
func pass(s string) string {
	var out strings.Builder
	done := 0 // s[:done] is in out
	replace := func(f finding) int {
		out.WriteString(s[done:f.from])
		out.WriteString(opening + f.kind + closing)
		done = f.to
		return f.to
	}
	for i := 0; i < len(s); {
		c := s[i]
		var f finding
		var ok bool
		switch {
		case c == '[':
			if n := marker(s[i:]); n > 0 {
				i += n
				continue
			}
		case c == '@':
			f, ok = email(s, i, done)
		case c == ':' && strings.HasPrefix(s[i:], "://"):
			f, ok = userinfo(s, i)
		case c == ':' || c == '=':
			f, ok = assigned(s, i, done)
		case word[c] && (i == 0 || !word[s[i-1]] || i == done):
			end := wordEnd(s, i)
			if f, ok = wholeWord(s, i, end); !ok {
				if f, ok = number(s, i, end); !ok {
					i = end
					continue
				}
			}
		}
		if ok {
			i = replace(f)
		} else {
			i++
		}
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

// marker returns the length of a "[redacted:kind]" that s starts with, or 0.
func marker(s string) int {
	if !strings.HasPrefix(s, opening) {
		return 0
	}
	for i := len(opening); i < len(s) && i < len(opening)+20; i++ {
		switch c := s[i]; {
		case c == ']':
			return i + 1
		case c != '_' && !lower(c):
			return 0
		}
	}
	return 0
}

// word holds the bytes that keys and identifiers are made of.
var word = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true,
	'k': true, 'l': true, 'm': true, 'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true,
	'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true,
	'K': true, 'L': true, 'M': true, 'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true,
	'U': true, 'V': true, 'W': true, 'X': true, 'Y': true, 'Z': true,
	'_': true, '-': true,
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
func lower(c byte) bool { return 'a' <= c && c <= 'z' }
func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func alnum(c byte) bool { return digit(c) || lower(c) || upper(c) }
func blank(c byte) bool { return c == ' ' || c == '\t' }
func space(c byte) bool { return blank(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f' }

func wordEnd(s string, i int) int {
	for i < len(s) && word[s[i]] {
		i++
	}
	return i
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
