package triage

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// splitVerbLast splits a request in a language that puts the verb last. It splits after verb forms that another verb
// follows and at words for "after that".
func splitVerbLast(text string) []string {
	words := fields(text)
	cs := []clause{{}}
	from := 0 // index of the first word of the current clause
	quoted := false
	for i := 0; i+1 < len(words); i++ {
		w, next := words[i].text, strings.TrimRight(words[i+1].text, ",")
		if strings.Count(w, "'")%2 == 1 || strings.Count(w, "\"")%2 == 1 {
			quoted = !quoted
		}
		bare, comma := strings.CutSuffix(w, ",")
		then := sequel(words[i+1:])
		end, start, firm := i+1, i+1+then, true // end and start are word indexes
		switch {
		case quoted:
			continue
		case vocab.After.Has(next) && (endsPast(w) || craftOf(w).Alone()), clauseEnd(w) && vocab.AndThen.Has(next):
			end, start = i+2, i+2
		case comma && clauseEnd(bare):
			if vocab.If.In(text[words[from].start:words[i].start]) {
				continue // "있으면 … 쓰고, 없으면 …" is one request
			}
		case then > 0 && (endsPart(w) || endsRequest(w) || clauseEnd(w)):
		case clauseEnd(w) && !vocab.Auxiliary.Begins(next), endsRequest(w), vocab.SoEnd.Ends(w) && isChannel(next):
			firm = false
		default:
			continue
		}
		if start >= len(words) || !asksAhead(words[start:]) {
			continue
		}
		c := &cs[len(cs)-1]
		c.end, c.craft = words[end-1].end, craftOfLast(words[from:end])
		cs = append(cs, clause{start: words[start].start, firm: firm})
		from, i = start, start-1
	}
	c := &cs[len(cs)-1]
	c.end, c.craft = len(text), craftOfLast(words[from:])
	cs = tidy(text, cs)
	firm := slices.ContainsFunc(cs, func(c clause) bool { return c.firm })
	return stepsOf(text, cs, firm || len(cs) > 2)
}

// tidy merges clauses that are not steps into the clause before: clauses after a single word, and clauses that neither
// ask for anything nor name a craft.
func tidy(text string, cs []clause) []clause {
	for i := 1; i < len(cs); {
		own := strings.Fields(text[cs[i].start:cs[i].end])
		last := strings.TrimRight(own[len(own)-1], ",")
		bare := !strings.Contains(strings.TrimSpace(text[cs[i-1].start:cs[i-1].end]), " ") && !cs[i-1].craft.Alone()
		if bare || (!cs[i].firm || i == len(cs)-1) && cs[i].craft == vocab.NoCraft && !endsRequest(last) && !clauseEnd(last) {
			cs[i].start, cs[i].firm = cs[i-1].start, cs[i-1].firm
			cs = slices.Delete(cs, i-1, i)
			continue
		}
		i++
	}
	return cs
}

func isChannel(w string) bool {
	if head := asciiHead(w); head != "" {
		return vocab.Channel.Has(strings.ToLower(head))
	}
	return vocab.Channel.Begins(w)
}

// clauseEnd reports whether w is a verb form that another verb follows: "정리하고", but not "말고", "그리고" or the noun "광고".
func clauseEnd(w string) bool {
	stem, ok := vocab.And.CutSuffix(w)
	r, _ := utf8.DecodeLastRuneInString(stem)
	return ok && script.Syllable(r) && !vocab.NoClause.Has(stem) && !vocab.NoClauseEnd.Ends(stem)
}

func endsPast(w string) bool { return vocab.Past.Ends(w) && !vocab.NotPast.Ends(w) }

func sequel(words []word) int {
	said := ""
	for n, w := range words[:min(2, len(words))] {
		if said += strings.TrimRight(w.text, ","); vocab.AfterThat.Has(said) {
			return n + 1
		}
	}
	return 0
}

func endsRequest(w string) bool {
	return vocab.RequestEnd.Ends(strings.TrimRight(w, ".,!~"))
}

// asksAhead reports whether the sentence at the start of words contains a verb that makes a request or is followed by
// another verb. It stops at a verb that modifies a noun, as in 분석하는 도구.
func asksAhead(words []word) bool {
	for i, w := range words {
		s := strings.TrimRight(w.text, ".,!~")
		if endsRequest(s) || clauseEnd(s) || i > 0 && endsPast(s) {
			return true
		}
		stem, describes := vocab.NounVerb.CutSuffix(s)
		if describes && craftOf(stem) != vocab.NoCraft || strings.HasSuffix(w.text, ".") || strings.HasSuffix(w.text, "?") {
			return false
		}
	}
	return false
}

func craftOfLast(words []word) vocab.Craft {
	for i := len(words) - 1; i >= max(0, len(words)-3); i-- {
		if c := craftOf(words[i].text); c != vocab.NoCraft && c != vocab.LightWork {
			return c
		}
	}
	return vocab.NoCraft
}

// splitSpaceless splits a request without spaces at words for a sequence. Each part must name a craft, and neighbours
// must name different crafts.
func splitSpaceless(text string) []string {
	for w := range vocab.AfterThat.All() {
		text = strings.ReplaceAll(text, w, "\x00")
	}
	var steps []string
	last := vocab.NoCraft
	for part := range strings.SplitSeq(text, "\x00") {
		if part = trimStep(part); part == "" {
			continue
		}
		c := craftOf(part)
		if c == vocab.NoCraft || c == last {
			return nil
		}
		steps, last = append(steps, part), c
	}
	if len(steps) < 2 || len(steps) > maxSteps {
		return nil
	}
	return steps
}
