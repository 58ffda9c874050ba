package enrich

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/script"
)

// Limits on the length of a phrase, in characters. A shorter request matches too many prompts, and a longer one is a
// document.
const (
	minRequest = 4
	maxRequest = 200
	minKeyword = 2
	maxKeyword = 40
)

// Limits on the phrases kept per skill. Further phrases do not improve ranking and make the field longer.
const (
	maxRequests = 10 // maximum number of requests per language
	maxKeywords = 16
)

// Reasons for rejecting a phrase, the keys of a Tally.
const (
	badLength      = "length"
	badCharacters  = "characters"
	badLanguage    = "language"
	badMarkup      = "markup"
	badInstruction = "instruction"
	badName        = "another skill's name"
	badTwice       = "twice"
	badTooMany     = "too many"
)

// Tally counts rejected phrases by reason.
type Tally map[string]int

func (t Tally) add(u Tally) {
	for why, n := range u {
		t[why] += n
	}
}

// Total returns the number of rejected phrases.
func (t Tally) Total() int {
	n := 0
	for _, c := range t {
		n += c
	}
	return n
}

// Checker decides which phrases of an untrusted answer are accepted.
type Checker struct {
	names    map[string]string // names by their foldName form
	compound []string          // lower-case names that contain a hyphen, sorted
}

// NewChecker returns a checker for a library whose skills have these names.
func NewChecker(names []string) *Checker {
	c := &Checker{names: make(map[string]string, len(names))}
	for _, name := range names {
		c.names[foldName(name)] = name
		if strings.Count(name, "-") > 0 {
			c.compound = append(c.compound, strings.ToLower(name))
		}
	}
	slices.Sort(c.compound)
	c.compound = slices.Compact(c.compound)
	return c
}

func foldName(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_' || r == ':' || r == '/'
	}), " ")
}

// Expansion returns x with its acceptable phrases, cleaned, and counts the others by reason. x.Name is the skill's
// own name.
func (c *Checker) Expansion(x Expansion) (Expansion, Tally) {
	tally := Tally{}
	out := x
	out.Phrases = nil
	seen := map[string]bool{}
	count := map[string]int{}
	for _, p := range x.Phrases {
		text, why := c.phrase(p.Kind, p.Text, x.Name)
		limit := maxRequests
		if p.Kind == Keywords {
			limit = maxKeywords
		}
		switch key := strings.ToLower(text); {
		case why != "":
		case seen[key]:
			why = badTwice
		case count[p.Kind] == limit:
			why = badTooMany
		default:
			seen[key] = true
			count[p.Kind]++
			out.Phrases = append(out.Phrases, Phrase{p.Kind, text})
			continue
		}
		tally[why]++
	}
	return out, tally
}

func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	return clip.Bytes(s, 200)
}

// phrase returns text without unneeded spaces and punctuation, or the reason for rejecting it. own is the name of the
// phrase's skill.
func (c *Checker) phrase(kind, text, own string) (cleaned, why string) {
	lo, hi := minRequest, maxRequest
	if kind == Keywords {
		lo, hi = minKeyword, maxKeyword
	}
	text, why = clean(text, lo, hi)
	switch {
	case why != "":
		return "", why
	case !inLanguage(kind, text):
		return "", badLanguage
	case c.namesAnother(text, own):
		return "", badName
	}
	return text, ""
}

// namesAnother reports whether a text is or contains the name of another skill. A contained name must be hyphenated,
// unlike ordinary text.
func (c *Checker) namesAnother(text, own string) bool {
	if name, ok := c.names[foldName(text)]; ok && name != own {
		return true
	}
	lower := strings.ToLower(text)
	if !strings.Contains(lower, "-") {
		return false
	}
	for _, word := range strings.FieldsFunc(lower, func(r rune) bool {
		return r != '-' && r != '_' && r != ':' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}) {
		if _, ok := slices.BinarySearch(c.compound, word); ok && word != strings.ToLower(own) {
			return true
		}
	}
	return false
}

func clean(text string, lo, hi int) (string, string) {
	if !utf8.ValidString(text) || len(text) > 8*hi {
		return "", badLength
	}
	text = strings.TrimSpace(norm.NFC.String(text))
	for _, r := range text {
		// Tabs and line breaks are control characters, so a phrase is a single line.
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || r == utf8.RuneError ||
			r == '\u2028' || r == '\u2029' {
			return "", badCharacters
		}
	}
	text = strings.Trim(text, "\"“”'‘’「」 ")
	text = strings.Join(strings.Fields(text), " ")
	if n := utf8.RuneCountInString(text); n < lo || n > hi {
		return "", badLength
	}
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters < 2:
		return "", badCharacters
	case hasMarkup(text):
		return "", badMarkup
	case instructs(text):
		return "", badInstruction
	}
	return text, ""
}

// hasMarkup reports whether a text contains tags, code, links, placeholders or control words of chat templates.
func hasMarkup(text string) bool {
	if strings.ContainsAny(text, "<>`{}\\|") {
		return true
	}
	for _, mark := range []string{"](", "://", "[/", "[inst", "$(", "**", "__", "##", "&lt;", "&#"} {
		if strings.Contains(strings.ToLower(text), mark) {
			return true
		}
	}
	return text[0] == '#' || text[0] == '/' || text[0] == '!' || text[0] == '@'
}

// instructions lists typical parts, in lower case, of refusals and of texts that address a model instead of a user.
var instructions = []string{
	"ignore previous", "ignore all previous", "ignore the previous", "ignore the above", "ignore all instructions",
	"ignore your", "disregard previous", "disregard the", "disregard all", "disregard your", "forget previous",
	"forget all previous", "forget your instructions", "previous instructions", "system prompt", "system message",
	"system reminder", "system-reminder", "you are now", "you must", "as an ai language", "as an ai assistant",
	"as an ai model", "as a language model", "i cannot", "i can't help", "i'm sorry", "i am sorry",
	"always use this skill", "always load", "always use the skill", "use this skill for", "load this skill",
	"skill tool", "tool_use", "do anything now", "override your", "reveal your", "do not tell the user",
	"don't tell the user", "이전 지시", "이전 명령", "앞의 지시", "위의 지시", "지시를 무시", "지시사항을 무시", "지시 사항을 무시", "명령을 무시",
	"시스템 프롬프트", "너는 이제", "당신은 이제", "스킬을 항상", "항상 이 스킬", "언어 모델로서", "ai로서", "죄송하지만", "도와드릴 수 없",
}

func instructs(text string) bool {
	folded := strings.ToLower(text)
	for _, s := range instructions {
		if strings.Contains(folded, s) {
			return true
		}
	}
	role, _, _ := strings.Cut(folded, ":")
	switch role {
	case "assistant", "human", "user", "system", "developer", "tool":
		return len(role) < len(folded) // "System: …" imitates a turn of a conversation
	}
	return false
}

// inLanguage reports whether the script of a text fits its kind, the language of a request. Keywords pass, and so do
// requests in languages that package lang does not have. Prompts contain names in Latin script, so a text in another
// script needs only some letters of its own.
func inLanguage(kind, text string) bool {
	base, _, _ := strings.Cut(kind, "-")
	l := lang.Find(base)
	if l == nil || kind == Keywords {
		return true
	}
	latin := func(r rune) bool { return unicode.Is(unicode.Latin, r) }
	english := l == lang.All[0]
	own := l.Writes
	if english {
		own = latin
	}
	var mine, names, others int
	for _, r := range text {
		switch {
		case own(r):
			mine++
		case latin(r):
			names++
		case unicode.IsLetter(r) && !script.Han(r):
			others++
		}
	}
	if english {
		return mine >= 3 && mine >= 3*others
	}
	return mine >= 2 && 8*mine >= names && others == 0
}

// usable returns an error unless a checked expansion is worth keeping: it must have a request in each wanted language,
// and at least half of the answer must be accepted.
func usable(x Expansion, languages []string, dropped Tally) error {
	for _, lang := range languages {
		if !slices.ContainsFunc(x.Phrases, func(p Phrase) bool { return p.Kind == lang }) {
			return fmt.Errorf("the answer has no usable request in the language %q", lang)
		}
	}
	if bad := dropped.Total() - dropped[badTwice] - dropped[badTooMany]; bad > len(x.Phrases) {
		return fmt.Errorf("%d of %d phrases in the answer are unusable", bad, bad+len(x.Phrases))
	}
	return nil
}
