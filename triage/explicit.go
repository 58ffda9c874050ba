package triage

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

const (
	maxReach  = 160     // bytes before and after a name that are searched for words that ask for it
	maxListen = 1 << 15 // bytes of a text that are read; nobody asks for a skill after 32 KiB of other text
)

// Explicit returns the names that text asks for, in order and without repeats. isName reports whether its argument is
// the name of an installed skill or agent.
//
// A name is asked for if a verb such as "use" governs it ("use the pdf skill", "pr-review 스킬로 해줘") or if it is typed as
// /name. A name without a hyphen, colon or underscore may be a common word, so it counts only next to the word skill or
// agent, or as /name. Names in paths, URLs and code, negated names ("pdf 말고") and names in questions about them ("what
// does pr-review do?") do not count.
func Explicit(text string, isName func(string) bool) []string {
	text = headOf(text, maxListen)
	var found []string
	add := func(name string) {
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	accepted := -1          // end of the previous name, if it was asked for
	pending, open := "", -1 // a name that is asked for if the next one is ("the pdf and docx skills"), and its end
	for i := 0; i < len(text); {
		t, next := nextToken(text, i)
		i = next
		if t.end == 0 {
			continue
		}
		name, length := installed(text[t.start:t.end], isName)
		if name == "" {
			continue
		}
		t.end = t.start + length
		f := frameOf(text, t)
		if f.negated() {
			accepted, open = -1, -1
			continue
		}
		afterOpen := open >= 0 && listed(text[open:t.start])
		switch {
		case f.asks(name),
			f.continues(name) && accepted >= 0 && listed(text[accepted:t.start]),
			f.continues(name) && afterOpen && f.noun:
			if afterOpen {
				add(pending)
			}
			add(name)
			accepted, open = t.end, -1
		default:
			accepted = -1
			if pending, open = name, -1; f.opensList() {
				open = t.end
			}
		}
	}
	return found
}

// token is a run of name characters outside code, paths and URLs.
type token struct {
	start, end int
	slash      bool // typed as /name
}

func nextToken(text string, i int) (token, int) {
	c := text[i]
	if c == '`' {
		end := pastCode(text, i)
		inner := strings.Trim(text[i:end], "`")
		body := strings.TrimPrefix(inner, "/")
		if body != "" && nameLen(body) == len(body) && end > i+1 {
			start := i + strings.Index(text[i:end], body)
			return token{start, start + len(body), len(body) < len(inner)}, end
		}
		return token{}, end
	}
	slash := false
	start := i
	if c == '/' {
		if i > 0 && strings.IndexByte(" \n\t(\"'“‘", text[i-1]) < 0 {
			return token{}, i + 1
		}
		slash, start = true, i+1
	}
	n := nameLen(text[start:])
	if n == 0 {
		if slash || c < utf8.RuneSelf {
			return token{}, i + 1
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		return token{}, i + size
	}
	end := start + n
	if joinsPath(text, end) || !slash && i > 0 && strings.IndexByte("/\\@#$=.-_~", text[i-1]) >= 0 {
		for end < len(text) && text[end] > ' ' {
			end++
		}
		return token{}, end
	}
	stop := start + len(strings.TrimRight(text[start:end], "-_:"))
	if stop == start {
		return token{}, end
	}
	return token{start, stop, slash}, end
}

// joinsPath reports whether a run that ends at text[end] continues as a path, file name, address or call.
func joinsPath(text string, end int) bool {
	if end >= len(text) {
		return false
	}
	switch text[end] {
	case '/', '\\', '@', '=':
		return true
	case '.':
		return end+1 < len(text) && (isWord(rune(text[end+1])) && text[end+1] < utf8.RuneSelf || text[end+1] == '/')
	}
	return false
}

func nameLen(s string) int {
	for i, r := range s {
		if r == '-' || r == '_' || r == ':' {
			if i == 0 {
				return 0
			}
			continue
		}
		if !isWord(r) {
			return i
		}
	}
	return len(s)
}

// installed returns the installed name at the start of a run, and its length in the run. Only Hangul particles may
// follow it.
func installed(run string, isName func(string) bool) (string, int) {
	if len(run) > 200 {
		return "", 0
	}
	try := func(s string) string {
		if isName(s) {
			return s
		}
		if strings.IndexFunc(s, isCapital) >= 0 {
			if low := strings.ToLower(s); isName(low) {
				return low
			}
		}
		return ""
	}
	if name := try(run); name != "" {
		return name, len(run)
	}
	for k, rest := 0, run; k < 5; k++ { // particles have at most five syllables
		r, n := utf8.DecodeLastRuneInString(rest)
		if !script.Syllable(r) || len(rest) == n {
			break
		}
		rest = strings.TrimRight(rest[:len(rest)-n], "-_:")
		if name := try(rest); name != "" {
			return name, len(rest)
		}
	}
	if head := strings.TrimRight(asciiHead(run), "-_:"); head != "" && len(head) < len(run) {
		return try(head), len(head)
	}
	return "", 0
}

func isCapital(r rune) bool { return 'A' <= r && r <= 'Z' }

type frame struct {
	before, after string // text around the name in lower case, without the name's quotes
	noun          bool   // the word skill or agent is next to the name
	rest          string // after, without the word skill or agent
	slash         bool
	question      bool
}

func frameOf(text string, t token) frame {
	from, to := max(0, t.start-maxReach), min(len(text), t.end+maxReach)
	for from > 0 && from < t.start && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && to > t.end && !utf8.RuneStart(text[to]) {
		to--
	}
	before, after := text[from:t.start], text[t.end:to]
	if i := lastStop(before); i >= 0 {
		before = before[i:]
	}
	if i := firstStop(after); i >= 0 {
		after = after[:i]
	}
	f := frame{slash: t.slash}
	f.question = Mention(strings.TrimSpace(before+"x"+after)) || asksAbout(strings.ToLower(after))
	f.before = strings.TrimRight(strings.ToLower(before), " `'\"“‘(/")
	f.after = strings.TrimLeft(strings.ToLower(after), "`'\"”’)")
	f.rest = f.after
	if rest, ok := cutNoun(strings.TrimLeft(f.after, " ")); ok {
		f.noun, f.rest = true, rest
	} else if head, ok := cutLastNoun(f.before); ok {
		f.noun, f.before = true, head
	}
	return f
}

// lastStop returns the start of the last sentence of s, or -1 if s contains no end of a sentence.
func lastStop(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '\n' || i+1 < len(s) && s[i+1] == ' ' && strings.IndexByte(".!?", s[i]) >= 0 {
			return i + 1
		}
	}
	return -1
}

func firstStop(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			return i
		}
		if strings.IndexByte(".!?", s[i]) >= 0 && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n') {
			return i + 1
		}
	}
	return -1
}

func cutNoun(s string) (string, bool) {
	for n := range vocab.SkillNoun.All() {
		rest, ok := strings.CutPrefix(s, n)
		if !ok {
			continue
		}
		r, _ := utf8.DecodeRuneInString(rest)
		if n[0] < utf8.RuneSelf && isLatin(r) {
			if rest, ok = strings.CutPrefix(rest, "s"); !ok || rest != "" && isWord(rune(rest[0])) {
				return s, false // the word continues, as in skillful
			}
		}
		return rest, true
	}
	return s, false
}

func cutLastNoun(s string) (string, bool) {
	s = strings.TrimRight(s, " :")
	for n := range vocab.SkillNoun.All() {
		if head, ok := strings.CutSuffix(s, n); ok && (head == "" || head[len(head)-1] == ' ') {
			return strings.TrimRight(head, " "), true
		}
	}
	return s, false
}

func (f *frame) asks(name string) bool {
	if f.question {
		return false
	}
	if f.slash {
		return !route(f.after)
	}
	own := strings.ContainsAny(name, "-:_")
	if own || f.noun {
		if governed(f.before) {
			return true
		}
		if usedBehind(f.rest, f.noun) {
			return true
		}
	}
	if f.noun && f.before == "" {
		r := strings.TrimSpace(f.rest)
		return r == "" || r[0] == ':' || r[0] == ',' || r[0] == '!' || r[0] == '.' || vocab.GoOn.Begins(r)
	}
	return false
}

func (f *frame) continues(name string) bool {
	return !f.question && (f.noun || f.slash || strings.ContainsAny(name, "-:_"))
}

// opensList reports whether the name may start a list in which only the last name is marked as a skill: "use the pdf
// and docx skills", "pdf랑 docx 스킬로".
func (f *frame) opensList() bool {
	return !f.question && (governed(f.before) || f.rest != "" && f.rest[0] >= utf8.RuneSelf)
}

func listed(between string) bool {
	if len(between) > 40 {
		return false
	}
	for _, w := range fields(between) {
		if word := strings.ToLower(strings.Trim(w.text, ",`'\"/")); word != "" && !vocab.NameJoint.Has(word) {
			return false
		}
	}
	return true
}

func governed(before string) bool {
	for {
		before = strings.TrimRight(before, " `'\"")
		i := strings.LastIndexByte(before, ' ')
		switch word := before[i+1:]; {
		case vocab.UseVerb.Has(word):
			return true
		case i < 0 || !vocab.UseArticle.Has(word):
			return false
		}
		before = before[:i]
	}
}

// usedBehind reports whether rest, the text after a name, asks to use it: 로, 을 써서, 돌려줘. After the word 스킬 (noun) a
// plain 로 is enough. After a bare name, words must follow 로 that do not treat the name as text, as in "pdf로 저장".
func usedBehind(rest string, noun bool) bool {
	if r, ok := vocab.ByParticle.CutPrefix(rest); ok && endsWord(r) {
		return noun || r != "" && !naming(r)
	}
	r, _ := vocab.UsedParticle.CutPrefix(rest)
	r = strings.TrimLeft(r, " ")
	r, _ = vocab.UseAdverb.CutPrefix(r)
	return vocab.Used.Begins(r) && !vocab.NotUsed.Begins(r)
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || strings.ContainsRune(" ,.!、。", r) || script.Spaceless(r)
}

func naming(rest string) bool { return vocab.Naming.In(rest) }

func route(after string) bool { return vocab.Route.Begins(strings.TrimLeft(after, " ")) }

func asksAbout(after string) bool {
	s := strings.TrimLeft(after, " `'\"")
	s, _ = cutNoun(s)
	s = strings.TrimLeft(s, " ")
	return vocab.WhatIs.Begins(s) || vocab.AskedAbout.In(s)
}
