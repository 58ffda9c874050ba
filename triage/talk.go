package triage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

const (
	maxUnits = 120 // maximum number of units of a greeting or an answer
	maxEntry = 12  // number of units of the longest entry in vocab.Talk
	maxWord  = 40  // maximum length in bytes of a word that is looked up
)

// unit is an element of an entry of vocab.Talk: a Latin word, a letter of another script, a number ("#") or a run of
// single Hangul letters ("ㅋㅋ").
type unit struct {
	form       string
	start, end int  // byte offsets in the text
	inside     bool // follows the previous unit directly
	opens      bool // is the first unit or follows punctuation, a line end or a sign
	latin      bool
	alone      vocab.Class // class of a run of single Hangul letters, or 0
}

// talk returns Greeting or Ack if entries of vocab.Talk make up all of text. Otherwise it returns Search and text
// without any greeting, answer or thanks that punctuation separates from the request.
func talk(text string) (kind Kind, work string) {
	units, whole := unitsOf(text)
	if len(units) == 0 {
		return Search, text
	}
	seen := cover(units)
	if whole {
		switch all := seen[len(units)]; {
		case all&vocab.Greet != 0, all&vocab.Call != 0 && all&vocab.Carries == 0:
			return Greeting, text
		case all&vocab.Carries != 0:
			return Ack, text
		}
	}
	for i := len(units) - 1; i > 0; i-- {
		if units[i].opens && seen[i]&vocab.Carries != 0 && units[i-1].form != "#" {
			text = text[openingOf(text, units[i-1].end, units[i].start):]
			break
		}
	}
	return Search, trimThanks(text)
}

// pointsOnly reports whether text has no content of its own: "이거 봐줘".
func pointsOnly(text string) bool {
	units, whole := unitsOf(text)
	return whole && cover(units)[len(units)] != 0
}

// cover returns, for each n, the classes of the list entries that together make up the first n units, or 0 if there
// are no such entries.
func cover(units []unit) []vocab.Class {
	n := len(units)
	seen := make([]vocab.Class, n+1)
	seen[0] = vocab.Fill
	for i := range units {
		if seen[i] == 0 {
			continue
		}
		if class := units[i].alone; class != 0 {
			seen[i+1] |= seen[i] | class
			continue
		}
		entry := ""
		for j := i; j < n && j < i+maxEntry && (j == i || !units[j].opens); j++ {
			if units[j].latin && j > i {
				entry += " "
			}
			entry += units[j].form
			class := classOf(entry)
			switch {
			case class == 0:
			case class&vocab.Last != 0 && j+1 < n && !units[j+1].opens && units[j+1].alone == 0:
			case units[i].inside && i == j && class&vocab.Tail == 0:
				// one letter inside a word is not an entry unless it is a particle or an ending
			default:
				seen[j+1] |= seen[i] | class
			}
		}
	}
	return seen
}

func classOf(entry string) vocab.Class {
	class, _ := vocab.Talk.Value(entry)
	return vocab.Class(class)
}

func unitsOf(text string) (units []unit, whole bool) {
	units, whole = make([]unit, 0, 32), true
	inside, opens := false, true
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isWord(r) {
			inside, opens = false, opens || r != ' ' && r != '\t' && !joins(text, i, r)
			whole = whole && !isCode(text, i, r)
			i += n
			continue
		}
		if len(units) == maxUnits {
			return units, false
		}
		u := unit{start: i, inside: inside, opens: opens}
		switch {
		case script.Letter(r):
			u.end = i + runLen(text[i:], script.Letter)
			u.form = text[i:u.end]
			u.alone = lettersClass(u.form)
		case isDigit(r) || isLatin(r):
			u.end = i + wordLen(text[i:])
			next, _ := utf8.DecodeRuneInString(text[u.end:])
			u.form = latinForm(text[i:u.end], script.Syllable(next) || len(text) == 1)
			u.latin = true
		default:
			u.end, u.form = i+n, text[i:i+n]
		}
		i = u.end
		inside, opens = true, u.alone != 0
		units = append(units, u)
	}
	return units, whole
}

// lettersClass returns the class of a run of single Hangul letters: its class in the word list if it has one, Answer
// for consonants (ㅇㅋ, ㄱㄱ), laughter and crying, otherwise 0.
func lettersClass(run string) vocab.Class {
	if class := classOf(run); class != 0 {
		return class
	}
	if strings.ContainsFunc(run, func(r rune) bool { return 'ㅏ' <= r && !strings.ContainsRune("ㅠㅜㅡ", r) }) {
		return 0
	}
	return vocab.Answer
}

// latinForm returns a Latin word as the list spells it: in lower case, without apostrophes and, if only that form is
// in the list, without repeated letters ("heyyy"). A number below 100 and a letter that names a choice become "#".
func latinForm(word string, choice bool) string {
	if len(word) > maxWord {
		return ""
	}
	w := strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' {
			return -1
		}
		return narrow(unicode.ToLower(r))
	}, word)
	if strings.Trim(w, "0123456789") == "" && len(w) <= 2 || len(w) == 1 && (choice || 'b' <= w[0] && w[0] <= 'e') {
		return "#"
	}
	if classOf(w) != 0 {
		return w
	}
	short := []byte(w)
	for len(short) > 2 && short[len(short)-1] == short[len(short)-2] {
		short = short[:len(short)-1]
	}
	if classOf(string(short)) == 0 {
		short = slices.Compact(short)
	}
	if len(short) > 1 && classOf(string(short)) != 0 {
		return string(short)
	}
	return w
}

func joins(text string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
	return strings.ContainsRune(".:-_/\\@&+'", r) && isWord(before) && !script.Syllable(before) && isWord(after)
}

func isCode(text string, i int, r rune) bool {
	if r == '/' {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		return isWord(after) && !(isDigit(before) && isDigit(after)) // 10/10 is not code
	}
	return strings.ContainsRune("{}$|@\\`=", r)
}

func wordLen(s string) int {
	for i, r := range s {
		if isLatin(r) || isDigit(r) {
			continue
		}
		if i > 0 && (r == '\'' || r == '’') {
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if isLatin(next) {
				continue
			}
		}
		return i
	}
	return len(s)
}

func runLen(s string, set func(rune) bool) int {
	for i, r := range s {
		if !set(r) {
			return i
		}
	}
	return len(s)
}

// openingOf returns the start of the request after a greeting or answer that ends at end. The first word of the request
// is at start; a quote, bracket or path sign directly before it belongs to the request.
func openingOf(text string, end, start int) int {
	for start > end {
		r, n := utf8.DecodeLastRuneInString(text[end:start])
		if !strings.ContainsRune("\"'([{<`#@/~$._*“‘「『《-", r) {
			break
		}
		start -= n
	}
	if start == end { // there is no request, only punctuation, as in "hi..."
		return end + strings.IndexFunc(text[end:], isWord)
	}
	return start
}

// thanksWindow is the number of bytes at the end of a text in which thanks are looked for.
const thanksWindow = 64

func trimThanks(text string) string {
	text = strings.TrimSpace(text)
	base := max(0, len(text)-thanksWindow)
	for base > 0 && !utf8.RuneStart(text[base]) {
		base++
	}
	units, whole := unitsOf(text[base:])
	if !whole {
		return text
	}
	for i := 1; i < len(units); i++ {
		if units[i].opens && cover(units[i:])[len(units)-i]&vocab.Thank != 0 {
			return strings.TrimRight(text[:base+units[i].start], " \t\n,-–—~")
		}
	}
	return text
}
