package catalog

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// skillNames returns the skill names at the start of s ("a-b", "a-b or c-d", "the x skill") and the number of bytes
// they take. If scan is set, it skips other words up to the next comma or "or". This suits a parenthesis that only
// names the skills to use.
func skillNames(s string, scan bool) (names []string, used int) {
	for i := 0; i < len(s); {
		i += skipSpace(s[i:], " `\"'/*“”‘’")
		word := nameToken(s[i:])
		low := lower(word)
		name, n := joinWrapped(word, s[i+len(word):])
		switch {
		case low == "the" || low == "a" || low == "an" || low == "either" || low == "existing" || low == "dedicated" ||
			low == "instead" || low == "skill":
			i += len(word)
			continue
		case isName(name, s[i+len(word)+n:]):
			names = appendNew(names, name)
			i += len(word) + n
			used = i
		case scan:
			i += len(word)
		default:
			return names, used
		}
		var more bool
		n, more = connector(s[i:])
		if !more && scan {
			n, more = nextItem(s[i:])
		}
		if !more {
			return names, used
		}
		i += n
	}
	return names, used
}

// nameToken returns the longest run of name characters at the start of s, without a final full stop or colon.
func nameToken(s string) string {
	n := 0
	for n < len(s) && (isWord(s[n]) || s[n] == '-' || s[n] == ':' || s[n] == '.' || s[n] == '/' || s[n] == '@' ||
		s[n] == '*') {
		n++
	}
	return strings.TrimRight(s[:n], ".:/*")
}

// isName reports whether word is a skill's name: hyphenated, or in lower case and followed by "skill", punctuation or
// the end. after is the text after word.
func isName(word, after string) bool {
	if len(word) < 2 || len(word) > 64 || strings.ContainsAny(word, "./@*") || strings.HasPrefix(word, "-") {
		return false
	}
	letters := strings.ContainsFunc(word, func(r rune) bool { return 'a' <= r && r <= 'z' })
	if !letters {
		return false
	}
	follow := lower(strings.TrimLeft(after, " `\"'”’"))
	if strings.HasPrefix(after, "(") || strings.HasPrefix(after, "/") {
		return false // a function call or a path
	}
	if strings.ContainsAny(strings.Trim(word, "-:"), "-:_") {
		if vocab.NotName.Has(word) || strings.HasSuffix(word, "-focused") {
			return false
		}
		for _, noun := range []string{"tests", "testing", "tools", "approach", "data", "method", "mode", "api", "code",
			"tool"} {
			if wordAt(follow, 0, noun) && strings.HasPrefix(follow, noun) {
				return false // an adjective, as in "end-to-end tests"
			}
		}
		return true
	}
	if word != lower(word) || vocab.NotName.Has(word) {
		return false
	}
	if follow == "" || strings.ContainsRune(",;.)—–→", firstRune(follow)) {
		return true
	}
	for w := range vocab.NameTail.All() {
		if strings.HasPrefix(follow, w) && (w[0] >= 0x80 || wordAt(follow, 0, w)) {
			return true
		}
	}
	return false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// joinWrapped joins a name that a line break has split after a hyphen. n is the number of bytes taken from after.
func joinWrapped(word, after string) (name string, n int) {
	if !strings.HasSuffix(word, "-") {
		return strings.Trim(word, "-"), 0
	}
	gap := skipSpace(after, " ")
	next := nameToken(after[gap:])
	if gap == 0 || next == "" || next == "and" || next == "or" {
		return strings.Trim(word, "-"), 0
	}
	return word + strings.Trim(next, "-"), gap + len(next)
}

func connector(s string) (n int, ok bool) {
	n = skipSpace(s, " `\"'”’")
	if strings.HasPrefix(s[n:], " ") {
		n++
	}
	low := lower(s[n:])
	for {
		if rest, joined := vocab.NameConnector.CutPrefix(low); joined {
			n += len(low) - len(rest)
		} else if r, size := utf8.DecodeRuneInString(low); strings.ContainsRune(",/+&→", r) {
			n += size
		} else {
			return n, ok
		}
		n += skipSpace(s[n:], " `")
		low, ok = lower(s[n:]), true
	}
}

func nextItem(s string) (n int, ok bool) {
	low := lower(s)
	for i := 0; i < len(s); i++ {
		if s[i] == ',' || s[i] == ';' || s[i] == '/' {
			return i + 1, true
		}
		if strings.HasPrefix(low[i:], " or ") {
			return i + 4, true
		}
		if strings.HasPrefix(low[i:], " and ") {
			return i + 5, true
		}
	}
	return 0, false
}

func skipSpace(s, chars string) int {
	return len(s) - len(strings.TrimLeft(s, chars))
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
