package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// negationReach is the number of words before a name in which a negation is looked for.
const negationReach = 4

// negated reports whether the sentence rejects the name, with not, don't or without before it or 말고, 빼고 or 쓰지 마
// after it.
func (f *frame) negated() bool {
	before := strings.Fields(strings.ReplaceAll(f.before, "’", "'"))
	for i := len(before) - 1; i >= max(0, len(before)-negationReach); i-- {
		w := strings.TrimLeft(before[i], "(\"")
		pair := before[max(0, i-1)] + " " + w
		if endsPart(w) || vocab.NegationEnd.Has(w) || vocab.NegationEnd.Has(pair) {
			break
		}
		if vocab.Negation.Has(w) || vocab.Negation.Has(pair) {
			return true
		}
	}
	rest, _ := vocab.UsedParticle.CutPrefix(f.rest)
	if vocab.NotThis.Begins(strings.TrimLeft(rest, " ")) {
		return true
	}
	after := strings.Fields(rest)
	return vocab.Forbidden.In(strings.Join(after[:min(len(after), negationReach-1)], " "))
}
