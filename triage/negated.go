package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// negations returns the spans of text that name what is not wanted, in order and
// without overlap: the words before 말고, 빼고, 없이, 대신 and -지 마, the words
// after not, without, instead of and don't. A description of a fault ("login is
// not working", "로그인이 안 돼") names what is wanted and has no span.
func negations(text string) []span {
	if !maybeNegated(text) {
		return nil
	}
	var spans []span
	words := fields(text)
	for i := range words {
		w := strings.ToLower(text[words[i].start:words[i].end])
		s, ok := negatedBehind(text, words, i)
		if !ok {
			s, ok = negatedBefore(text, words, i, w)
		}
		if !ok || s.Start >= s.End {
			continue
		}
		if k := len(spans); k > 0 && s.Start < spans[k-1].End {
			spans[k-1].End = max(spans[k-1].End, s.End)
			continue
		}
		spans = append(spans, s)
	}
	return spans
}

// maybeNegated is a cheap test for a text that may have a negation.
func maybeNegated(s string) bool { return vocab.NegationSign.In(s) }

// negatedBehind returns what the negation at word i negates that stands behind it.
func negatedBehind(text string, words []word, i int) (span, bool) {
	w := strings.TrimRight(text[words[i].start:words[i].end], ".,!?~")
	switch {
	case vocab.NegatesNoun.Has(w):
		if i == 0 {
			return span{}, false
		}
		if vocab.Negated.Ends(text[words[i-1].start:words[i-1].end]) && vocab.Forbids.Begins(w) {
			return verbBefore(text, words, i-1), true
		}
		return nounBefore(text, words, i-1), true
	case vocab.NegatesVerb.Has(w):
		if i > 0 && vocab.Negated.Ends(text[words[i-1].start:words[i-1].end]) {
			return verbBefore(text, words, i-1), true
		}
		return span{}, false
	}
	for tail := range vocab.ForbidEnd.All() {
		if strings.HasSuffix(w, tail) && w != tail {
			return verbBefore(text, words, i), true
		}
	}
	for tail := range vocab.WithoutEnd.All() {
		if stem, ok := strings.CutSuffix(w, tail); ok && stem != "" &&
			!(vocab.Forbids.Begins(tail) && vocab.Negated.Ends(stem)) {
			return span{words[i].start, words[i].start + len(stem)}, true
		}
	}
	return span{}, false
}

// nounBefore returns the noun phrase that ends with word i: the word, and
// before it up to two that carry no particle.
func nounBefore(text string, words []word, i int) span {
	from := i
	if vocab.BoundNoun.Has(text[words[i].start:words[i].end]) {
		return span{words[max(0, i-1)].start, words[i].end} // 틀린 거 빼고
	}
	for from > 0 && i-from < 2 && bareNoun(text[words[from-1].start:words[from-1].end]) {
		from--
	}
	return span{words[from].start, words[i].end}
}

// verbBefore returns the verb at word i with its object: up to two words
// before it that no clause ends with.
func verbBefore(text string, words []word, i int) span {
	from := i
	for from > 0 && i-from < 2 {
		w := text[words[from-1].start:words[from-1].end]
		if endsPart(w[len(w)-1]) || vocab.BeforeVerb.Ends(w) {
			break
		}
		from--
		if vocab.ObjectEnd.Ends(w) {
			break
		}
	}
	if i > 0 && from == i {
		if w := text[words[i-1].start:words[i-1].end]; vocab.WayEnd.Ends(w) {
			return span{words[i-1].start, words[i-1].end} // the way, not the work: 손으로 세지 말고
		}
	}
	return span{words[from].start, words[i].end}
}

// bareNoun reports a word without particle or ending: part of a compound such
// as "payment gateway" or 외부 서비스.
func bareNoun(w string) bool {
	if endsPart(w[len(w)-1]) {
		return false
	}
	return w[len(w)-1] < 0x80 || trimParticle(w) == w && !vocab.NotBareNoun.Ends(w)
}

// negatedBefore returns what the negation w at word i negates that stands before it.
func negatedBefore(text string, words []word, i int, w string) (span, bool) {
	next := i + 1
	lower := func(k int) string {
		if k < 0 || k >= len(words) {
			return ""
		}
		return strings.ToLower(strings.Trim(text[words[k].start:words[k].end], ".,;:!?()\"'"))
	}
	limit := 4
	told := narrates(lower(i - 1))
	switch is := negationOf(strings.ReplaceAll(strings.TrimLeft(w, "(\""), "’", "'")); {
	case is&vocab.Without != 0:
	case is&vocab.Other != 0:
		if negationOf(lower(next))&vocab.NegationOf != 0 {
			next++
		} else if is&vocab.Except == 0 {
			return span{}, false
		}
	case is&vocab.Dont != 0:
		if told {
			if negationOf(lower(next))&vocab.Wish == 0 || is&vocab.Never != 0 {
				return span{}, false
			}
			next++
		} else if unwilled(lower(next)) {
			return span{}, false
		}
		limit = 6
	case is&(vocab.DoNot|vocab.MustNot) != 0:
		if negationOf(lower(next))&vocab.Not == 0 || is&vocab.DoNot != 0 && (told || unwilled(lower(next+1))) {
			return span{}, false
		}
		next++
		limit = 6
	case is&vocab.Not != 0:
		prev := ""
		if i > 0 {
			prev = text[words[i-1].start:words[i-1].end]
		}
		switch {
		case negationOf(lower(next))&vocab.NotMore != 0:
			return span{}, false
		case prev != "" && !endsPart(prev[len(prev)-1]) && negationOf(lower(i-1))&vocab.BeforeNot == 0:
			return span{}, false
		}
		limit = 3
	case is&vocab.No != 0:
		if i > 0 && !endsPart(text[words[i-1].end-1]) && negationOf(lower(i-1))&vocab.BeforeNo == 0 {
			return span{}, false
		}
		if vocab.AfterNo.Has(lower(next)) {
			return span{}, false
		}
		limit = 2
	default:
		return span{}, false
	}
	return wordsAfter(text, words, next, limit, i)
}

func negationOf(w string) vocab.Negation {
	is, _ := vocab.Negations.Value(w)
	return vocab.Negation(is)
}

// wordsAfter returns the up to limit words from word k on, to the end of their
// clause. The negation is word i: a comma right after it ends the clause.
func wordsAfter(text string, words []word, k, limit, i int) (span, bool) {
	if k >= len(words) || endsPart(text[words[i].end-1]) || endsPart(text[words[k-1].end-1]) {
		return span{}, false
	}
	end := k
	for end < len(words) && end-k < limit {
		if end > k && vocab.NegationEnd.Has(strings.ToLower(text[words[end].start:words[end].end])) {
			return span{words[k].start, words[end-1].end}, true
		}
		end++
		if endsPart(text[words[end-1].end-1]) {
			break
		}
	}
	stop := words[end-1].end
	for stop > words[k].start && endsPart(text[stop-1]) {
		stop--
	}
	return span{words[k].start, stop}, true
}

// narrates reports subjects: with them "don't" tells something.
func narrates(w string) bool { return vocab.Narrator.Has(w) }

// unwilled reports verbs after which "don't" does not forbid.
func unwilled(w string) bool { return vocab.Unwilled.Has(w) }
