// Package secret finds secrets and personal data in text. Everything that is logged, sent, shown or exported goes
// through Redact. The lint rule SG504 uses Find, so that lint and Redact know the same keys.
//
//	api_key      keys whose form shows their issuer (keys.txt lists them)
//	webhook      addresses that accept messages from anybody who knows them: Slack, Discord, Teams
//	jwt          three base64url parts, the first two starting with eyJ
//	private_key  a PEM block, whole or in part
//	secret       the value of password=, token:, "apiKey": "…", --secret …, Authorization: Bearer …, <password>…</,
//	             curl -u user:…, mysql -p…, echo … | sudo -S, net use, .netrc lines; the value that a sentence, the
//	             line above or the first row of a table calls a secret: "the password for it is …",
//	             "비밀번호를 …로 바꿔줘", "ID/PW: admin/…", "… is the token"; passphrases of several words; codes
//	             and PINs after a word for them; further occurrences of a value
//	password     the password in scheme://user:password@host
//	email        name@host.tld, but not git@host
//	card         14 to 19 digits of a card network's range with a valid check digit
//	rrn          a Korean resident registration number
//	phone        Korean numbers as people write them, and numbers with + and a country code
//	id_number    an IBAN, a Korean business number or driving licence, a social security number, a Chinese identity
//	             number, by their form and check digits; Korean bank accounts by their form; any of these, passports
//	             and cards after a word for them, even with a wrong check digit
//
// Everything else is kept byte for byte, and so is a value that is plainly not a secret, such as a type name, an
// environment reference or a word in the middle of a sentence after "token: ": code and prose about passwords must
// remain searchable.
//
// Resident registration numbers issued since October 2020 have no check digit. With a hyphen, or after a word such as
// 주민번호, a possible date and sex digit are enough. Without either, the check digit must be right, because dates and
// identifiers of 13 digits are common.
//
// Not found: a password that is one plain word in a sentence ("the password is sunflower"); short or hexadecimal keys
// without a prefix and without a word such as key or token nearby; the data of a Kubernetes secret under neutral
// names; arguments of commands that are not listed here; a seed phrase without a word for it; names and postal
// addresses; telephone numbers of companies (1588-…) and foreign ones without a country code; anything encoded or
// encrypted.
//
// skillgate-dev secrets measures Find and Redact on a file of cases.
//
// The vendors, prefixes and lengths in keys.txt were checked for completeness against the rules that gitleaks
// publishes (github.com/gitleaks/gitleaks, config/gitleaks.toml, MIT licence, Copyright 2019 Zachary Rice).
//
// Text is read in linear time and nothing is compiled at start, because the hook does this to every prompt in a cold
// process.
package secret

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a secret. It is part of the mark that Redact puts in place of the secret.
type Kind string

const (
	APIKey     Kind = "api_key"
	Webhook    Kind = "webhook"
	JWT        Kind = "jwt"
	PrivateKey Kind = "private_key"
	Assigned   Kind = "secret"
	Password   Kind = "password"
	Email      Kind = "email"
	Card       Kind = "card"
	RRN        Kind = "rrn"
	Phone      Kind = "phone"
	ID         Kind = "id_number"
)

// Personal reports whether k is about a person and not a credential.
func (k Kind) Personal() bool { return k == Email || k == Card || k == RRN || k == Phone || k == ID }

// Span is one secret: text[From:To]. It never splits a UTF-8 sequence.
type Span struct {
	From, To int
	Kind     Kind
	What     string // common name, such as "GitHub token"
	Lead     int    // length of the prefix that all keys of this kind have, or 0
}

const (
	opening = "[redacted:"
	closing = "]"
)

// Rules is the version of Redact. Raise it when Redact finds more; stored text is then redacted again.
const Rules = 3

// maxPasses bounds the work on text in which every pass finds new secrets. In ordinary text the first pass finds all of
// them, and a second pass confirms that none is left.
const maxPasses = 8

// Redact returns text with its secrets replaced by "[redacted:kind]". It returns text without secrets unchanged.
// Redacting a second time changes nothing.
func Redact(text string) string {
	return redact(text, func(Kind) bool { return true })
}

func redact(text string, wanted func(Kind) bool) string {
	for range maxPasses {
		spans := slices.DeleteFunc(Find(text), func(f Span) bool { return !wanted(f.Kind) })
		if len(spans) == 0 {
			break
		}
		spans = mentions(text, spans)
		var out strings.Builder
		out.Grow(len(text) + 8*len(spans))
		done := 0
		for _, f := range spans {
			out.WriteString(text[done:f.From])
			out.WriteString(opening)
			out.WriteString(string(f.Kind))
			out.WriteString(closing)
			done = f.To
		}
		out.WriteString(text[done:])
		text = out.String()
	}
	return text
}

// mentions adds further occurrences of the values in spans, as in "password=x, but x does not work". It ignores values
// that are plain words.
func mentions(text string, spans []Span) []Span {
	all := spans
	for n, f := range spans[:min(len(spans), maxPasses)] {
		v := text[f.From:f.To]
		if len(v) < 5 || len(v) > longestPlain || plain(v) || n > 0 && strings.Contains(text[:f.From], v) {
			continue
		}
		for at := 0; ; {
			i := strings.Index(text[at:], v)
			if i < 0 {
				break
			}
			from := at + i
			at = from + len(v)
			if (from == 0 || !alnum(text[from-1])) && (at == len(text) || !alnum(text[at]) || !alnum(v[len(v)-1])) {
				f.From, f.To = from, at
				all = append(all, f)
			}
		}
	}
	if len(all) == len(spans) {
		return spans
	}
	slices.SortStableFunc(all, func(a, b Span) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	end := 0
	return slices.DeleteFunc(all, func(f Span) bool {
		if f.From < end {
			return true
		}
		end = f.To
		return false
	})
}

// Keys is like Redact, for text that must remain usable, such as instructions. It replaces only recognisable keys,
// webhooks, private keys, signed tokens and passwords in addresses.
func Keys(text string) string {
	return redact(text, func(k Kind) bool { return k != Assigned && !k.Personal() })
}

// Find returns the secrets in text, in order and without overlap.
func Find(text string) []Span {
	var spans []Span
	s := text
	done := 0     // end of the last span
	var next Span // the next key with a pattern of keys.txt, if next.To > 0
	end := 0      // end of the run of key bytes that nextKey has searched
	last := 0     // end of the current word, which is scanned only once even if it has several spans
	var near cues
	words.once.Do(readWords)
	for i := 0; i < len(s); {
		c := s[i]
		class := classes[c]
		if class == 0 {
			i++
			continue
		}
		word, to, has := class&inWord != 0 && (i == 0 || classes[s[i-1]]&inWord == 0 || i == done), i, uint16(0)
		if word {
			if i < last {
				to, has = last, figure
			}
			for ; to < len(s) && classes[s[to]]&inWord != 0; to++ {
				has |= classes[s[to]]
			}
			last = to
		}
		if class&inKey != 0 && i >= end {
			next = Span{}
			if end = runEnd(s, to); end-i >= shortestKey {
				next = nextKey(s, i, end, i)
			}
		}
		var f Span
		var ok bool
		switch {
		case next.To > 0 && i >= next.From:
			f, ok = next, next.From >= done
			next = nextKey(s, max(i, f.To), end, max(i, f.To))
			if !ok {
				continue
			}
		case word:
			p := wordCue(s, i, to)
			if p.kind != noName {
				near.add(p)
			}
			if class&opens != 0 {
				f, ok = startingWord(s, i, to, done)
			}
			if !ok && p.leadsToWords() {
				f, ok = ofWords(s, p, done)
			}
			if !ok && has&figure != 0 {
				f, ok = number(s, i, to)
			}
			cued := near.last.kind != noName && i-near.last.to < nearBefore
			if !ok && (signed(s, i, to) || has&figure != 0 && (to-i >= 4 || cued) ||
				has&capital != 0 && scrambled(s[i:to])) {
				f, ok = near.announced(s, i, to, done)
			}
			if !ok {
				if next.To > 0 && next.From > i {
					to = min(to, next.From)
				}
				i = to
				continue
			}
		case c == '[':
			if n := marker(s[i:]); n > 0 {
				i += n
				continue
			}
		case c == '@':
			if f, ok = email(s, i, done); !ok {
				f, ok = easyConnect(s, i, done)
			}
		case c == ':' && strings.HasPrefix(s[i:], "://"):
			f, ok = userinfo(s, i)
		case c == ',' && (i == 0 || s[i-1] != '"' && s[i-1] != '\''):
		case class&signs != 0:
			if f, ok = assigned(s, i, done); !ok && c == ':' {
				f, ok = fields(s, i, done)
			}
		case class&leads != 0:
			if p := phraseAt(s, i); p.kind != noName {
				near.add(p)
				if p.leadsToWords() {
					f, ok = ofWords(s, p, done)
				}
				if !ok {
					i = p.to
					continue
				}
			}
		case c == 0xEF:
			if r, n := utf8.DecodeRuneInString(s[i:]); r == '：' || r == '＝' {
				f, ok = assignedBy(s, i, i+n, done)
			}
		case c == '(' || c == '+':
			f, ok = phone(s, i)
		}
		if !ok {
			i++
			continue
		}
		if next.To > 0 && next.From < f.To {
			f.To = max(f.To, next.To)
			next = nextKey(s, min(f.To, end), end, min(f.To, end))
		}
		if f.Kind == Assigned {
			f = known(s, f)
		}
		if f.Kind == Assigned || f.What == awsKey {
			near.found = f
		}
		spans = append(spans, f)
		done = f.To
		i = f.To
	}
	return spans
}

// signed reports whether punctuation typical of passwords joins the word at s[i:to] to other text.
func signed(s string, i, to int) bool {
	sign := func(c byte) bool { return c == '!' || c == '@' || c == '#' || c == '$' || c == '^' || c == '*' }
	return to+1 < len(s) && sign(s[to]) && s[to+1] > ' ' && s[to+1] < 0x80 && s[to:to+2] != "**" ||
		i > 1 && sign(s[i-1]) && alnum(s[i-2])
}

// known returns f with a more specific kind if its value starts with a JWT or a key of the table.
func known(s string, f Span) Span {
	if s[f.From] == 'e' {
		if j, ok := jwt(s, f.From, wordEnd(s, f.From)); ok {
			f.Kind, f.What = j.Kind, j.What
			return f
		}
	}
	if k := nextKey(s, f.From, runEnd(s[:f.To], f.From), f.From); k.To > 0 && k.From == f.From {
		f.Kind, f.What, f.Lead = k.Kind, k.What, k.Lead
	}
	return f
}

// marker returns the length of a "[redacted:kind]" at the start of s, or 0.
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
