package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// splitVerbLast splits a request in a language that puts the verb last.
func splitVerbLast(text string) []string {
	words := fields(text)
	cs := clausesLast(text, words)
	if len(cs) < 2 {
		return nil
	}
	joints := [firm + 1]int{}
	for _, c := range cs[1:] {
		joints[c.joint]++
	}
	if joints[firm] > 0 || joints[loose] > 1 {
		return stepsOf(text, cs)
	}
	if steps := craftsApart(text, cs); steps != nil {
		return steps
	}
	for i := len(cs) - 1; i > 0; i-- {
		if cs[i].joint == weak {
			cs = merge(cs, i)
		}
	}
	return craftsApart(text, cs)
}

// clausesLast cuts text at its joints. Clauses without a verb of their own are
// left with the one after them.
func clausesLast(text string, words []word) []clause {
	cs := []clause{{start: 0, joint: opening}}
	from := 0 // first word of the open clause
	cut := func(i int, next int, j joint) {
		// The open clause ends before word i; the next one starts with word next.
		if next >= len(words) || i-from < 1 {
			return
		}
		c := &cs[len(cs)-1]
		c.end = words[i-1].end
		c.craft = craftOfLast(text, words[from:i])
		cs = append(cs, clause{start: words[next].start, joint: j})
		from = next
	}
	quoted := false
	for i := range words {
		w := text[words[i].start:words[i].end]
		if strings.Count(w, "'")%2 == 1 || strings.Count(w, "\"")%2 == 1 {
			quoted = !quoted
			continue
		}
		if quoted || i+1 >= len(words) {
			continue
		}
		next := text[words[i+1].start:words[i+1].end]
		after := ""
		if i+2 < len(words) {
			after = text[words[i+2].start:words[i+2].end]
		}
		bare, comma := strings.CutSuffix(w, ",")
		andThen := vocab.AndThen.Has(strings.TrimSuffix(next, ","))
		switch {
		case endsVerbPast(w) && afterNoun(next), standsAlone(craftIn(w)) && vocab.Behind.Has(next) &&
			!timeSpan(after):
			if verbAhead(text, words[i+2:]) {
				cut(i+2, i+2, firm)
			}
		case vocab.AndThenEnd.Ends(w) || vocab.And.Ends(w) && andThen:
			k := i + 1
			if andThen {
				k++
			}
			if verbAhead(text, words[k:]) {
				cut(k, k, firm)
			}
		case vocab.And.Ends(w) && vocab.AndDone.Has(next) && afterNoun(after):
			cut(i+3, i+3, firm)
		case comma && (clauseEnd(bare) || vocab.SpokenAnd.Ends(bare)):
			j := firm
			if conditional(text, words[from:i+1]) {
				j = opening
			}
			if j == firm {
				cut(i+1, i+1+sequence(text, words[i+1:]), j)
			}
		case sequence(text, words[i+1:]) > 0 && endsClause(w) && verbAhead(text, words[i+1:]):
			cut(i+1, i+1+sequence(text, words[i+1:]), firm)
		case clauseEnd(w) && !auxiliary(next) && verbAhead(text, words[i+1:]):
			cut(i+1, i+1, loose)
		case vocab.SoEnd.Ends(w) && channel(next) && hasRequest(text[words[i].start:]):
			cut(i+1, i+1, weak)
		case endsRequest(w) && i+2 < len(words) && verbAhead(text, words[i+1:]):
			cut(i+1, i+1, weak)
		}
	}
	last := &cs[len(cs)-1]
	last.end = words[len(words)-1].end
	last.craft = craftOfLast(text, words[from:])
	return tidy(text, cs)
}

// tidy drops what is not a step: a clause of one bare word joins its
// neighbour, and loose joints hold only between clauses that name a craft.
func tidy(text string, cs []clause) []clause {
	for i := 1; i < len(cs); {
		if i == len(cs)-1 && vocab.Manner.Ends(lastWord(text[cs[i].start:cs[i].end])) { // how, not what
			cs = merge(cs, i)
			continue
		}
		short := len(fields(text[cs[i-1].start:cs[i-1].end])) < 2 && !standsAlone(cs[i-1].craft)
		if short || cs[i].joint < firm && cs[i].craft == vocab.NoCraft && !hasRequest(text[cs[i].start:cs[i].end]) &&
			!clauseEnd(lastWord(text[cs[i].start:cs[i].end])) {
			cs = merge(cs, i)
			continue
		}
		i++
	}
	return cs
}

// clauseEnd reports a verb form that another one follows: "정리하고" but not
// "말고" or "그리고".
func clauseEnd(w string) bool {
	stem, ok := vocab.And.CutSuffix(w)
	if !ok || stem == "" {
		return false
	}
	if looksLikeVerb(stem) {
		return false
	}
	if vocab.NoClause.Has(stem) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(stem)
	return script.Syllable(r) && !vocab.NoClauseEnd.Ends(stem)
}

// looksLikeVerb reports what is before the end of a noun that looks like a verb,
// as in 광고 and 보고.
func looksLikeVerb(stem string) bool {
	return vocab.NounStem.Has(stem) || vocab.NounStemEnd.Ends(stem) && !vocab.VerbStemEnd.Ends(stem)
}

// timeSpan reports the words after which 후 means "later": 출시 후 한 달.
func timeSpan(w string) bool {
	return w == "" || '0' <= w[0] && w[0] <= '9' || vocab.Span.Begins(w)
}

// channel reports the places that results are delivered to.
func channel(w string) bool {
	if head := strings.ToLower(asciiHead(w)); head != "" {
		return vocab.Channel.Has(head)
	}
	return vocab.Channel.Begins(w)
}

func lastWord(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, ' ')+1:]
}

// auxiliary reports words that make a -고 before them part of one verb.
func auxiliary(next string) bool {
	return vocab.Auxiliary.Begins(next)
}

// afterNoun reports a noun of time that puts what follows behind what precedes: 다음, 뒤, 후.
func afterNoun(w string) bool {
	return vocab.After.Has(strings.TrimRight(w, ","))
}

// endsVerbPast reports a word that ends like a verb before a noun of time.
func endsVerbPast(w string) bool {
	_, n := utf8.DecodeLastRuneInString(w)
	return vocab.Past.Has(w[len(w)-n:]) && !vocab.NotPast.Ends(w)
}

// sequence returns how many words at the head of words say "after that": 그
// 다음, 이어서, 마지막으로.
func sequence(text string, words []word) int {
	if len(words) < 2 {
		return 0
	}
	w := strings.TrimRight(text[words[0].start:words[0].end], ",")
	next := strings.TrimRight(text[words[1].start:words[1].end], ",")
	if vocab.AfterThat.Has(w) {
		return 1
	}
	if vocab.That.Has(w) && vocab.ThatThen.Has(next) {
		return 2
	}
	return 0
}

// endsClause reports a word that a clause may end with: a verb form or
// punctuation.
func endsClause(w string) bool {
	if strings.IndexByte(".,!?;)", w[len(w)-1]) >= 0 {
		return true
	}
	return vocab.ClauseEnd.Ends(w) && !vocab.NotClauseEnd.Ends(w)
}

// endsRequest reports the end of a sentence that asks: 해줘, 주세요.
func endsRequest(w string) bool {
	return vocab.RequestEnd.Ends(strings.TrimRight(w, ".,!~"))
}

func hasRequest(s string) bool {
	words := fields(s)
	return len(words) > 0 && endsRequest(s[words[len(words)-1].start:words[len(words)-1].end])
}

// conditional reports a clause that holds only in one case: "있으면 … 쓰고,
// 없으면 …" is one request.
func conditional(text string, words []word) bool {
	for _, w := range words {
		if vocab.IfEnd.Ends(text[w.start:w.end]) {
			return true
		}
	}
	return false
}

// verbAhead reports whether the words up to the next joint end in a verb
// that asks or goes on, not one that describes a noun (…하는 문서).
func verbAhead(text string, words []word) bool {
	for i, w := range words {
		s := strings.TrimRight(text[w.start:w.end], ".,!~")
		if endsRequest(s) || clauseEnd(s) || i > 0 && endsVerbPast(s) && i+1 < len(words) &&
			afterNoun(text[words[i+1].start:words[i+1].end]) {
			return true
		}
		if stem, ok := vocab.NounVerb.CutSuffix(s); ok && i < 6 && craftIn(stem) != vocab.NoCraft {
			return false
		}
		if c := text[w.end-1]; c == '.' || c == '?' || c == '!' || declares(s) {
			return false
		}
	}
	return false
}

// declares reports the end of a sentence that tells something: 떠요, 됐네.
func declares(w string) bool {
	w = strings.TrimRightFunc(w, (vocab.Laugh | vocab.Cry).Is)
	return vocab.Declares.Ends(w) && !vocab.NotDeclares.Ends(w)
}

// craftOfLast returns the craft of a clause: the last one that its last words
// name.
func craftOfLast(text string, words []word) vocab.Craft {
	for i := len(words) - 1; i >= 0 && i >= len(words)-3; i-- {
		w := strings.Trim(text[words[i].start:words[i].end], ".,!?()'\"")
		if c := craftIn(w); c != vocab.NoCraft {
			return c
		}
		if c := craftOf(strings.ToLower(asciiHead(w))); c != vocab.NoCraft && c != vocab.LightWork {
			return c
		}
	}
	return vocab.NoCraft
}

func asciiHead(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf {
			return w[:i]
		}
	}
	return w
}
