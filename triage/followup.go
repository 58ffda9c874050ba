package triage

import (
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// followWords is how many words a follow-up has at most: a longer request says itself
// what it is about.
const followWords = 12

// FollowsUp reports whether a text is a short request that points back to what was said or
// made before it ("now do the same for the API", "이제 그거 PPT로"), so that its own words
// do not say what it is about.
func FollowsUp(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) > followWords || strings.Contains(strings.TrimSpace(text), "\n") {
		return false
	}
	for _, w := range words {
		if vocab.FollowUp.Has(w) {
			return true
		}
	}
	return false
}
