package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// social reports whether text is only conversation (Greeting or Ack). When it
// is not, work is text without the greeting, thanks or answer in front of the
// work and the thanks behind it.
func social(text string) (kind Kind, work string) {
	a := atomise(text)
	if len(a.list) == 0 { // letters, but only those of emoticons
		return Ack, text
	}
	c := a.cover(0)
	if k, ok := c.whole(&a); ok {
		return k, text
	}
	if len(text) <= maxSlip && !a.cut && !a.code {
		if k, ok := slipped(text); ok {
			return k, text
		}
	}
	start := a.cutAt(c, text)
	return Search, trimThanks(text[start:])
}

// pointsOnly reports a text without content of its own: "이거 봐줘".
func pointsOnly(text string) bool {
	a := atomise(text)
	return !a.cut && !a.code && a.cover(0)[len(a.list)].ok
}

// conversation is social without the cutting.
func conversation(text string) (Kind, bool) {
	a := atomise(text)
	return a.cover(0).whole(&a)
}

// maxSyllables and maxPhrase are the number of syllables and of Latin words in the
// longest entry.
const (
	maxSyllables = 8
	maxPhrase    = 6
)

// classOf returns what a word or phrase does in a conversation, 0 where it says
// nothing there or is not an entry.
func classOf(w string) vocab.Class {
	class, _ := vocab.Talk.Value(w)
	return vocab.Class(class)
}

// reach says how the text up to an atom can be covered by entries of the lists.
type reach struct {
	ok    bool
	seen  vocab.Class // classes of all entries used, of any cover
	says  vocab.Class // those of the clause the text breaks off in
	noun  bool        // a cover ends in a noun, particle or number
	stem  bool        // a cover ends in a stem or ending
	open  bool        // a cover ends in an entry to which another may be glued
	carry bool        // a cover ends in a carrying entry
	leads bool        // a cover has only leading entries
	opens bool        // a cover starts with a carrying entry
	pure  bool        // a cover has only carrying entries
}

// coverage is what cover finds: at i, how atoms 0 to i-1 are covered.
type coverage []reach

// cover matches the atoms from the one at first on against the word lists, all
// ways at once.
func (a *atoms) cover(first int) coverage {
	n := len(a.list)
	c := make(coverage, n+1)
	c[first] = reach{ok: true, open: true, leads: true}
	for i := first; i < n; i++ {
		if !c[i].ok {
			continue
		}
		switch a.list[i].script {
		case letters:
			a.add(c, i, i+1, a.list[i].class&^vocab.Turn)
		case hangul:
			a.coverHangul(c, i)
		case number:
			a.coverHangul(c, i)
			a.coverLatin(c, i)
		case latin:
			a.coverLatin(c, i)
		case other:
			if e := a.list[i].class; e != 0 {
				a.add(c, i, i+1, e)
			}
		}
	}
	return c
}

// add records that entry e covers atoms i to j-1.
func (a *atoms) add(c coverage, i, j int, e vocab.Class) {
	from, to := c[i], &c[j]
	if a.list[i].gap == gapBreak {
		from.says = 0
	}
	to.says |= from.says | e
	to.leads = to.leads || from.leads && e&vocab.Lead != 0
	to.pure = to.pure || (from.seen == 0 || from.pure) && e&vocab.Carries != 0
	to.opens = to.opens || from.opens || from.seen == 0 && e&vocab.Carries != 0
	to.ok = true
	to.seen |= from.seen | e
	to.noun = to.noun || e&vocab.Noun != 0 || e&vocab.Part != 0 && from.noun
	to.stem = to.stem || e&(vocab.Stem|vocab.Tail) != 0
	to.open = to.open || e&vocab.Alone == 0 || e&vocab.Lead != 0
	to.carry = to.carry || e&vocab.Carries != 0
}

// coverHangul adds the entries of syllables that start at atom i.
func (a *atoms) coverHangul(c coverage, i int) {
	n := len(a.list)
	for j := i + 1; j <= n && j-i <= maxSyllables; j++ {
		if j > i+1 && a.list[j-1].script != hangul {
			break
		}
		if a.list[i].script == number && (j == i+1 || a.list[j-1].gap == gapBreak) {
			continue
		}
		s := a.span(i, j)
		e := classOf(s)
		if e == 0 && (j == n || a.list[j].gap != gapNone || a.list[j].script == letters) {
			e = respelled(s)
			if e == 0 {
				form, _ := vocab.Form.Value(s)
				e = vocab.Class(form)
			}
		}
		if lone, ok := vocab.Lone.Value(s); ok && n == 1 {
			e = vocab.Class(lone)
		}
		if e != 0 && a.fitsHangul(c[i], i, j, e) {
			a.add(c, i, j, e)
		}
	}
}

// respelled returns the class of an entry that a word is a playful or drawn-out spelling of.
func respelled(word string) vocab.Class {
	for _, l := range lang.All {
		if l.Playful != nil {
			for _, meant := range l.Playful(word) {
				if e := classOf(meant); e != 0 {
					return e
				}
			}
		}
		if l.Stretched != nil {
			if e := classOf(l.Stretched(word)); e&vocab.Carries != 0 {
				return e
			}
		}
	}
	return 0
}

func (a *atoms) fitsHangul(from reach, i, j int, e vocab.Class) bool {
	n := len(a.list)
	if e&vocab.Last != 0 && j < n && a.list[j].gap != gapBreak && a.list[j].script != letters {
		return false
	}
	short := j-i == 1
	if a.list[i].gap != gapNone || i == 0 {
		return e != vocab.Part || from.noun
	}
	// Glued to the entry before.
	switch {
	case e&vocab.Part != 0 && from.noun, e&vocab.Tail != 0 && from.stem:
		return true
	case short || e&vocab.Alone != 0 || e == vocab.Part:
		return false
	}
	return from.open
}

// coverLatin adds the entries of Latin words that start at atom i.
func (a *atoms) coverLatin(c coverage, i int) {
	n := len(a.list)
	word := a.span(i, i+1)
	e := vocab.Answer | vocab.Noun
	if a.list[i].script == latin {
		e = classOf(word)
		if lone, ok := vocab.Lone.Value(word); ok && n == 1 {
			e = vocab.Class(lone)
		}
		if word == "resume" && i == 0 && n <= 2 { // "my resume" is a document
			e = vocab.Answer
		}
	}
	if e != 0 && a.fitsLatin(c[i], i, e) {
		a.add(c, i, i+1, e)
	}
	for j := i + 2; j <= n && j-i <= maxPhrase; j++ {
		at := a.list[j-1]
		if at.script != latin && at.script != number || at.gap == gapBreak {
			break
		}
		if e := classOf(a.span(i, j)); e != 0 {
			a.add(c, i, j, e)
		}
	}
}

func (a *atoms) fitsLatin(from reach, i int, e vocab.Class) bool {
	n := len(a.list)
	opens := i == 0 || a.list[i].gap == gapBreak
	closes := i+1 == n || a.list[i+1].gap == gapBreak || a.list[i+1].script == letters
	switch {
	case e&vocab.Addressee != 0:
		return opens || from.carry
	case e&vocab.Aside != 0:
		return closes && (opens || from.pure)
	case e&vocab.Countable != 0:
		if i > 0 && (a.list[i-1].script == number || a.list[i-1].script == hangul || vocab.Pointer.Has(a.span(i-1,
			i))) {
			return true
		}
		return i+1 < n && a.list[i+1].script == number
	}
	return true
}

// whole returns the kind of a text that is covered to its end.
func (c coverage) whole(a *atoms) (Kind, bool) {
	end := c[len(c)-1]
	if !end.ok || a.cut || a.code || end.seen&(vocab.Carries|vocab.Call) == 0 {
		return Search, false
	}
	if end.seen&vocab.Greet != 0 || end.seen&vocab.Carries == 0 {
		return Greeting, true
	}
	return Ack, true
}

// cutAt returns where in text the work starts after a covered opening, 0 when
// there is no opening that can be told from the work.
func (a *atoms) cutAt(c coverage, text string) int {
	for i := len(a.list) - 1; i > 0; i-- {
		at, before := a.list[i], a.list[i-1]
		if !c[i].ok || c[i].says&(vocab.Carries|vocab.Turn) == 0 || c[i].seen&vocab.Carries == 0 ||
			before.script == number && (i == 1 || listMark(text[before.end:])) {
			continue
		}
		switch {
		case at.gap == gapBreak:
		case at.gap == gapSpace && (c[i].opens && a.turns(i) || c[i].leads && !a.aboutGreeting(i)):
		default:
			continue
		}
		return openingOf(text, a.list[i-1].end, at.start)
	}
	return 0
}

// listMark reports what follows the number of a list item.
func listMark(s string) bool { return s != "" && (s[0] == '.' || s[0] == ')') }

// turns reports whether an entry at atom i turns to the request.
func (a *atoms) turns(i int) bool {
	n := len(a.list)
	if a.list[i].script == latin {
		if e := classOf(a.span(i, i+1)); e&vocab.Turn != 0 {
			return true
		}
		for j := i + 2; j <= n && j-i <= maxPhrase && a.list[j-1].script == latin; j++ {
			if classOf(a.span(i, j))&vocab.Turn != 0 {
				return true
			}
		}
		return false
	}
	for j := i + 1; j <= n && j-i <= maxSyllables && a.list[j-1].script == hangul; j++ {
		if classOf(a.span(i, j))&vocab.Turn != 0 && (j == n || a.list[j].gap != gapNone) {
			return true
		}
	}
	return false
}

// aboutGreeting reports whether the word at atom i makes the greeting before it
// part of the work, as in "hello world" or "안녕하세요 메시지".
func (a *atoms) aboutGreeting(i int) bool {
	if a.list[i].script != hangul {
		return vocab.Greeted.Has(a.span(i, i+1))
	}
	j := i + 1
	for j < len(a.list) && a.list[j].script == hangul && a.list[j].gap == gapNone {
		j++
	}
	return vocab.Greeted.Begins(a.span(i, j))
}

// openingOf returns where the work that has its first word at start begins,
// with the quote, bracket or path sign in front of it. The opening ends at end.
func openingOf(text string, end, start int) int {
	for start > end {
		r, n := utf8.DecodeLastRuneInString(text[end:start])
		if !strings.ContainsRune("\"'([{<`#@/~$._*“‘「『《-", r) {
			break
		}
		start -= n
	}
	if start == end { // "hi..." and the like: nothing but the break itself
		return end + strings.IndexFunc(text[end:], isWord)
	}
	return start
}

// thanksWindow is how far from the end of a text thanks are looked for.
const thanksWindow = 64

// trimThanks cuts thanks off the end of text.
func trimThanks(text string) string {
	text = strings.TrimSpace(text)
	base := max(0, len(text)-thanksWindow)
	for base > 0 && !utf8.RuneStart(text[base]) {
		base++
	}
	if !maybeThanks(text[base:]) {
		return text
	}
	a := atomise(text[base:])
	if a.cut {
		return text
	}
	for i := 1; i < len(a.list); i++ {
		at := a.list[i]
		if at.gap < gapSpace {
			continue
		}
		c := a.cover(i)
		end := c[len(a.list)]
		if !end.ok || end.seen&vocab.Thank == 0 {
			continue
		}
		if at.gap == gapBreak && end.seen&vocab.Answer == 0 || a.thanksAt(c, i) {
			return strings.TrimRight(text[:base+a.list[i-1].end]+closing(text[base+a.list[i-1].end:base+at.start]), " \t\n,-–—~")
		}
	}
	return text
}

// thanksAt reports whether the cover that starts at atom i starts with thanks.
func (a *atoms) thanksAt(c coverage, i int) bool {
	first := true
	for j := i + 1; j < len(c); j++ {
		if !c[j].ok {
			continue
		}
		if first && c[j].seen&vocab.Thank != 0 {
			return j < i+2 || a.list[j-1].script == latin || c[j].seen&vocab.Last == 0
		}
		if first = false; a.list[i].script != hangul {
			return false
		}
		if e := classOf(a.span(i, j)); e&vocab.Thank != 0 && e&vocab.Last == 0 { // "고마워" begins with an ending
			return true
		}
	}
	return false
}

// closing returns the part of a gap that belongs to the word before it: closing
// brackets, quotes and the full stop.
func closing(gap string) string {
	for i, r := range gap {
		if !strings.ContainsRune(")]}\"'`”’」』》?!.>", r) {
			return gap[:i]
		}
	}
	return gap
}

func maybeThanks(s string) bool { return vocab.ThanksSign.In(strings.ToLower(s)) }
