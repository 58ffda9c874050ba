package secret

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// Each line of wordData is a kind, a tab and its words, separated by "|". Words of the kinds before shortName are cues:
// they suggest that a secret is nearby. "*x" matches names that end in x, ignoring "_", "-" and "."; "x*" matches words
// that start with x. If a name ends in several of the words, the first one counts.
//
//go:embed words.txt
var wordData string

type nameKind uint8

const (
	noName     nameKind = iota
	strongName          // password and the like: any value is a secret
	weakName            // token, secret, api key: also common in code and prose
	vagueName           // key, auth: only a long irregular value is a secret
	authName            // the Authorization header
	pairName            // account, login: a user and a secret follow
	pinName             // words for a PIN: only a value of digits is a secret
	cardName            // words for a card number
	idName              // words for an account, licence or identity number
	wordsName           // words for a wallet's recovery phrase (seed words)
	shortName           // pass, pw: words for secrets that also have other meanings
	suffixPart          // last parts of names that tell several secrets apart, such as PROD in TOKEN_PROD
	glue                // words and particles that may come between a cue and its value
	link                // copulas, particles and signs that join a cue and a value
	below               // words that announce the value on one of the next lines
	copula              // Korean and Japanese copulas that follow a value
	unit                // units and other words for counted things
	carrier             // words that show that a code is an access code, not an error code
	owner               // things and people that have a PIN
	pronoun             // possessives; before "PIN code" they may mean a postal code
	user                // well-known user names
	network             // words for a wireless network
	opener              // endings of the names of functions that take credentials
	stop                // words of ordinary sentences that never occur in a recovery phrase
	sample              // words that form placeholders with digits, as in test123
	nothing             // values that are types, literals or placeholders
	give                // verbs that come before a value
	nobody              // user names in example e-mail addresses
	digest              // words that announce a hash
	technical           // beginnings of technical words with a digit, as in sha256
	kinds
	gluedName // a vague name that ends a longer word, as in sshkey: only a value with a digit and both cases is a secret
)

var kindNames = [kinds]string{"none", "strong", "weak", "vague", "auth", "pair", "pin", "card", "id", "words", "short",
	"suffix", "glue", "link", "below", "said", "unit", "carrier", "owner", "pronoun", "user", "network", "opener", "stop",
	"sample", "nothing", "give", "nobody", "digest", "technical"}

// cue is a word or phrase near which a secret is likely.
type cue struct {
	at   uint16 // offset in wordData of its text, which is in lower case
	size uint8
	kind nameKind
	next uint16 // index of the next cue in the same list, or 0
}

// open reports whether the cue also matches if its last word is only the beginning of a longer word.
func (c *cue) open() bool { return wordData[c.at+uint16(c.size)] == '*' }

func (c *cue) text() string { return wordData[c.at:][:c.size] }

var words struct {
	once   sync.Once
	cues   []cue
	starts [1024]uint16  // index in cues of the first phrase, by the hash that startOf returns
	ends   [128]uint16   // index in cues of the first name, by its last letter
	of     [kinds]string // words, separated by "|"
}

func readWords() {
	w := &words
	w.cues = make([]cue, 1, strings.Count(wordData, "|")+int(kinds))
	kind, at := noName, 0
	for line := range strings.Lines(wordData) {
		name, list, _ := strings.Cut(line[:len(line)-1], "\t")
		for kindNames[kind] != name {
			kind = (kind + 1) % kinds
		}
		w.of[kind] = list
		from := at + len(name) + 1
		at += len(line)
		for text := range strings.SplitSeq(list, "|") {
			switch n := len(text); {
			case kind >= shortName:
			case text[0] == '*':
				add(&w.ends[text[n-1]], cue{at: uint16(from + 1), size: uint8(n - 1), kind: kind})
			default:
				add(&w.starts[startOf(text)], cue{at: uint16(from), size: uint8(len(strings.TrimSuffix(text, "*"))), kind: kind})
			}
			from += len(text) + 1
		}
	}
}

func startOf(s string) int {
	return (int(small(s[0]))*169 + int(small(s[1]))*13 + int(small(s[2]))) & 1023
}

func add(at *uint16, c cue) {
	for *at != 0 {
		at = &words.cues[*at].next
	}
	*at = uint16(len(words.cues))
	words.cues = append(words.cues, c)
}

func among(s string, kind nameKind) bool {
	return begin(s, kind) == len(s) && s != ""
}

// begin returns the length of the longest word of a kind at the start of s, or 0. ASCII words must be whole.
func begin(s string, kind nameKind) int {
	words.once.Do(readWords)
	best := 0
	if s == "" {
		return 0
	}
	for w := range strings.SplitSeq(words.of[kind], "|") {
		if n := len(w); n > best && small(s[0]) == w[0] && beginsSmall(s, w) &&
			(w[0] >= 0x80 || n == len(s) || !word(s[n]) || !word(w[n-1])) {
			best = n
		}
	}
	return best
}

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

type place struct {
	from, to int
	kind     nameKind
}

func phraseAt(s string, at int) place {
	best := place{}
	if at+2 >= len(s) {
		return best
	}
	for n := words.starts[startOf(s[at:])]; n != 0; n = words.cues[n].next {
		c := &words.cues[n]
		text := c.text()
		to := at + len(text)
		if to <= best.to || !beginsSmall(s[at:], text) {
			continue
		}
		if text[len(text)-1] < 0x80 {
			end := wordEnd(s, to)
			if end > to && !c.open() && s[to:end] != "s" && s[to:end] != "S" || c.kind == pinName && text[0] == 'p' &&
				!owned(s[:at], beginsSmall(s[at:], "pin code")) && opened(s[end:]) == 0 {
				continue
			}
			to = end
		} else if c.kind == pinName && strings.HasPrefix(text, "핀") && !owned(s[:at], false) {
			continue
		}
		best = place{at, to, c.kind}
		if (text == "code" || text == "코드") && !carried(s, at) {
			best.kind = vagueName
		}
	}
	return best
}

// carried reports whether the line around s[at] shows that the code there is an access code.
func carried(s string, at int) bool {
	from := max(0, at-nearAfter)
	line := s[from:min(len(s), at+nearBefore)]
	line = line[strings.LastIndexByte(line[:at-from], '\n')+1:]
	line, _, _ = strings.Cut(line, "\n")
	return holds(line, carrier)
}

func holds(text string, kind nameKind) bool {
	for text != "" {
		if begin(text, kind) > 0 {
			return true
		}
		_, n := utf8.DecodeRuneInString(text)
		text = text[max(n, wordEnd(text, 0)):]
	}
	return false
}

// owned reports whether before ends in a person or thing that has a PIN. Other pins, such as those of a chip, are not
// secret.
func owned(before string, code bool) bool {
	before = strings.TrimRight(before[max(0, len(before)-longestName):], " ")
	last := strings.TrimSuffix(before[strings.LastIndexByte(before, ' ')+1:], "의")
	return among(last, owner) || !code && among(last, pronoun)
}

// opened returns the length of a phrase such as " for the lab door" at the start of after, or 0 if none of its first
// five words is a thing with a PIN.
func opened(after string) int {
	if !beginsSmall(after, " for ") && !beginsSmall(after, " to ") && !beginsSmall(after, " of ") {
		return 0
	}
	at := 1
	for range 5 {
		end := wordEnd(after, at)
		if among(after[at:end], owner) || among(after[at:end], carrier) {
			return end
		}
		if end == len(after) || after[end] != ' ' {
			return 0
		}
		at = end + 1
	}
	return 0
}

func wordCue(s string, at, to int) place {
	if p := phraseAt(s, at); p.kind != noName {
		return p
	}
	if mayName(s[at:to]) {
		if kind := kindOfName(s[max(0, to-longestName):to]); kind != noName && kind != authName {
			return place{at, to, kind}
		}
	}
	return place{}
}

func cueAt(s string, at int) (place, int) {
	c := s[at]
	switch {
	case alnum(c):
		to := wordEnd(s, at)
		p := wordCue(s, at, to)
		return p, max(to, p.to)
	case classes[c]&leads != 0:
		if p := phraseAt(s, at); p.kind != noName {
			return p, p.to
		}
	}
	return place{}, at + 1
}

// mayName reports whether w, judged by its last letters only, may end in the name of a secret.
func mayName(w string) bool {
	n := len(w)
	if n < 3 {
		return n == 2 && small(w[0]) == 'p' && small(w[1]) == 'w'
	}
	last := string([]byte{small(w[n-3]), small(w[n-2]), small(w[n-1])})
	if strings.Contains("ord swd pwd ase ode ial als ken ort ret ets key psk kie ass uth", last) {
		return true
	}
	if digit(w[n-1]) {
		for n > 0 && digit(w[n-1]) {
			n--
		}
		return n > 2 && !digit(w[0]) && (mayName(w[:n]) || mayName(w[:n-1]))
	}
	i := strings.LastIndexByte(w, '_')
	return i > 2 && among(w[i+1:], suffixPart) && mayName(w[:i])
}
